import type { DateOnly } from '@aparta/domain/calendar';
import { Amount } from '@aparta/ui/amount.tsx';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Chip } from '@aparta/ui/chip.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useSearchParams } from 'wouter';
import { groupDigits } from '@aparta/domain/payment-reference';
import { paths } from '../app/paths.ts';
import { isNetworkFailure } from '@aparta/browser/network-failure.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { lazyPage } from '@aparta/browser/lazy-page.tsx';
import { whenIdle } from '@aparta/browser/when-idle.ts';
import { instalmentQuery, type Instalment, type InstalmentToPay } from '../data/instalments.ts';
import { dueWords, numberOf, purchasesCopy } from './copy.ts';
import { nextCopy as copy } from './next-copy.ts';
import { Deduction } from './deduction.tsx';
import { isLate } from './plan.ts';

/**
 * Spec §2, the next payable instalment and its button. Offered only once the server has confirmed that no payment
 * is open.
 */
export function NextTicket({
  next,
  plan,
  till,
  today,
}: {
  next: Instalment;
  /** All of its purchase. */
  plan: readonly Instalment[];
  /** By which tills take money of it. */
  till: string | undefined;
  today: DateOnly;
}) {
  const { data: toPay } = useQuery(instalmentQuery(next.id));
  const late = isLate(next);
  const exact = late ? copy.lateSince(next.dueOn) : copy.dueOn(next.dueOn);
  return (
    <Ticket
      label={copy.next}
      thing={
        <div className={text.tight}>
          <div className={text.between}>
            <h2>{copy.next}</h2>
            <NextChip next={next} progress={toPay?.progress} today={today} />
          </div>
          <Amount of={next.balance} size="hero" />
          <p className={`${text.muted} ${text.small}`}>
            {numberOf(next.number, next.of)}
            {/* The date itself, if the chip is relative ('Vence mañana'). */}
            {exact !== dueWords(next.dueOn, today, late) && ` · ${exact}`}
          </p>
        </div>
      }
      act={
        <>
          {next.paid > 0 && (
            <LineItems
              rows={[
                { label: copy.amount, amount: next.amount },
                { label: copy.paid, text: <Deduction amount={next.paid} /> },
                { label: copy.balance, amount: next.balance, strong: true },
              ]}
            />
          )}
          <PayAct instalmentId={next.id} plan={plan} till={till} today={today} />
        </>
      }
    />
  );
}

/** How the next instalment stands: late and under way are two facts, and both show. */
export function NextChip({
  next,
  progress,
  today,
}: {
  next: Instalment;
  progress: InstalmentToPay['progress'] | undefined;
  today: DateOnly;
}) {
  const isUnderWay = progress === 'confirming' || progress === 'atStore';
  const late = isLate(next);
  return (
    <>
      {(late || !isUnderWay) && (
        <Chip state={late ? 'late' : 'due'} text={dueWords(next.dueOn, today, late)} />
      )}
      {isUnderWay && <Chip state={progress} />}
    </>
  );
}

/** Of the address that an email leads to (server/src/platform/email/links.ts). */
const PAY = 'pagar';
const withoutPay = (search: URLSearchParams) => {
  search.delete(PAY);
  return search;
};

const PaySheet = lazyPage(() => import('./pay-sheet.tsx'));
const LateTogether = lazyPage(() => import('./late-together.tsx'));

/** Pay an instalment, or see the payment that is in progress. Without internet, what a till takes money by: `till`. */
export function PayAct({
  instalmentId,
  plan,
  till,
  today,
}: {
  instalmentId: number;
  plan: readonly Instalment[];
  till: string | undefined;
  today: DateOnly;
}) {
  const query = useQuery(instalmentQuery(instalmentId));
  const { data: toPay } = query;
  // An email's link asks at once.
  const [search, setSearch] = useSearchParams();
  const [paying, setPaying] = useState(() => search.has(PAY));
  /** Who turns back to this address is not asked again. */
  const forgetLink = () => {
    if (search.has(PAY)) setSearch(withoutPay, { replace: true });
  };
  const close = () => {
    setPaying(false);
    forgetLink();
  };
  const leave = () => {
    forgetLink();
    // At once: browsers keep the document as it is then, and make the card form ready again for who turns back to its link.
    window.addEventListener('pagehide', () => flushSync(() => setPaying(false)), { once: true });
  };
  useEffect(() => whenIdle(PaySheet.preload), []);
  if (!toPay) {
    if (query.error) {
      const atTill = isNetworkFailure(query.error) ? till : undefined;
      return (
        <>
          {atTill !== undefined && <AtTill reference={atTill} variant="primary" />}
          <Failed
            title={atTill === undefined ? copy.actFailed : copy.cardNeedsInternet}
            text={sentenceFor(query.error)}
            busy={query.isFetching ? purchasesCopy.retrying : undefined}
            onRetry={() => void query.refetch()}
          />
        </>
      );
    }
    return (
      <Skeleton label={copy.loadingAct}>
        <SkeletonBlock shape="control" />
      </Skeleton>
    );
  }
  if (toPay.progress === 'confirming') {
    const said = toPay.attempt?.state === 'pending_3ds' ? copy.threeDs : copy.confirming;
    return (
      <>
        <Notice tone="pending" title={said.title}>
          {said.text}
        </Notice>
        <ButtonLink wide reload to={paths.payInstalment(toPay.purchaseId, toPay.id)}>
          {said.go}
        </ButtonLink>
      </>
    );
  }
  const atStore = toPay.progress === 'atStore';
  return (
    <>
      {toPay.acceptsCards && toPay.card.fee > 0 && (
        <p className={`${text.muted} ${text.small}`}>{copy.withCard(toPay.card.total, toPay.card.fee)}</p>
      )}
      <div className={text.pair}>
        {atStore && (
          <ButtonLink variant="primary" to={paths.payInStore(toPay.purchaseId, toPay.id)}>
            {copy.atStore.go}
          </ButtonLink>
        )}
        <Button
          variant={atStore ? 'secondary' : 'primary'}
          aria-haspopup="dialog"
          onClick={() => setPaying(true)}
        >
          {copy.pay}
        </Button>
      </div>
      {toPay.till && <AtTill reference={toPay.till.reference} variant="quiet" />}
      {toPay.state === 'late' && toPay.acceptsCards && (
        <Suspense>
          <LateTogether toPay={toPay} />
        </Suspense>
      )}
      {paying && (
        <Suspense>
          <PaySheet toPay={toPay} plan={plan} today={today} onClose={close} onLeave={leave} />
        </Suspense>
      )}
    </>
  );
}

/** Leads to its bar code. */
function AtTill({ reference, variant }: { reference: string; variant: 'primary' | 'quiet' }) {
  return (
    <ButtonLink variant={variant} small={variant === 'quiet'} wide to={paths.barcode(reference)}>
      {copy.atTill(groupDigits(reference))}
    </ButtonLink>
  );
}
