import { FactList } from '@aparta/ui/fact-list.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { inGroups } from '@aparta/domain/in-groups';
import { useQuery } from '@tanstack/react-query';
import { sentenceFor } from '@aparta/browser/copy.ts';
import type { Refund } from '../data/cancellations.ts';
import type { AppliedPayment } from '../data/instalments.ts';
import type { PurchaseDetail } from '../data/purchases.ts';
import { refundsQuery } from '../data/refunds.ts';
import { useChanges } from '../data/use-changes.ts';
import { purchasesCopy } from './copy.ts';
import { endedCopy } from './ended-copy.ts';
import { takenBackCopy } from './taken-back-copy.ts';

const copy = endedCopy.refunds;

/**
 * The refunds of a purchase with their state, and what whoever took it gives back. One that is not cancelled has some only of what
 * could not be applied to it.
 */
export function Refunds({ purchase }: { purchase: PurchaseDetail }) {
  const { id, cancelled, takenBack } = purchase;
  const query = useQuery(refundsQuery(id));
  const { data: refunds } = query;
  // Its buyer may stand at the shop's counter with this open.
  useChanges(refunds?.some(({ state }) => state !== 'done') ?? false);
  const facts = refunds && [...takenBack.map(givenBack), ...refunds.map(factOf)];
  // Money that was taken back is no refund of ours: that nothing is left to give back would not be true of it.
  if (!facts?.length && (!cancelled || cancelled.by === 'reversal')) return null;
  return (
    <section className={text.stack} aria-labelledby={`devolucion-${id}`}>
      <h2 id={`devolucion-${id}`}>{(facts?.length ?? 0) > 1 ? copy.several : copy.title}</h2>
      {facts ? (
        <div className={text.card}>
          {facts.length === 0 ? <p>{copy.none}</p> : <FactList facts={facts} />}
        </div>
      ) : query.error ? (
        <Failed
          title={copy.failed}
          text={sentenceFor(query.error)}
          busy={query.isFetching ? purchasesCopy.retrying : undefined}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Skeleton label={copy.loading}>
          <SkeletonBlock width="most" />
          <SkeletonBlock width="half" />
        </Skeleton>
      )}
    </section>
  );
}

const ofPayment = (folio: string) => copy.of(inGroups(folio).replaceAll(' ', '\u00a0'));

const icons = { owed: 'clock', confirming: 'clock', in_review: 'person', done: 'check' } as const;

/** By the till, the store or the card's provider. */
function givenBack({ folio, amount, method, last4, payer }: AppliedPayment) {
  return {
    key: folio,
    icon: method === 'card' ? icons.done : 'store',
    title: method === 'card' ? copy.toCard(amount, last4, payer) : copy.byShop(amount, last4, payer),
    text: `${takenBackCopy[method](payer !== undefined)} ${ofPayment(folio)}`,
  } as const;
}

/** Money of who helped is never told as the buyer's. */
function factOf({ id, amount, method, state, last4, payer, folio, doneOn }: Refund) {
  // Also on the shop's own terminal.
  const to = last4 ? 'card' : method;
  return {
    key: id,
    icon: icons[state],
    title: method === 'card' ? copy.toCard(amount, last4, payer) : copy.byShop(amount, last4, payer),
    text: (
      <>
        {state !== 'done'
          ? copy.states(payer !== undefined)[method][state]
          : doneOn === undefined
            ? copy.doneAt[to]
            : copy.done[to](doneOn, payer !== undefined)}{' '}
        {ofPayment(folio)}
      </>
    ),
  };
}
