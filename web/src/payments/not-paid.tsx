import { formatMoney } from '@aparta/domain/money';
import type { AlertText } from '@aparta/ui/alert.tsx';
import { Button } from '@aparta/ui/button.tsx';
import refused from '@aparta/ui/drawings/refused.svg?raw';
import waiting from '@aparta/ui/drawings/waiting.svg?raw';
import { alerts } from '../copy/alerts.ts';
import type { CardAttempt } from '../data/card-attempt.ts';
import { paymentsCopy as copy } from './copy.ts';
import { OutcomePage, ToPurchase, type Facts } from './outcome.tsx';
import type { Payable } from './payable.ts';

/** Money that was charged and is refunded in full (rules/card-attempts#outcomes-on-screen). */
export function Returned({
  payable,
  attempt,
  onRetry,
}: {
  payable: Payable;
  attempt: CardAttempt;
  onRetry: () => void;
}) {
  const amount = attempt.refund?.amount ?? attempt.charged;
  const isBack = attempt.refund?.done ?? false;
  const words = copy.returned;
  return (
    <OutcomePage
      merchantId={payable.merchantId}
      purchases
      alert={alerts.notApplied}
      drawing={waiting}
      facts={[
        {
          icon: 'card',
          title: isBack ? words.doneTitle(formatMoney(amount)) : words.owedTitle(formatMoney(amount)),
          text: isBack ? words.doneText : words.owedText,
        },
        whyReturned(payable, attempt),
      ]}
    >
      {payable.state === 'open' && !attempt.isSoldOut ? (
        <Retry onRetry={onRetry} />
      ) : (
        <ToPurchase purchaseId={payable.purchaseId} />
      )}
    </OutcomePage>
  );
}

function whyReturned(payable: Payable, attempt: CardAttempt): Facts[number] {
  const words = copy.returned;
  if (attempt.isSoldOut) return { icon: 'info', title: words.soldOutTitle, text: words.soldOut };
  return { icon: 'info', title: words.whyTitle, text: whyNotApplied(payable, attempt) };
}

/** What goes back was approved before. */
function whyNotApplied(payable: Payable, { refund, shares }: CardAttempt): string {
  const words = copy.returned;
  if (refund?.otherSum) return words.whyOtherSum(payable.state === 'open' && !shares);
  // Of several purchases this screen's may be closed and another still to pay, or the other way round.
  if (refund && shares) return words.whySeveral;
  if (payable.state !== 'open') return words.why;
  return refund ? words.whyApproved : words.whyOpen;
}

type NotDoneKind = 'rejected' | 'notCharged' | 'abandoned' | 'resuming' | 'lapsed';

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
  kind: NotDoneKind;
  payable: Payable;
  attempt: CardAttempt;
  after3ds: boolean;
  onRetry: () => void;
  /** Reopens the bank's window of an abandoned one. */
  onResume: () => void;
}) {
  const mayResume = kind !== 'rejected' && kind !== 'notCharged' && attempt.paymentId !== '';
  const happened = whatHappened(kind, attempt, mayResume);
  const { inStore } = payable.screens;
  const alert = after3ds
    ? { ...alerts.rejectedAfter3ds, text: happened.text }
    : { ...happened.alert, text: happened.text };
  return (
    <OutcomePage
      merchantId={payable.merchantId}
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
      {mayResume && <Resume kind={kind} onResume={onResume} />}
      <Retry onRetry={onRetry} />
    </OutcomePage>
  );
}

/** Back to the bank's window, as long as the bank still waits. */
function Resume({ kind, onResume }: { kind: NotDoneKind; onResume: () => void }) {
  if (kind === 'lapsed') return <p role="status">{copy.abandoned.over}</p>;
  return (
    <Button wide busy={kind === 'resuming' ? copy.pending.checking : undefined} onClick={onResume}>
      {copy.authenticate.go}
    </Button>
  );
}

function whatHappened(
  kind: NotDoneKind,
  attempt: CardAttempt,
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
    case 'resuming':
    case 'lapsed':
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

/** Back to the form; paying again makes a new attempt. */
function Retry({ onRetry }: { onRetry: () => void }) {
  return (
    <Button variant="primary" wide onClick={onRetry}>
      {copy.notDone.retry}
    </Button>
  );
}
