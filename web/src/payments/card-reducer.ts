import type { CardAttempt } from '../data/card-attempt.ts';
import type { PaymentOrder } from '../data/payments.ts';
import type { SentAttempt } from '../session/attempt.ts';
import { transition, type Effect, type EventName, type StateName } from './card-states.ts';
import type { CardElement, CardToken } from './clip-sdk.ts';
import type { Payable } from './payable.ts';
import { serverEvent, viewStateOf, type Step } from './payment-view-state.ts';

// Card tokens expire after 15 minutes (rules/providers#clip-card-token).
const TOKEN_LIFE_MS = 14 * 60_000;
// How long after sending an attempt this tab waits for the server to know of it.
const FRESH_MS = 2 * 60_000;
// How long the server must not know an attempt before the buyer may pay again.
const MISSING_MS = 8_000;

/** What the states need of what is paid. A helper pays something else than a buyer, by an order of another form. */
type Payables = Pick<Payable, 'attempt' | 'state' | 'acceptsCards'>;

/** An attempt sent by this tab. `order` is kept to send it once more. */
export type Unconfirmed<Order = PaymentOrder> = SentAttempt & { readonly order?: Order };

/** Why the last attempt to pay failed. */
export type FormNotice = { title: string; text?: string };

/** What the server says: a payable, or an attempt at the one that is known. */
type ServerState<P> = {
  type: 'serverState';
  /** Whether the buyer has dismissed the attempt in it. */
  isDismissed: boolean;
} & (
  | {
      payable: P;
      /** What this tab had sent when its document opened, and the time (ms since 1970). */
      kept: SentAttempt | undefined;
      now: number;
    }
  | {
      attempt: CardAttempt;
      /** What it is the reply to; false for a poll. */
      answersBuyer: 'payment' | 'resume' | false;
    }
);

type WithData<P, Order> =
  | ServerState<P>
  /** The server does not know the attempt, `afterMs` after the first poll. */
  | { type: 'notThere'; afterMs: number; now: number; notice: FormNotice }
  | { type: 'unreadable'; error: Error }
  | { type: 'frameReady'; card: CardElement }
  | { type: 'token'; token: CardToken }
  | { type: 'begun'; sent: Unconfirmed<Order> }
  | { type: 'fieldsWrong' | 'refused' | 'overtaken'; notice: FormNotice };

/** What is dispatched. The rest are events that carry nothing. */
export type Input<P = Payable, Order = PaymentOrder> =
  | WithData<P, Order>
  | {
      type:
        | 'reset'
        | 'missing'
        | 'frameGone'
        | 'noKey'
        | 'noToken'
        | 'lost'
        | 'cardsRefused'
        | 'unanswered'
        | 'bankAnswered'
        | 'tookLong'
        | 'closeWindow'
        | 'openWindow'
        | 'submit'
        | 'retry'
        | 'resume';
    };

/** An effect to run, with the input that caused it. `put` keeps an answered attempt for the next read. */
export interface DueEffect<P = Payable, Order = PaymentOrder> {
  readonly effect: Effect | 'put';
  readonly input: Input<P, Order>;
}

export interface CardState<P = Payable, Order = PaymentOrder> {
  readonly name: StateName;
  readonly step: Step;
  readonly payable: P | undefined;
  /** The last attempt that this tab sent. */
  readonly sent: Unconfirmed<Order> | undefined;
  readonly notice: FormNotice | undefined;
  /** The provider's frame, once it can be asked for a token. */
  readonly card: CardElement | undefined;
  readonly error: Error | undefined;
  /** Not run yet, oldest first. */
  readonly due: readonly DueEffect<P, Order>[];
}

export function initialState<P = Payable, Order = PaymentOrder>(step: Step): CardState<P, Order> {
  return {
    name: 'loading',
    step,
    payable: undefined,
    sent: undefined,
    notice: undefined,
    card: undefined,
    error: undefined,
    due: [],
  };
}

/** The next state by `TABLE`. Pure: whoever renders it runs `due`, and says `taken` for those it has begun. */
export function cardReducer<P extends Payables, Order>(
  state: CardState<P, Order>,
  input: Input<P, Order> | { type: 'taken'; count: number },
): CardState<P, Order> {
  if (input.type === 'taken') return { ...state, due: state.due.slice(input.count) };
  const event = eventOf(state, input);
  const next = event && transition(state.name, event);
  if (!event || !next) return state;
  const effects: (Effect | 'put')[] = [...next.effects];
  // On the way to the bank the screen stays as it is; the other document reads for itself.
  if (input.type === 'serverState' && 'attempt' in input && event !== 'goTo3ds') effects.unshift('put');
  return {
    ...state,
    ...dataOf(state, input, event),
    name: next.to,
    ...(MAY_PAY.includes(next.to) && { sent: undefined }),
    card: HAS_FRAME.includes(next.to) ? cardOf(state, input) : undefined,
    due: [...state.due, ...effects.map((effect) => ({ effect, input }))],
  };
}

/** Which event of the table an input is; undefined if it is none. */
function eventOf<P extends Payables, Order>(
  state: CardState<P, Order>,
  input: Input<P, Order>,
): EventName | undefined {
  if (input.type === 'serverState') return serverStateEvent(state, input);
  if (input.type !== 'notThere') return input.type;
  const { sent } = state;
  if (sent?.order && input.now - sent.sentAt < TOKEN_LIFE_MS) return 'resend';
  return input.afterMs >= MISSING_MS ? 'neverArrived' : undefined;
}

const AWAITS_SENT: readonly StateName[] = ['sending', 'unconfirmed', 'resending'];

function serverStateEvent<P extends Payables, Order>(
  { name, sent, step, payable: known }: CardState<P, Order>,
  said: ServerState<P>,
): EventName | undefined {
  const payable = 'payable' in said ? said.payable : known && { ...known, attempt: said.attempt };
  if (!payable) return undefined;
  const shown = payable.attempt?.intentId;
  if ('kept' in said && said.kept && shown !== said.kept.intentoId) {
    if (name === 'loading' && said.now - said.kept.sentAt < FRESH_MS) return 'resumed';
    // They were told not to pay again, so that they read what became of it, however old it is.
    if (name === 'unreadable') return 'resumed';
  }
  if (AWAITS_SENT.includes(name) && shown !== sent?.intentoId) return 'stale';
  return serverEvent(viewStateOf(payable, said.isDismissed), step, {
    threeDsUrl: payable.attempt?.threeDsUrl ?? '',
    answersBuyer: 'attempt' in said && said.answersBuyer,
  });
}

function dataOf<P extends Payables, Order>(
  state: CardState<P, Order>,
  input: Input<P, Order>,
  event: EventName,
): Partial<CardState<P, Order>> {
  switch (input.type) {
    case 'serverState':
      if ('attempt' in input)
        return { payable: state.payable && { ...state.payable, attempt: input.attempt } };
      return { payable: input.payable, ...(event === 'resumed' && { sent: input.kept }) };
    case 'begun':
      return { sent: input.sent };
    case 'lost': {
      if (state.name !== 'resending' || !state.sent) return {};
      // Sent twice is enough.
      const { order: _, ...bare } = state.sent;
      return { sent: bare };
    }
    case 'notThere':
      return event === 'neverArrived' ? { notice: input.notice } : {};
    case 'fieldsWrong':
    case 'refused':
    case 'overtaken':
      return { notice: input.notice };
    case 'unreadable':
      return { error: input.error };
    case 'reset':
      return initialState(state.step);
    case 'submit':
    case 'retry':
      return { notice: undefined };
    default:
      return {};
  }
}

// Where another payment may begin, the one before is over: it was not charged, or how it ended was read.
const MAY_PAY: readonly StateName[] = ['opening', 'form', 'noCards'];
const HAS_FRAME: readonly StateName[] = ['form', 'tokenizing', 'sending', 'overtaken', 'leaving'];

function cardOf<P, Order>(state: CardState<P, Order>, input: Input<P, Order>): CardElement | undefined {
  if (input.type === 'frameReady') return input.card;
  return input.type === 'frameGone' ? undefined : state.card;
}
