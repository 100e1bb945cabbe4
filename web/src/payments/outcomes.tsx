import { centavosFromPesos } from '@aparta/contract/amount';
import type { CardPayment as Attempt } from '@aparta/contract/payments';
import { formatDate, formatMoment, mexicoCityDate, type DateOnly } from '@aparta/domain/calendar';
import { formatMoney } from '@aparta/domain/money';
import type { AlertText } from '@aparta/ui/alert.tsx';
import { Amount } from '@aparta/ui/amount.tsx';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { inGroups } from '@aparta/ui/code.tsx';
import refused from '@aparta/ui/drawings/refused.svg?raw';
import waiting from '@aparta/ui/drawings/waiting.svg?raw';
import { FactList } from '@aparta/ui/fact-list.tsx';
import { HeroDrawing } from '@aparta/ui/hero-drawing.tsx';
import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import { Option } from '@aparta/ui/option.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { PaidBadge } from '@aparta/ui/paid-badge.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import { Progress, type SegmentState } from '@aparta/ui/progress.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { TwoColumn } from '@aparta/ui/two-column.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { type ComponentProps, useState } from 'react';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { alerts } from '../copy/alerts.ts';
import { paymentsCopy as copy } from './copy.ts';
import type { Payable } from './payable.ts';
import { amountCharged, principalCharged } from './queries.ts';
import styles from './payments.module.css';

/** The payment succeeded: amount, date, folio, what is left and the next payment (rules/card-attempts#outcomes-on-screen). */
export function Done({
  payable,
  attempt,
  after3ds,
}: {
  payable: Payable;
  attempt: Attempt;
  after3ds: boolean;
}) {
  const alert: AlertText = after3ds ? alerts.paidAfter3ds : alerts.paid;
  useArrival(alert.title, config.productName);
  const paidAt = new Date(attempt.paidAt ?? attempt.createdAt);
  const paidOn = mexicoCityDate(paidAt);
  const { afterwards, part, item, fee } = payable;
  return (
    <Flow>
      <PageHead title={alert.title}>{alert.text}</PageHead>
      <TwoColumn
        side={
          <>
            {attempt.folio !== null && (
              <ButtonLink icon="payments" to={paths.receipt(attempt.folio)} reload wide>
                {copy.done.toReceipt}
              </ButtonLink>
            )}
            <StickyFooter>
              <ToPurchase purchaseId={payable.purchaseId ?? attempt.ventaId} />
            </StickyFooter>
          </>
        }
      >
        <Ticket
          label={copy.done.receipt}
          kind="receipt"
          thing={
            <>
              <div className={text.withBadge}>
                <div>
                  <p className={text.muted}>{copy.done.paid}</p>
                  <Amount of={amountCharged(attempt)} size="hero" />
                </div>
                <PaidBadge date={formatDate(paidOn)} />
              </div>
              <ProductHeader
                title={payable.productName}
                sub={`${payable.tradeName}\u00a0· ${part}`}
                merchant={payable.tradeName}
              />
            </>
          }
          act={
            <>
              <LineItems
                rows={[
                  { label: copy.done.date, text: copy.moment(formatMoment(paidAt)) },
                  ...(attempt.folio === null
                    ? []
                    : [{ label: copy.done.folio, text: inGroups(attempt.folio) }]),
                  ...(attempt.card === null
                    ? []
                    : [{ label: copy.done.card, text: copy.card(attempt.card) }]),
                  { label: item, amount: principalCharged(payable, attempt) },
                  ...(fee > 0 ? [{ label: copy.fee, amount: fee }] : []),
                ]}
              />
              {afterwards && (
                <>
                  <Progress segments={segmentsOf(afterwards)} />
                  <LineItems rows={whatIsLeft(afterwards, paidOn)} />
                  {afterwards.left === 0 && <p>{copy.done.settled}</p>}
                </>
              )}
            </>
          }
        />
      </TwoColumn>
    </Flow>
  );
}

type Afterwards = NonNullable<Payable['afterwards']>;

function segmentsOf({ count, paidCount }: Afterwards): SegmentState[] {
  return Array.from({ length: count }, (_, index) => {
    if (index < paidCount) return 'paid';
    return index === paidCount ? 'next' : 'upcoming';
  });
}

function whatIsLeft({ left, nextDueOn }: Afterwards, paidOn: DateOnly): LineItem[] {
  const next = nextDueOn(paidOn);
  return [
    { label: copy.done.left, amount: left, strong: true },
    ...(next === undefined ? [] : [{ label: copy.done.next, text: <b>{formatDate(next)}</b> }]),
  ];
}

/** Money that was charged and is refunded in full (rules/card-attempts#outcomes-on-screen). */
export function Returned({
  payable,
  attempt,
  onRetry,
}: {
  payable: Payable;
  attempt: Attempt;
  onRetry: () => void;
}) {
  const amount = attempt.refund ? centavosFromPesos(attempt.refund.amount) : amountCharged(attempt);
  const isBack = attempt.refund?.done ?? false;
  const words = copy.returned;
  return (
    <PlainOutcome
      alert={alerts.notApplied}
      drawing={waiting}
      facts={[
        {
          icon: 'card',
          title: isBack ? words.doneTitle(formatMoney(amount)) : words.owedTitle(formatMoney(amount)),
          text: isBack ? words.doneText : words.owedText,
        },
        { icon: 'info', title: words.whyTitle, text: payable.state === 'open' ? words.whyOpen : words.why },
      ]}
    >
      {payable.state === 'open' ? (
        <Retry onRetry={onRetry} />
      ) : (
        <ToPurchase purchaseId={payable.purchaseId} />
      )}
    </PlainOutcome>
  );
}

/**
 * Nothing was paid: what happened, whether money left the account (only if that was verified), and what to do
 * now.
 */
export function NotDone({
  kind,
  payable,
  attempt,
  after3ds,
  onRetry,
  onResume,
}: {
  kind: 'rejected' | 'notCharged' | 'abandoned';
  payable: Payable;
  attempt: Attempt;
  after3ds: boolean;
  onRetry: () => void;
  /** Reopens the bank's window, as long as the bank still waits. */
  onResume?: Resuming | undefined;
}) {
  const happened = whatHappened(kind, attempt, onResume !== undefined);
  const { inStore } = payable.screens;
  const alert = after3ds
    ? { ...alerts.rejectedAfter3ds, text: happened.text }
    : { ...happened.alert, text: happened.text };
  return (
    <PlainOutcome
      alert={alert}
      drawing={refused}
      facts={[
        ...happened.facts,
        {
          icon: 'calendar',
          title: copy.notDone.stillOpen,
          text: copy.notDone.stillOpenText(`${payable.productName}\u00a0· ${payable.part}`, payable.deadline),
        },
      ]}
      total={{ label: copy.total, amount: payable.total }}
      {...(inStore !== undefined && { inStore })}
    >
      {onResume && <Resume onResume={onResume} />}
      <Retry onRetry={onRetry} />
    </PlainOutcome>
  );
}

/** Result of reopening the bank's window: on the way there, expired, or no answer. */
export type Resuming = () => Promise<'leaving' | 'over' | 'unanswered'>;

function Resume({ onResume }: { onResume: Resuming }) {
  const [step, setStep] = useState<'offered' | 'asking' | 'over'>('offered');
  if (step === 'over') return <p role="status">{copy.abandoned.over}</p>;
  return (
    <Button
      wide
      busy={step === 'asking' ? copy.pending.checking : undefined}
      onClick={async () => {
        setStep('asking');
        const found = await onResume();
        if (found !== 'leaving') setStep(found === 'over' ? 'over' : 'offered');
      }}
    >
      {copy.authenticate.go}
    </Button>
  );
}

type Facts = ComponentProps<typeof FactList>['facts'];

function whatHappened(
  kind: 'rejected' | 'notCharged' | 'abandoned',
  attempt: Attempt,
  mayResume: boolean,
): { alert: AlertText; text: string; facts: Facts } {
  const noMoney = {
    icon: 'check',
    title: copy.notDone.noMoney,
    text: copy.notDone.noMoneyText(attempt.card && copy.card(attempt.card)),
  } as const;
  switch (kind) {
    case 'rejected': {
      const advice = attempt.advice ?? 'retry';
      const { title, text: how } = copy.advice[advice];
      return {
        alert: alerts.rejected,
        text: advice === 'retry' ? alerts.rejected.text : how,
        facts: [{ icon: 'warning', title, text: advice === 'retry' ? how : undefined }, noMoney],
      };
    }
    case 'notCharged':
      return {
        alert: alerts.notApproved,
        text: copy.notCharged.text,
        facts: [{ icon: 'warning', title: copy.notCharged.factTitle, text: copy.notCharged.fact }, noMoney],
      };
    case 'abandoned':
      // We do not know yet that the bank will not charge it, so say nothing about the account.
      return {
        alert: alerts.notApproved,
        text: copy.abandoned.text,
        facts: [
          {
            icon: 'clock',
            title: copy.abandoned.factTitle,
            text: mayResume ? copy.abandoned.factOpen : copy.abandoned.fact,
          },
          { icon: 'info', title: copy.abandoned.lateTitle, text: copy.abandoned.late },
        ],
      };
  }
}

/** Cannot be paid here any more, and there is no attempt to report on. */
export function Closed({
  kind,
  payable,
}: {
  kind: 'paidElsewhere' | 'expired' | 'cancelled' | 'notYet';
  payable: Payable;
}) {
  if (kind === 'paidElsewhere') {
    const { title, text: line, factTitle } = copy.paidElsewhere;
    return (
      <PlainOutcome
        alert={{ title, text: line }}
        facts={[{ icon: 'check', title: factTitle, text: `${payable.productName}\u00a0· ${payable.part}` }]}
      >
        <ToPurchase purchaseId={payable.purchaseId} />
      </PlainOutcome>
    );
  }
  if (kind === 'notYet' || payable.kind === 'instalment') {
    const { title, text: line, factTitle, fact } = kind === 'notYet' ? copy.notYet : copy.purchaseCancelled;
    return (
      <PlainOutcome
        alert={{ title, text: line }}
        {...(kind !== 'notYet' && { drawing: refused })}
        facts={[{ icon: 'calendar', title: factTitle, text: fact }]}
      >
        <ToPurchase purchaseId={payable.purchaseId} />
      </PlainOutcome>
    );
  }
  const { title, text: line, factTitle, fact, go } = copy[kind];
  return (
    <PlainOutcome
      alert={{ title, text: line }}
      drawing={refused}
      facts={[{ icon: 'qr', title: factTitle, text: fact }]}
    >
      <ButtonLink variant="primary" to={paths.layaway} reload wide>
        {go}
      </ButtonLink>
      <ToHome />
    </PlainOutcome>
  );
}

/** A plain card: tickets are only for money that has arrived or is on its way. */
function PlainOutcome({
  alert,
  drawing,
  facts,
  inStore,
  total,
  children,
}: {
  alert: Omit<AlertText, 'kind'>;
  drawing?: string;
  facts: Facts;
  /** Where to pay at a store instead. */
  inStore?: string;
  total?: ComponentProps<typeof StickyFooter>['total'];
  children: ComponentProps<typeof StickyFooter>['children'];
}) {
  useArrival(alert.title, config.productName);
  return (
    <Flow>
      {drawing && <HeroDrawing drawing={drawing} />}
      <PageHead title={alert.title}>{alert.text}</PageHead>
      <div className={`${text.stack} ${styles.body}`}>
        <div className={text.card}>
          <FactList facts={facts} />
        </div>
        {inStore !== undefined && (
          <Option
            icon="store"
            title={copy.notDone.inStore}
            text={copy.notDone.inStoreText}
            to={inStore}
            reload
          />
        )}
      </div>
      <StickyFooter {...(total && { total })}>{children}</StickyFooter>
    </Flow>
  );
}

/** Spec §2's URLs carry ids that anybody can type: nothing is said about another buyer's. */
export function Missing() {
  useArrival(copy.missing.title, config.productName);
  return (
    <Flow>
      <PageHead title={copy.missing.title}>{copy.missing.text}</PageHead>
      <StickyFooter>
        <ButtonLink variant="primary" to={paths.purchases} reload wide>
          {copy.done.toPurchases}
        </ButtonLink>
        <ToHome />
      </StickyFooter>
    </Flow>
  );
}

/** Back to the form; paying again makes a new attempt. */
function Retry({ onRetry }: { onRetry: () => void }) {
  return (
    <>
      <Button variant="primary" wide onClick={onRetry}>
        {copy.notDone.retry}
      </Button>
      <ToHome />
    </>
  );
}

/** Full page loads: the card provider's policy must end with its document. */
function ToPurchase({ purchaseId }: { purchaseId: number | null }) {
  return (
    <>
      {purchaseId !== null && (
        <ButtonLink variant="primary" to={paths.purchase(purchaseId)} reload wide>
          {copy.done.toPurchase}
        </ButtonLink>
      )}
      <div className={text.pair}>
        <ButtonLink variant="quiet" to={paths.purchases} reload>
          {copy.done.toPurchases}
        </ButtonLink>
        <ButtonLink variant="quiet" to={paths.home} reload>
          {copy.home}
        </ButtonLink>
      </div>
    </>
  );
}

function ToHome() {
  return (
    <ButtonLink variant="quiet" to={paths.home} reload wide>
      {copy.home}
    </ButtonLink>
  );
}
