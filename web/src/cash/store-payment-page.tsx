import type { CashReference } from '@aparta/contract/cash';
import { zero } from '@aparta/domain/money';
import waiting from '@aparta/ui/drawings/waiting.svg?raw';
import { Bone, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useWatching } from '@aparta/ui/use-watching.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { isRefused } from '../api/api-error.ts';
import { paths } from '../app/paths.ts';
import { alerts } from '../copy/alerts.ts';
import { shownCashReference } from '../session/cash-reference.ts';
import { useUser } from '../session/session.ts';
import { cashCopy as copy } from './copy.ts';
import { End, Frame } from './frame.tsx';
import { stayReadable } from './offline.ts';
import { Paid } from './paid.tsx';
import {
  instalmentQuery,
  keptReference,
  mayChange,
  readReference,
  referenceQuery,
  type Instalment,
} from './queries.ts';
import { Trouble } from './trouble.tsx';
import { Waiting } from './waiting.tsx';

/** A store's payment shows by itself: looked for this often, and this long. Nothing is asked while the page is hidden. */
const LOOK_EVERY_MS = 10_000;
const LOOK_FOR_MS = 15 * 60_000;

/** §2, the in-person payment of one instalment. */
export default function StorePaymentPage() {
  const { id, cxcid } = useParams();
  const purchaseId = idOf(id);
  const instalmentId = idOf(cxcid);
  if (purchaseId === undefined || instalmentId === undefined)
    return <End {...alerts.noReference} to={paths.purchases} act={copy.toList} />;
  return (
    <StorePayment key={`${purchaseId} ${instalmentId}`} purchaseId={purchaseId} instalmentId={instalmentId} />
  );
}

function idOf(said: string | undefined): number | undefined {
  return said !== undefined && /^[1-9]\d{0,14}$/.test(said) ? Number(said) : undefined;
}

function StorePayment({ purchaseId, instalmentId }: { purchaseId: number; instalmentId: number }) {
  const now = useReference(purchaseId, instalmentId);
  const { instalment } = now;
  const toPurchase = { to: paths.purchase(purchaseId), act: copy.toPurchase };
  switch (now.face) {
    case 'missing':
      return <End {...copy.missing} to={paths.purchases} act={copy.toList} />;
    case 'cancelled':
      return <End {...copy.cancelled} {...toPurchase} />;
    case 'confirming':
      return (
        <End
          {...copy.confirming}
          drawing={waiting}
          // A document of its own: only there may the card provider be loaded.
          to={paths.payInstalment(purchaseId, instalmentId)}
          reload
        />
      );
    case 'paid':
      return <Paid purchaseId={purchaseId} instalment={instalment} />;
    case 'waiting':
      return (
        <Waiting
          reference={readReference(now.reference)}
          instalment={instalment}
          isOld={now.isOld}
          look={now.watches && !now.isOld ? undefined : now.look}
          isLooking={now.isLooking}
        />
      );
    case 'failed':
      return (
        <Frame purchaseId={purchaseId} of={instalment}>
          <Trouble
            error={now.error}
            instalment={instalment}
            purchaseId={purchaseId}
            busy={now.isLooking}
            onRetry={now.look}
          />
        </Frame>
      );
    case 'loading':
      return (
        <Frame purchaseId={purchaseId} of={instalment}>
          <Loading />
        </Frame>
      );
  }
}

type Face =
  | { face: 'missing' | 'cancelled' | 'confirming' | 'paid' | 'loading' }
  | { face: 'failed'; error: Error }
  /** `isOld`: the server could not be asked, so more may have happened since. */
  | { face: 'waiting'; reference: CashReference; isOld: boolean };

/** What the screen shows: the server's word, and while there is none the reference that this device showed last. */
function useReference(purchaseId: number, instalmentId: number) {
  const buyerId = useUser()?.id ?? 0;
  const [kept] = useState(() => keptReference(buyerId, instalmentId, new Date()));
  const { watching, again } = useWatching(LOOK_FOR_MS);
  const looking = useQuery({
    ...instalmentQuery(instalmentId),
    refetchInterval: ({ state }) =>
      watching && (state.data ? mayChange(state.data) : kept !== undefined) ? LOOK_EVERY_MS : false,
    refetchOnWindowFocus: 'always',
  });
  const instalment = looking.data;
  const isTheirs = instalment === undefined || instalment.purchaseId === purchaseId;
  const asking = useQuery({
    ...referenceQuery(instalment ?? { paymentReference: '', balance: zero }),
    enabled: instalment?.state === 'payable' && isTheirs,
  });
  const { data: fresh, refetch: askAgain } = asking;

  // Its last day has ended, or another tab has put another one in its place.
  const isReplaced =
    fresh !== undefined &&
    instalment?.referenceUntil !== undefined &&
    looking.dataUpdatedAt > asking.dataUpdatedAt &&
    instalment.referenceUntil !== Date.parse(fresh.expiresAt);
  useEffect(() => {
    if (isReplaced) void askAgain();
  }, [isReplaced, askAgain]);

  function face(): Face {
    const error = looking.error ?? asking.error;
    if (!isTheirs || isRefused(error, 'NOT_FOUND')) return { face: 'missing' };
    if (instalment?.state === 'cancelled' || isRefused(asking.error, 'REFERENCE_CANCELLED'))
      return { face: 'cancelled' };
    if (instalment?.state === 'paid' || isRefused(asking.error, 'REFERENCE_PAID')) return { face: 'paid' };
    if (instalment?.state === 'confirming') return { face: 'confirming' };
    if (asking.error && isRefused(asking.error, 'CASH_REFERENCE_REFUSED'))
      return { face: 'failed', error: asking.error };
    const reference = fresh ?? (asksForTheSame(kept, instalment) ? kept : undefined);
    if (reference) {
      // A query that has never succeeded forgets its error while it is asked again.
      const isOld = [looking, asking].some(
        ({ errorUpdatedAt, dataUpdatedAt }) => errorUpdatedAt > dataUpdatedAt,
      );
      return { face: 'waiting', reference, isOld };
    }
    return error ? { face: 'failed', error } : { face: 'loading' };
  }

  const shown = face();
  const isOver = shown.face === 'missing' || shown.face === 'cancelled' || shown.face === 'paid';
  useEffect(() => {
    if (isOver) shownCashReference.dropOf(instalmentId);
    else if (fresh) {
      shownCashReference.keep(buyerId, instalmentId, fresh);
      void stayReadable();
    }
  }, [isOver, fresh, buyerId, instalmentId]);

  return {
    ...shown,
    instalment,
    watches: watching,
    isLooking: looking.isFetching || asking.isFetching,
    look: () => {
      again();
      void looking.refetch();
      if (asking.error) void askAgain();
    },
  };
}

/** Whether a kept reference is for what the server says is left, as far as it has said. */
function asksForTheSame(kept: CashReference | undefined, instalment: Instalment | undefined): boolean {
  return kept !== undefined && (!instalment || instalment.balance === readReference(kept).balance);
}

function Loading() {
  return (
    <Ticket
      label={copy.ticket}
      thing={
        <Skeleton label={copy.loading}>
          <Bone width="third" />
          <Bone of="sum" width="most" />
          <Bone width="full" />
          <Bone width="full" />
        </Skeleton>
      }
      act={
        <div aria-hidden="true" className={text.stack}>
          <Bone of="control" />
          <Bone of="control" />
          <Bone of="title" width="most" />
        </div>
      }
    />
  );
}
