import {
  parseLayawayReference,
  type LayawayReference as ScannedReference,
} from '@aparta/domain/layaway-reference';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import { Skeleton, SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useToday } from '@aparta/ui/use-today.ts';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../app/paths.ts';
import { OwedBack } from '../copy/owed-back.tsx';
import type { CardAttempt } from '../data/card-attempt.ts';
import { useMade, type LayawayReference } from '../data/layaway.ts';
import { companyLogoQuery } from '../data/logos.ts';
import { merchantQuery, productQuery } from '../data/merchants.ts';
import { reference, useReference } from '../session/reference.ts';
import { informationCopy } from './information-copy.ts';
import { offerOf } from './offer.ts';
import { scannedCopy as copy } from './scanned-copy.ts';
import styles from './scanned.module.css';

/** rules/layaways#kept-reference: on home a saved reference leads, until it is finished or dropped; while a card pays it, that payment. */
export default function Scanned() {
  const saved = parseLayawayReference(useReference() ?? '');
  const { purchase, reference: made } = useMade(saved.ok ? saved.value : undefined);
  if (!saved.ok || purchase === 'made') return null;
  const { businessId, productId } = saved.value;
  return (
    <Ticket
      key={`${businessId} ${productId}`}
      label={copy.label}
      stub="side"
      thing={purchase === 'unknown' ? <Loading /> : <Product scanned={saved.value} made={made} />}
      act={
        made?.attempt?.isOpen ? (
          // A separate document: only there may the card provider be loaded.
          <ButtonLink variant="primary" wide to={paths.payLayaway(made.id)} reload>
            {wordsOfOpen(made.attempt).go}
          </ButtonLink>
        ) : (
          <div className={text.tight}>
            <ButtonLink variant="primary" wide to={paths.layaway}>
              {copy.go}
            </ButtonLink>
            <Button variant="quiet" onClick={() => reference.clear()}>
              {copy.drop}
            </Button>
          </div>
        )
      }
    />
  );
}

function Loading() {
  return (
    <Skeleton label={copy.loading}>
      <SkeletonBlock shape="tile" />
      <SkeletonBlock />
      <SkeletonBlock width="most" />
    </Skeleton>
  );
}

/** What is said of a card payment that is under way. */
function wordsOfOpen({ state }: CardAttempt) {
  if (state === 'pending_3ds') return copy.threeDs;
  return state === 'held' ? copy.held : copy.confirming;
}

/** Its name, deposit and plan, and where its payment stands. What comes below waits for them, so nothing moves. */
function Product({ scanned, made }: { scanned: ScannedReference; made: LayawayReference | undefined }) {
  const merchant = useQuery(merchantQuery(scanned.businessId));
  const product = useQuery(productQuery(scanned.productId));
  const { data: logo } = useQuery({
    ...companyLogoQuery(merchant.data?.companyId ?? 0),
    enabled: merchant.data !== undefined,
  });
  const today = useToday();
  const offer = merchant.data && product.data && offerOf(merchant.data, product.data, today);
  const said = made?.attempt?.isOpen ? wordsOfOpen(made.attempt) : copy;
  const isOwed = made !== undefined && made.owedBack > 0;
  const wasTaken = isOwed || made?.attempt?.state === 'returned';
  const head = (
    <>
      <div>
        <h2>{said.title}</h2>
        {!(wasTaken && said === copy) && <p className={`${text.muted} ${text.small}`}>{said.text}</p>}
      </div>
      {isOwed && <OwedBack reference={made} />}
    </>
  );
  if (!offer) {
    const failed = merchant.error ?? product.error ?? (merchant.data && product.data);
    return (
      <div className={styles.product}>
        {head}
        {failed ? <p className={text.muted}>{copy.notLoaded}</p> : <Loading />}
      </div>
    );
  }
  const { later } = informationCopy.information;
  return (
    <div className={styles.product}>
      {head}
      <ProductHeader
        title={product.data.name}
        sub={merchant.data.name}
        merchant={merchant.data.name}
        logo={logo ?? undefined}
      />
      <LineItems
        rows={[
          {
            label: informationCopy.information.deposit(offer.depositPercent),
            amount: offer.depositCentavos,
            strong: true,
          },
        ]}
      />
      <p className={`${text.muted} ${text.small}`}>
        {later(offer.laterInstalments, offer.eachCentavos, offer.lastCentavos)}
      </p>
    </div>
  );
}
