import { FactList } from '@aparta/ui/fact-list.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { inGroups } from '@aparta/domain/in-groups';
import { useQuery } from '@tanstack/react-query';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { refundsQuery, type Refund } from '../data/cancellations.ts';
import { useChanges } from '../data/use-changes.ts';
import { purchasesCopy } from './copy.ts';
import { detailCopy } from './detail-copy.ts';

const copy = detailCopy.refunds;

/** The refunds of a purchase with their state. One that is not cancelled has some only of what could not be applied to it. */
export function Refunds({ purchaseId, isCancelled }: { purchaseId: number; isCancelled: boolean }) {
  const query = useQuery(refundsQuery(purchaseId));
  const { data: refunds } = query;
  // Its buyer may stand at the shop's counter with this open.
  useChanges(refunds?.some(({ state }) => state !== 'done') ?? false);
  if (!isCancelled && !refunds?.length) return null;
  return (
    <section className={text.stack} aria-labelledby={`devolucion-${purchaseId}`}>
      <h2 id={`devolucion-${purchaseId}`}>{(refunds?.length ?? 0) > 1 ? copy.several : copy.title}</h2>
      {refunds ? (
        <div className={text.card}>
          {refunds.length === 0 ? <p>{copy.none}</p> : <FactList facts={refunds.map(factOf)} />}
        </div>
      ) : query.error ? (
        <Failed
          title={copy.failed}
          text={sentenceFor(query.error)}
          busy={query.isFetching ? purchasesCopy.list.retrying : undefined}
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

const icons = { owed: 'clock', confirming: 'clock', in_review: 'person', done: 'check' } as const;

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
        {copy.of(inGroups(folio).replaceAll(' ', '\u00a0'))}
      </>
    ),
  };
}
