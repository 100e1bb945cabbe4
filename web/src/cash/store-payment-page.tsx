import { parseDecimal, zero, type Centavos } from '@aparta/domain/money';
import waiting from '@aparta/ui/drawings/waiting.svg?raw';
import { usePolling } from '@aparta/ui/use-polling.ts';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useParams, useSearchParams } from 'wouter';
import { isRefused } from '@aparta/browser/api-error.ts';
import { lazyPage } from '@aparta/browser/lazy-page.tsx';
import { whenIdle } from '@aparta/browser/when-idle.ts';
import { paths } from '../app/paths.ts';
import { alerts } from '../copy/alerts.ts';
import { cashReferenceQuery, savedReference, type StoreReference } from '../data/cash-references.ts';
import {
  instalmentQuery,
  mayStillBePaid,
  type AppliedPayment,
  type InstalmentToPay,
} from '../data/instalments.ts';
import { LIVE_POLL_MS, useChanges } from '../data/use-changes.ts';
import { shownCashReference } from '../session/cash-reference.ts';
import { useUser } from '../session/session.ts';
import { cashCopy as copy } from './copy.ts';
import { POLL_EVERY_MS, POLL_FOR_MS } from './poll.ts';
import { NothingToPay, Frame } from './frame.tsx';
import { Loading } from './loading.tsx';
import { ReferenceProblem } from './reference-problem.tsx';
import { Waiting } from './waiting.tsx';

const DepositAtStore = lazyPage(() => import('./deposit-at-store.tsx'));
/** It comes while the buyer is on the way to the store. */
const Paid = lazyPage(() => import('./paid.tsx'));

/** Spec §2, paying one instalment at a store; ours, a layaway's deposit. */
export default function StorePaymentPage() {
  const { id, cxcid } = useParams();
  const [search] = useSearchParams();
  const chosen = parseDecimal(search.get('monto') ?? '');
  const purchaseId = id === 'apartado' ? id : idOf(id);
  const instalmentId = idOf(cxcid);
  if (purchaseId === undefined || instalmentId === undefined)
    return <NothingToPay {...alerts.noReference} to={paths.purchases} act={copy.toList} />;
  if (purchaseId === 'apartado') {
    return (
      <Suspense fallback={<Coming to={paths.layaway} />}>
        <DepositAtStore key={instalmentId} id={instalmentId} />
      </Suspense>
    );
  }
  return (
    <StorePayment
      key={`${purchaseId} ${instalmentId}`}
      purchaseId={purchaseId}
      instalmentId={instalmentId}
      chosen={chosen}
    />
  );
}

function idOf(said: string | undefined): number | undefined {
  return said !== undefined && /^[1-9]\d{0,14}$/.test(said) ? Number(said) : undefined;
}

function StorePayment({
  purchaseId,
  instalmentId,
  chosen,
}: {
  purchaseId: number;
  instalmentId: number;
  /** Undefined: what is left of the instalment, or the sum of the reference that is alive. */
  chosen: Centavos | undefined;
}) {
  const now = useReference(purchaseId, instalmentId, chosen);
  const { instalment } = now;
  useEffect(() => whenIdle(Paid.preload), []);
  const toPurchase = { to: paths.purchase(purchaseId), act: copy.toPurchase };
  switch (now.view) {
    case 'missing':
      return <NothingToPay {...copy.missing} to={paths.purchases} act={copy.toList} />;
    case 'cancelled':
      return <NothingToPay {...copy.cancelled} {...toPurchase} />;
    case 'confirming':
      return (
        <NothingToPay
          {...copy.confirming}
          drawing={waiting}
          // A separate document: only there may the card provider be loaded.
          to={paths.payInstalment(purchaseId, instalmentId)}
          reload
        />
      );
    case 'paid':
      return (
        <Suspense fallback={<Coming to={toPurchase.to} />}>
          <Paid purchaseId={purchaseId} instalment={instalment} payment={now.payment} />
        </Suspense>
      );
    case 'waiting':
      return (
        <Waiting
          reference={now.reference}
          instalment={instalment}
          oldSince={now.oldSince}
          check={now.isPolling && !now.oldSince ? undefined : now.check}
          isChecking={now.isChecking}
        />
      );
    case 'failed':
      return (
        <Frame
          to={toPurchase.to}
          what={instalment && copy.of(instalment.product, instalment.number, instalment.of)}
        >
          <ReferenceProblem
            error={now.error}
            total={instalment?.cash.total}
            merchantId={instalment?.merchantId}
            back={toPurchase}
            busy={now.isChecking}
            onRetry={now.check}
          />
        </Frame>
      );
    case 'loading':
      return <Coming to={toPurchase.to} />;
  }
}

function Coming({ to }: { to: string }) {
  return (
    <Frame to={to} what={undefined}>
      <Loading />
    </Frame>
  );
}

type View =
  | { view: 'missing' | 'cancelled' | 'confirming' | 'loading' }
  | { view: 'paid'; payment: AppliedPayment | undefined }
  | { view: 'failed'; error: Error }
  /** `oldSince`: when it was seen, if the server cannot be reached now. */
  | { view: 'waiting'; reference: StoreReference; oldSince: Date | undefined };

/** What the screen shows: the server's state, or until it answers the reference last shown on this device. */
function useReference(purchaseId: number, instalmentId: number, chosen: Centavos | undefined) {
  const buyerId = useUser()?.id ?? 0;
  const [saved] = useState(() => savedReference(buyerId, instalmentId, new Date()));
  const { isPolling, restart } = usePolling(POLL_FOR_MS);
  const [waits, setWaits] = useState(false);
  const isLive = useChanges(waits);
  const instalmentRead = useQuery({
    ...instalmentQuery(instalmentId),
    refetchInterval: ({ state }) => {
      if (state.data ? !mayStillBePaid(state.data) : saved === undefined) return false;
      return isLive ? LIVE_POLL_MS : isPolling && POLL_EVERY_MS;
    },
    refetchOnWindowFocus: 'always',
  });
  const instalment = instalmentRead.data;
  const [before, setBefore] = useState<readonly number[]>();
  if (instalment && instalmentRead.isFetchedAfterMount && !before)
    setBefore(instalment.payments.map(({ id }) => id));
  // A sum of the buyer's own came in on this visit; what is left of the instalment is asked for by another number.
  const [isOwnSum, setOwnSum] = useState(chosen !== undefined || saved?.isChosen === true);
  const cameIn =
    isOwnSum &&
    instalment?.payments.some(({ id, method }) => method === 'cash' && before?.includes(id) === false) ===
      true;
  const isTheirs = instalment === undefined || instalment.purchaseId === purchaseId;
  const state = instalment && stateOf(instalment);
  // What this visit has shown as paid stays on the screen, which says so where it is taken back.
  const [paidBy, setPaidBy] = useState<AppliedPayment>();
  const newest = instalment?.payments.at(-1);
  const isPaid = state === 'paid' || cameIn;
  if (isPaid && paidBy?.id !== newest?.id) setPaidBy(newest);
  const isBack = !isPaid && paidBy && instalment?.payments.every(({ id }) => id !== paidBy.id) === true;
  const isWaiting = state === 'payable' || state === 'confirming';
  if (waits !== isWaiting) setWaits(isWaiting);
  const referenceRead = useQuery({
    ...cashReferenceQuery(instalment ?? { paymentReference: '', balance: zero }, chosen),
    // Only after an answer of this visit: another screen may have left an older one.
    enabled: state === 'payable' && !cameIn && !isBack && isTheirs && instalmentRead.isFetchedAfterMount,
  });
  const { data: fresh, refetch: askAgain } = referenceRead;
  if (fresh?.isChosen && !isOwnSum) setOwnSum(true);

  // It has expired, or another tab has replaced it.
  const isReplaced =
    fresh !== undefined &&
    instalment !== undefined &&
    !cameIn &&
    !isBack &&
    instalmentRead.dataUpdatedAt > referenceRead.dataUpdatedAt &&
    instalment.storeReferenceUntil?.getTime() !== fresh.expiresAt.getTime();
  useEffect(() => {
    if (isReplaced) void askAgain();
  }, [isReplaced, askAgain]);

  function viewOf(): View {
    const error = instalmentRead.error ?? referenceRead.error;
    if (!isTheirs || isRefused(error, 'NOT_FOUND')) return { view: 'missing' };
    if (state === 'cancelled' || isRefused(referenceRead.error, 'REFERENCE_CANCELLED'))
      return { view: 'cancelled' };
    if (isPaid || isBack || isRefused(referenceRead.error, 'REFERENCE_PAID'))
      return { view: 'paid', payment: isBack ? paidBy : newest };
    if (state === 'confirming') return { view: 'confirming' };
    if (referenceRead.error && isRefused(referenceRead.error, 'CASH_REFERENCE_REFUSED'))
      return { view: 'failed', error: referenceRead.error };
    const kept = asksForTheSame(saved, instalment, chosen) ? saved : undefined;
    const reference = fresh ?? kept;
    if (reference) {
      // A query that never succeeded drops its error while it refetches.
      const isOld = [instalmentRead, referenceRead].some(
        ({ errorUpdatedAt, dataUpdatedAt }) => errorUpdatedAt > dataUpdatedAt,
      );
      const seenAt = fresh ? new Date(referenceRead.dataUpdatedAt) : kept?.seenAt;
      return { view: 'waiting', reference, oldSince: isOld ? seenAt : undefined };
    }
    return error ? { view: 'failed', error } : { view: 'loading' };
  }

  const shown = viewOf();
  const isOver = shown.view === 'missing' || shown.view === 'cancelled' || shown.view === 'paid';
  useEffect(() => {
    if (isOver) shownCashReference.clearOf(instalmentId);
    else if (fresh) shownCashReference.save(buyerId, instalmentId, fresh.answer);
  }, [isOver, fresh, buyerId, instalmentId]);

  return {
    ...shown,
    instalment,
    isPolling: isPolling || isLive,
    isChecking: instalmentRead.isFetching || referenceRead.isFetching,
    check: () => {
      restart();
      void instalmentRead.refetch();
      if (referenceRead.error) void askAgain();
    },
  };
}

/** Whether a store can take it. Nothing else may be paid while a card payment is open. */
function stateOf({ isPurchaseCancelled, state, progress }: InstalmentToPay) {
  if (isPurchaseCancelled) return 'cancelled';
  if (state === 'paid') return 'paid';
  return progress === 'confirming' ? 'confirming' : 'payable';
}

/** Whether the saved reference still asks for what is wanted, as far as that is known. */
function asksForTheSame(
  saved: StoreReference | undefined,
  instalment: InstalmentToPay | undefined,
  chosen: Centavos | undefined,
): boolean {
  if (saved === undefined) return false;
  if (chosen !== undefined) return chosen === saved.balance;
  return saved.isChosen || !instalment || instalment.balance === saved.balance;
}
