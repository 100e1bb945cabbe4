import { formatMoney } from '@aparta/domain/money';
import { useAlert } from '@aparta/ui/alert.tsx';
import { useEffect, useEffectEvent, useReducer, type Dispatch } from 'react';
import { isRefused } from '@aparta/browser/api-error.ts';
import { paths } from '../app/paths.ts';
import { alerts, offlineAlert } from '../copy/alerts.ts';
import { alertFor } from '@aparta/browser/copy.ts';
import type { CardAttempt } from '../data/card-attempt.ts';
import { checkPayment, sendPayment, type Outcome, type PaymentOrder } from '../data/payments.ts';
import type { BuyerProfile } from '../data/profile.ts';
import { attempt as sentAttempts, type SentAttempt } from '../session/attempt.ts';
import { useUser } from '../session/session.ts';
import { AfterForm } from './after-form-later.ts';
import { cardReducer, initialState, type CardState, type DueEffect, type Input } from './card-reducer.ts';
import { askForToken, type CardElement, type CardToken, type TokenAnswer } from './clip-sdk.ts';
import { formCopy } from './form-copy.ts';
import type { PayableSource } from './queries.ts';
import type { Payable } from './payable.ts';
import type { Step } from './payment-view-state.ts';

const copy = formCopy.form;

const TOKEN_TIMEOUT_MS = 30_000;

/**
 * The life of a card payment on this screen. `source` is the payable as the server has it; what it says, and what the
 * provider and the buyer do, goes through `TABLE`, and the effects that come of it are run here.
 */
export function useCardPayment(source: PayableSource, step: Step): [CardState, Dispatch<Input>] {
  const { payable, error } = source;
  const buyer = useUser();
  const showAlert = useAlert();
  const [state, dispatch] = useReducer(
    cardReducer<Payable, PaymentOrder>,
    step,
    initialState<Payable, PaymentOrder>,
  );

  useEffect(() => {
    if (payable) dispatch(read(payable));
    else if (isRefused(error, 'NOT_FOUND', 'INVALID_INPUT')) dispatch({ type: 'missing' });
    else dispatch(error ? { type: 'unreadable', error } : { type: 'reset' });
  }, [payable, error]);

  const run = useEffectEvent(({ effect, input }: DueEffect): void | Promise<void> => {
    const known = state.payable;
    switch (effect) {
      case 'refresh':
        return source.refresh().then((newest) => newest && dispatch(read(newest)));
      case 'put':
        return input.type === 'serverState' && 'attempt' in input ? source.put(input.attempt) : undefined;
      case 'forget':
        if (known?.attempt?.state === 'applied') sentAttempts.keepPaid(known.attempt.intentId);
        return sentAttempts.forget();
      case 'sayNoToken':
        return showAlert(offlineAlert() ?? { ...alerts.noCardToken, footer: copy.noToken });
      case 'leaveWithoutCards':
        sentAttempts.clear();
        return showAlert(alerts.noCards).then(() => location.assign(paths.home));
      case 'askForToken':
        if (!navigator.onLine) return dispatch({ type: 'noToken' });
        return state.card && tokenOf(state.card).then((answer) => dispatch(tokenInput(answer)));
      case 'begin': {
        if (!known || !buyer || input.type !== 'token') return;
        const sent = sentAttempts.begin(known.reference, Date.now());
        return dispatch({
          type: 'begun',
          sent: { ...sent, order: orderOf(known, buyer, input.token, sent) },
        });
      }
      case 'post': {
        const order = state.sent?.order;
        return order && sendPayment(order).then((outcome) => dispatch(outcomeInput(outcome, order)));
      }
      case 'verify':
      case 'resume':
        return known?.attempt
          ? checkPayment(known.attempt.paymentId, known.merchantId).then(
              (attempt) => dispatch(answered(attempt, effect === 'resume' && effect)),
              () => dispatch({ type: 'unanswered' }),
            )
          : undefined;
      case 'dismiss':
        if (!known?.attempt) return;
        sentAttempts.dismiss(known.attempt.intentId);
        return dispatch(read(known));
      case 'open3ds':
        return known && location.assign(known.screens.threeDs);
      case 'openForm':
        return known && location.replace(known.screens.pay);
    }
  });
  const { due } = state;
  useEffect(() => {
    if (due.length === 0) return;
    dispatch({ type: 'taken', count: due.length });
    for (const each of due) void run(each);
  }, [due]);

  return [state, dispatch];
}

function read(payable: Payable): Input {
  const { attempt, reference } = payable;
  return {
    type: 'serverState',
    payable,
    isDismissed: attempt !== undefined && sentAttempts.isDismissed(attempt.intentId),
    kept: sentAttempts.sent(reference),
    now: Date.now(),
  };
}

/** What the server says of an attempt, to the buyer or to a poll. */
export function answered(attempt: CardAttempt, answersBuyer: 'payment' | 'resume' | false): Input {
  return {
    type: 'serverState',
    attempt,
    answersBuyer,
    isDismissed: sentAttempts.isDismissed(attempt.intentId),
  };
}

/** The server does not know an attempt, `afterMs` after the first poll for it. */
export function notThere(afterMs: number): Input {
  const notice = { title: copy.neverArrived, text: copy.neverArrivedHow };
  return { type: 'notThere', afterMs, now: Date.now(), notice };
}

/** Nothing is paid before the screens are here that say what became of it. */
async function tokenOf(card: CardElement): Promise<TokenAnswer> {
  try {
    await AfterForm.load();
  } catch {
    return { kind: 'none' };
  }
  return askForToken(card, TOKEN_TIMEOUT_MS);
}

function tokenInput(answer: TokenAnswer): Input {
  switch (answer.kind) {
    case 'token':
      return { type: 'token', token: answer.token };
    case 'fieldsWrong':
      return { type: 'fieldsWrong', notice: { title: copy.fieldsWrong } };
    case 'none':
      return { type: 'noToken' };
  }
}

function outcomeInput(outcome: Outcome, order: PaymentOrder): Input {
  switch (outcome.kind) {
    case 'answered':
      return answered(outcome.attempt, 'payment');
    case 'lost':
      return { type: 'lost' };
    case 'noCards':
      return { type: 'cardsRefused' };
    case 'refused':
    case 'overtaken': {
      if (outcome.kind === 'overtaken' && outcome.newAmount !== undefined) {
        const title =
          outcome.newAmount === order.total
            ? copy.planChanged
            : copy.amountChanged(formatMoney(order.total), formatMoney(outcome.newAmount));
        return { type: 'overtaken', notice: { title, text: copy.amountChangedHow } };
      }
      const { title, text } = alertFor(outcome.error);
      return { type: outcome.kind, notice: { title, ...(text !== undefined && { text }) } };
    }
  }
}

function orderOf(payable: Payable, buyer: BuyerProfile, token: CardToken, sent: SentAttempt): PaymentOrder {
  return {
    intentId: sent.intentoId,
    reference: payable.reference,
    merchantId: payable.merchantId,
    total: payable.total,
    fills: payable.fills,
    shares: payable.shares,
    description: `${payable.part}: ${payable.productName}`,
    token,
    buyer,
  };
}
