/** What the card screens tell apart. */
export const STATES = [
  // Before the first answer.
  'loading',
  'unreadable',
  'missing',
  // The card form: without a usable frame, ready, and what follows the tap.
  'opening',
  'form',
  'tokenizing',
  'sending',
  'overtaken',
  'leaving',
  // Sent by this tab, and the server does not show it yet.
  'unconfirmed',
  'resending',
  'rereading',
  // The server has it, and it is open.
  'pending',
  'authenticate',
  'challenge',
  'applying',
  'windowClosed',
  'windowBlocked',
  'held',
  // How it ended.
  'paid',
  'returned',
  'rejected',
  'notCharged',
  'abandoned',
  'resuming',
  'lapsed',
  // Nothing to pay here.
  'noCards',
  'redirecting',
  'paidElsewhere',
  'expired',
  'cancelled',
  'notYet',
] as const;
export type StateName = (typeof STATES)[number];

/**
 * What can happen. The first group is what the server says, whoever asked: a reply, a poll, a read on focus. Being
 * offline or timing out is `lost` for a payment; a poll or a read that fails is no event.
 */
export const EVENTS = [
  'form',
  'toForm',
  'noCards',
  'pending',
  'authenticate',
  'goTo3ds',
  'challenge',
  'blocked',
  'held',
  'paid',
  'returned',
  'rejected',
  'notCharged',
  'abandoned',
  'paidElsewhere',
  'expired',
  'cancelled',
  'notYet',
  // What was read is older than what this tab has sent.
  'stale',
  // An attempt that this tab had sent before its document was left.
  'resumed',

  // Reading the payable.
  'reset',
  'unreadable',
  'missing',

  // The provider's frame.
  'frameReady',
  'frameGone',
  'noKey',
  'token',
  'fieldsWrong',
  'noToken',

  // Sending.
  'begun',
  'lost',
  'refused',
  'overtaken',
  'cardsRefused',
  'resend',
  'neverArrived',
  // Asking the provider again.
  'unanswered',
  'bankGaveUp',

  // The bank's window.
  'bankAnswered',
  'tookLong',
  'closeWindow',
  'openWindow',

  // The buyer.
  'submit',
  'retry',
  'resume',
] as const;
export type EventName = (typeof EVENTS)[number];

/** What is done besides changing the screen; `use-card-payment.ts` runs it. */
export type Effect =
  | 'askForToken'
  /** Stores the attempt's id, before anything is sent. */
  | 'begin'
  | 'post'
  | 'forget'
  | 'refresh'
  /** Asks the provider again after the bank's window, or for an abandoned 3DS. */
  | 'verify'
  | 'resume'
  | 'dismiss'
  | 'open3ds'
  | 'openForm'
  | 'sayNoToken'
  | 'leaveWithoutCards';

/** The next state, and the effects of getting there. */
export type Cell = StateName | readonly [StateName, ...Effect[]];

type Row = { readonly [E in EventName]?: Cell };

/** The screen follows the server. What is over is forgotten by this tab. */
const read = {
  form: 'opening',
  toForm: ['redirecting', 'openForm'],
  noCards: ['noCards', 'leaveWithoutCards'],
  pending: 'pending',
  authenticate: 'authenticate',
  challenge: 'challenge',
  blocked: 'windowBlocked',
  held: 'held',
  paid: ['paid', 'forget'],
  returned: ['returned', 'forget'],
  rejected: ['rejected', 'forget'],
  notCharged: ['notCharged', 'forget'],
  abandoned: ['abandoned', 'forget'],
  paidElsewhere: ['paidElsewhere', 'forget'],
  expired: ['expired', 'forget'],
  cancelled: ['cancelled', 'forget'],
  notYet: ['notYet', 'forget'],
  reset: 'loading',
} as const satisfies Row;

/** After waiting for an attempt, the payable is read again where the buyer may pay again. A receipt needs no more. */
const waited = {
  ...read,
  returned: ['returned', 'forget', 'refresh'],
  rejected: ['rejected', 'forget', 'refresh'],
  notCharged: ['notCharged', 'forget', 'refresh'],
  abandoned: ['abandoned', 'forget', 'refresh'],
} as const satisfies Row;

/** What was pressed is what is sent: sums that are read while the card's token is awaited wait for the next read. */
const { form: _changed, ...pressed } = read;

/** Until the server shows what this tab has sent, nothing that it says offers another payment. */
const { form: _form, toForm: _toForm, noCards: _noCards, ...unshown } = waited;

/** The form stays mounted under these, so its frame may still come and go. */
const frame = (self: StateName): Row => ({ frameReady: self, frameGone: self });

/**
 * Card payment, whole: what each event does in each state. A pair that is not here changes nothing. Both documents
 * share it; `toForm`, `challenge` and `blocked` occur in the 3DS document, `form`, `authenticate` and `goTo3ds` in the
 * other. A helper's one document is both: its window opens where the form stood.
 */
export const TABLE: { readonly [S in StateName]: Row } = {
  loading: { ...read, resumed: 'unconfirmed', unreadable: 'unreadable', missing: 'missing' },
  unreadable: {
    ...read,
    resumed: 'unconfirmed',
    unreadable: 'unreadable',
    missing: 'missing',
    retry: ['unreadable', 'refresh'],
  },
  missing: { ...read },

  opening: { ...read, frameReady: 'form', noKey: ['leaving', 'leaveWithoutCards'] },
  form: {
    ...read,
    form: 'form',
    frameReady: 'form',
    frameGone: 'opening',
    noKey: ['leaving', 'leaveWithoutCards'],
    submit: ['tokenizing', 'askForToken'],
  },
  tokenizing: {
    ...pressed,
    frameGone: ['opening', 'refresh'],
    noKey: ['leaving', 'leaveWithoutCards'],
    token: ['sending', 'begin'],
    fieldsWrong: ['form', 'refresh'],
    noToken: ['form', 'sayNoToken', 'refresh'],
  },
  sending: {
    ...unshown,
    ...frame('sending'),
    begun: ['sending', 'post'],
    goTo3ds: ['leaving', 'open3ds'],
    lost: 'unconfirmed',
    refused: ['form', 'forget'],
    overtaken: ['overtaken', 'forget', 'refresh'],
    cardsRefused: ['leaving', 'leaveWithoutCards'],
  },
  overtaken: { ...read, ...frame('overtaken'), form: 'form' },
  // On the way to another document. If that fails, the next read leads on.
  leaving: { ...read, ...frame('leaving'), form: 'leaving', noCards: 'leaving' },

  unconfirmed: {
    ...unshown,
    resend: ['resending', 'post'],
    neverArrived: ['rereading', 'forget', 'refresh'],
  },
  resending: {
    ...unshown,
    goTo3ds: ['resending', 'open3ds'],
    lost: 'unconfirmed',
    refused: ['rereading', 'forget', 'refresh'],
    overtaken: ['rereading', 'forget', 'refresh'],
    cardsRefused: ['noCards', 'leaveWithoutCards'],
  },
  rereading: { ...read },

  // A payment's reply may come after a read has already found it.
  pending: { ...waited, goTo3ds: ['pending', 'open3ds'] },
  authenticate: { ...waited, goTo3ds: ['authenticate', 'open3ds'] },
  challenge: {
    ...waited,
    bankAnswered: ['applying', 'verify'],
    closeWindow: 'windowClosed',
  },
  // The bank has answered, so nothing is said to be doubtful before it takes long.
  applying: {
    ...waited,
    pending: 'applying',
    challenge: 'applying',
    unanswered: ['applying', 'refresh'],
    tookLong: ['windowClosed', 'refresh'],
  },
  windowClosed: {
    ...waited,
    challenge: 'windowClosed',
    openWindow: 'challenge',
    unanswered: ['windowClosed', 'refresh'],
  },
  windowBlocked: { ...waited, challenge: 'windowClosed' },
  held: { ...waited },

  // Paid is paid, whatever older answer comes late. Only a till's reversal asks for the money again.
  paid: { form: 'opening', toForm: ['redirecting', 'openForm'], paid: 'paid', reset: 'loading' },
  returned: { ...read, retry: ['returned', 'dismiss'] },
  rejected: { ...read, retry: ['rejected', 'dismiss'] },
  notCharged: { ...read, retry: ['notCharged', 'dismiss'] },
  abandoned: { ...read, retry: ['abandoned', 'dismiss'], resume: ['resuming', 'resume'] },
  resuming: {
    ...waited,
    abandoned: 'resuming',
    goTo3ds: ['resuming', 'open3ds'],
    bankGaveUp: ['lapsed', 'refresh'],
    unanswered: 'abandoned',
  },
  lapsed: { ...read, abandoned: 'lapsed', retry: ['lapsed', 'dismiss'] },

  noCards: { ...read, noCards: 'noCards' },
  redirecting: { reset: 'loading' },
  paidElsewhere: { ...read },
  expired: { ...read },
  cancelled: { ...read },
  notYet: { ...read },
};

/** The next state and the effects, or undefined where the event changes nothing. */
export function transition(
  from: StateName,
  event: EventName,
): { to: StateName; effects: readonly Effect[] } | undefined {
  const cell = TABLE[from][event];
  if (cell === undefined) return undefined;
  if (typeof cell === 'string') return { to: cell, effects: [] };
  const [to, ...effects] = cell;
  return { to, effects };
}
