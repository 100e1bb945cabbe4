import { Button } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import { Steps } from '@aparta/ui/steps.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { TwoColumn } from '@aparta/ui/two-column.tsx';
import { usePolling } from '@aparta/ui/use-polling.ts';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { lazyPage } from '@aparta/browser/lazy-page.tsx';
import { whenIdle } from '@aparta/browser/when-idle.ts';
import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { layawayReferenceQuery } from '../data/layaway.ts';
import { companyLogoQuery } from '../data/logos.ts';
import { merchantQuery } from '../data/merchants.ts';
import { LIVE_POLL_MS, useChanges } from '../data/use-changes.ts';
import { layawayCopy } from './copy.ts';
import { paymentCopy } from './payment-copy.ts';
import { Waiting } from './waiting.tsx';
import type { Figures } from './wizard-address.ts';

const copy = paymentCopy.payment;

// They come while the buyer is about to pay.
const Confirming = lazyPage(() =>
  import('./confirming.tsx').then((module) => ({ default: module.Confirming })),
);
const Paid = lazyPage(() => import('./paid.tsx').then((module) => ({ default: module.Paid })));
const Over = lazyPage(() => import('./over.tsx').then((module) => ({ default: module.Over })));
const preloadEnds = () => [Confirming, Paid, Over].forEach((end) => end.preload());

/** Where nobody tells the screen of a payment, it polls this often and this long, only while visible. */
const POLL_EVERY_MS = 5_000;
const POLL_FOR_MS = 10 * 60_000;

/**
 * Spec §2, step 3: one reference in its current state. `shown` is what step 2 showed, if the buyer came from
 * there.
 */
export default function PaymentStep({
  id,
  shown,
  onStartOver,
  onCardNear,
}: {
  id: number;
  shown: Figures | undefined;
  onStartOver: () => void;
  onCardNear: (() => void) | undefined;
}) {
  const { isPolling, restart } = usePolling(POLL_FOR_MS);
  const [waits, setWaits] = useState(false);
  const isLive = useChanges(waits);
  const query = useQuery({
    ...layawayReferenceQuery(id),
    refetchInterval: waits && (isLive ? LIVE_POLL_MS : isPolling && POLL_EVERY_MS),
    refetchOnWindowFocus: 'always',
  });
  const { data: reference, error } = query;
  const isConfirming = reference?.attempt?.isOpen === true && reference.state !== 'paid';
  const isWaiting = reference?.state === 'waiting' || isConfirming;
  if (waits !== isWaiting) setWaits(isWaiting);
  useEffect(() => whenIdle(preloadEnds), []);
  const { data: merchant } = useQuery({ ...merchantQuery(reference?.merchantId ?? 0), enabled: !!reference });
  const { data: logo } = useQuery({ ...companyLogoQuery(merchant?.companyId ?? 0), enabled: !!merchant });

  if (!reference) {
    return (
      <Flow>
        <Steps names={layawayCopy.steps} current={3} />
        <PageHead title={isRefused(error, 'NOT_FOUND') ? copy.missing.title : copy.title} />
        {isRefused(error, 'NOT_FOUND') ? (
          <Missing onStartOver={onStartOver} />
        ) : error ? (
          <Failed
            title={copy.failed}
            text={sentenceFor(error)}
            busy={query.isFetching ? copy.retrying : undefined}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <Loading />
        )}
      </Flow>
    );
  }
  const common = { reference, logo: logo ?? undefined };
  // An open attempt comes first, since it may have begun in time.
  const shows = isConfirming ? 'confirming' : reference.state;
  return (
    // Each is a screen of its own, and may be wider than the one before.
    <Flow key={shows}>
      <Suspense fallback={<Loading />}>
        {shows === 'confirming' ? (
          <Confirming {...common} />
        ) : shows === 'waiting' ? (
          <Waiting
            {...common}
            shown={shown}
            onStartOver={onStartOver}
            onCardNear={onCardNear}
            manualCheck={
              isPolling || isLive
                ? undefined
                : {
                    busy: query.isFetching,
                    check: () => {
                      restart();
                      void query.refetch();
                    },
                  }
            }
          />
        ) : shows === 'paid' ? (
          <Paid {...common} />
        ) : (
          <Over {...common} how={shows} onStartOver={onStartOver} />
        )}
      </Suspense>
    </Flow>
  );
}

function Missing({ onStartOver }: { onStartOver: () => void }) {
  return (
    <>
      <Notice tone="pending" title={copy.missing.text} />
      <StickyFooter>
        <Button variant="primary" wide onClick={onStartOver}>
          {copy.missing.again}
        </Button>
      </StickyFooter>
    </>
  );
}

/** As wide as what nearly always follows. */
function Loading() {
  return (
    <TwoColumn side={<div />}>
      <Ticket
        label={copy.ticket}
        thing={
          <Skeleton label={copy.loading}>
            <SkeletonBlock shape="tile" />
            <SkeletonBlock width="most" />
            <SkeletonBlock width="half" />
          </Skeleton>
        }
        act={
          <div aria-hidden="true" className={text.stack}>
            <SkeletonBlock shape="control" />
            <SkeletonBlock shape="control" />
            <SkeletonBlock shape="title" width="most" />
          </div>
        }
      />
    </TwoColumn>
  );
}
