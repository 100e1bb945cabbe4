import { ButtonLink } from '@aparta/ui/button.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useQuery } from '@tanstack/react-query';
import { paths } from './paths.ts';
import type { CardAttempt } from '../data/card-attempt.ts';
import type { LayawayReference } from '../data/layaway.ts';
import { logoQuery } from '../data/logos.ts';
import { BackToCard } from '../copy/back-to-card.tsx';
import { OwedBack } from '../copy/owed-back.tsx';
import { unresolvedCopy as copy } from './unresolved-copy.ts';
import styles from './unresolved-layaway.module.css';

/** A layaway whose payment is open, or of which money is owed back; by its frozen terms, so that nothing is waited for. */
export function Unresolved({ reference }: { reference: LayawayReference }) {
  const { data: logo } = useQuery(logoQuery(reference.logoFile));
  const { attempt, merchantName } = reference;
  return (
    <Ticket
      label={copy.label}
      stub="side"
      thing={
        <div className={styles.product}>
          <Head made={reference} />
          <ProductHeader
            title={reference.productName}
            sub={merchantName}
            merchant={merchantName}
            logo={logo}
          />
          <LineItems rows={[{ label: copy.deposit, amount: reference.deposit, strong: true }]} />
        </div>
      }
      act={
        attempt?.isOpen ? (
          <ToPayment reference={reference} attempt={attempt} />
        ) : (
          <ButtonLink variant="primary" wide to={paths.layawayReference(reference.id)}>
            {copy.see}
          </ButtonLink>
        )
      }
    />
  );
}

/** Leads to the card payment that is open. */
export function ToPayment({
  reference: { id },
  attempt,
}: {
  reference: LayawayReference;
  attempt: CardAttempt;
}) {
  return (
    // A separate document: only there may the card provider be loaded.
    <ButtonLink variant="primary" wide to={paths.payLayaway(id)} reload>
      {wordsOfOpen(attempt).go}
    </ButtonLink>
  );
}

/** What is said of a card payment that is under way. */
function wordsOfOpen({ state }: CardAttempt) {
  if (state === 'pending_3ds') return copy.threeDs;
  return state === 'held' ? copy.held : copy.confirming;
}

/** Where its payment stands, and what is owed back of it. */
export function Head({ made }: { made: LayawayReference | undefined }) {
  const said = made?.attempt?.isOpen ? wordsOfOpen(made.attempt) : copy;
  const isOwed = made !== undefined && made.owedBack + made.owedToCard > 0;
  const wasTaken = isOwed || made?.attempt?.state === 'returned';
  return (
    <>
      <div>
        <h2>{said.title}</h2>
        {!(wasTaken && said === copy) && <p className={`${text.muted} ${text.small}`}>{said.text}</p>}
      </div>
      {isOwed && (
        <>
          <OwedBack reference={made} />
          <BackToCard reference={made} />
        </>
      )}
    </>
  );
}
