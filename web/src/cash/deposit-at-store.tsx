import waiting from '@aparta/ui/drawings/waiting.svg?raw';
import { usePolling } from '@aparta/ui/use-polling.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Redirect } from 'wouter';
import { isRefused } from '@aparta/browser/api-error.ts';
import { paths } from '../app/paths.ts';
import { OwedBack } from '../copy/owed-back.tsx';
import { cashReferenceQuery, savedReference } from '../data/cash-references.ts';
import { isUnpaid, layawayReferenceQuery, type LayawayReference } from '../data/layaway.ts';
import { LIVE_POLL_MS, useChanges } from '../data/use-changes.ts';
import { shownCashReference } from '../session/cash-reference.ts';
import { useUser } from '../session/session.ts';
import { cashCopy } from './copy.ts';
import { Frame, NothingToPay } from './frame.tsx';
import { Loading } from './loading.tsx';
import { POLL_EVERY_MS, POLL_FOR_MS } from './poll.ts';
import { ReferenceProblem } from './reference-problem.tsx';
import { Waiting } from './waiting.tsx';

const copy = cashCopy.deposit;

/** Paying a layaway's deposit at a store, by its own number; once it is paid, the wizard shows what was reserved. */
export default function DepositAtStore({ id }: { id: number }) {
  const { view, layaway, reference, error, oldSince, isPolling, isChecking, check } = useDeposit(id);
  const back = { to: paths.layawayReference(id), act: copy.toLayaway };
  switch (view) {
    case 'paid':
      return <Redirect to={back.to} replace />;
    case 'missing':
      return <NothingToPay {...copy.missing} to={paths.purchases} act={cashCopy.toList} />;
    case 'confirming':
      // A separate document: only there may the card provider be loaded.
      return <NothingToPay {...cashCopy.confirming} drawing={waiting} to={paths.payLayaway(id)} reload />;
    case 'over':
      return <NothingToPay {...copy.over} {...back} />;
    case 'sold out':
      return <NothingToPay {...copy.soldOut} {...back} />;
  }
  if (reference)
    return (
      <Waiting
        reference={reference}
        instalment={undefined}
        {...(layaway && { merchantId: layaway.merchantId })}
        oldSince={oldSince}
        check={isPolling && !oldSince ? undefined : check}
        isChecking={isChecking}
      >
        {layaway && <OwedBack reference={layaway} />}
      </Waiting>
    );
  return (
    // While it loads, nothing comes that would move what stands.
    <Frame to={back.to} what={error ? layaway && copy.of(layaway.productName) : undefined}>
      {error ? (
        <ReferenceProblem
          error={error}
          total={layaway?.cashTotal}
          merchantId={layaway?.merchantId}
          back={back}
          busy={isChecking}
          onRetry={check}
        />
      ) : (
        <Loading />
      )}
    </Frame>
  );
}

/** The server's state, or until it answers the reference last shown on this device. */
function useDeposit(id: number) {
  const buyerId = useUser()?.id ?? 0;
  const [saved] = useState(() => savedReference(buyerId, id, new Date()));
  const { isPolling, restart } = usePolling(POLL_FOR_MS);
  const [waits, setWaits] = useState(false);
  const isLive = useChanges(waits);
  const layawayRead = useQuery({
    ...layawayReferenceQuery(id),
    refetchInterval: ({ state }) => {
      if (state.data ? !isUnpaid(state.data) : saved === undefined) return false;
      return isLive ? LIVE_POLL_MS : isPolling && POLL_EVERY_MS;
    },
    refetchOnWindowFocus: 'always',
  });
  const layaway = layawayRead.data;
  const isPayable = layaway?.state === 'waiting' && layaway.attempt?.isOpen !== true;
  if (waits !== isPayable) setWaits(isPayable);
  const referenceRead = useQuery({
    ...cashReferenceQuery({
      paymentReference: layaway?.paymentReference ?? '',
      balance: layaway?.deposit ?? (0 as LayawayReference['deposit']),
    }),
    enabled: isPayable && layawayRead.isFetchedAfterMount,
  });
  const { data: fresh, refetch: askAgain } = referenceRead;
  // A store took too little by the number: it is closed, and another one is for the whole deposit.
  const taken = isPayable ? layaway.owedBack : 0;
  useEffect(() => {
    if (taken > 0) void askAgain({ cancelRefetch: false });
  }, [taken, askAgain]);
  const view = viewOf(layaway, layawayRead.error ?? referenceRead.error);
  const isOver = view === 'paid' || view === 'missing' || view === 'over' || view === 'sold out';
  useEffect(() => {
    if (isOver) shownCashReference.clearOf(id);
    else if (fresh) shownCashReference.save(buyerId, id, fresh.answer);
  }, [isOver, fresh, buyerId, id]);
  // A query that never succeeded drops its error while it refetches.
  const isOld = [layawayRead, referenceRead].some((read) => read.errorUpdatedAt > read.dataUpdatedAt);
  return {
    view,
    layaway,
    reference: isRefused(referenceRead.error, 'CASH_REFERENCE_REFUSED') ? undefined : (fresh ?? saved),
    error: layawayRead.error ?? referenceRead.error,
    oldSince: isOld ? (fresh ? new Date(referenceRead.dataUpdatedAt) : saved?.seenAt) : undefined,
    isPolling: isPolling || isLive,
    isChecking: layawayRead.isFetching || referenceRead.isFetching,
    check: () => {
      restart();
      void layawayRead.refetch();
      if (referenceRead.error) void referenceRead.refetch();
    },
  };
}

function viewOf(layaway: LayawayReference | undefined, error: Error | null) {
  if (isRefused(error, 'NOT_FOUND')) return 'missing';
  if (layaway?.state === 'paid' || isRefused(error, 'REFERENCE_PAID')) return 'paid';
  if (layaway?.attempt?.isOpen) return 'confirming';
  if (isRefused(error, 'SOLD_OUT')) return 'sold out';
  const isOver = layaway?.state === 'expired' || layaway?.state === 'cancelled';
  if (isOver || isRefused(error, 'REFERENCE_EXPIRED') || isRefused(error, 'REFERENCE_CANCELLED'))
    return 'over';
  return 'payable';
}
