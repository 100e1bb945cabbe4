import { describe, expect, test } from 'vitest';
import { attemptThat, EARLIER } from '../../test/card-stage.ts';
import { cardAttempt } from '../data/payments.ts';
import { cardReducer, initialState, type CardState, type Input } from './card-reducer.ts';
import type { CardElement } from './clip-sdk.ts';
import type { Payable } from './payable.ts';

const REFERENCE = '11234567897';
const OWN = '5d1f2a3b-0000-4000-8000-00000000000c';
const NOW = 1_700_000_000_000;
const MINUTE = 60_000;

const open = {
  reference: REFERENCE,
  state: 'open',
  acceptsCards: true,
  attempt: null,
} as unknown as Payable;

type Attempted = Parameters<typeof attemptThat>[0];
const attempt = (state: Attempted, intentoId = OWN) => cardAttempt(attemptThat(state, { intentoId }));
const card = {} as CardElement;

/** A read of the payable, with what this tab had stored. */
function read(payable: Payable, kept?: { intentoId: string; sentAt: number }): Input {
  return {
    type: 'serverState',
    payable,
    isDismissed: false,
    kept: kept && { ...kept, reference: REFERENCE },
    now: NOW,
  };
}
const poll = (state: Attempted): Input => ({
  type: 'serverState',
  attempt: attempt(state),
  isDismissed: false,
  answersBuyer: false,
});
const reply = (state: Attempted): Input => ({
  type: 'serverState',
  attempt: attempt(state),
  isDismissed: false,
  answersBuyer: 'payment',
});
const missed = (afterMs: number, now = NOW): Input => ({
  type: 'notThere',
  afterMs,
  now,
  notice: { title: 'never arrived' },
});
const sent = { intentoId: OWN, reference: REFERENCE, sentAt: NOW, body: {} as never };

function after(...inputs: Input[]): CardState {
  return inputs.reduce<CardState>((state, input) => cardReducer(state, input), initialState('pay'));
}
const toForm: Input[] = [read(open), { type: 'frameReady', card }];
const toSending: Input[] = [
  ...toForm,
  { type: 'submit' },
  { type: 'token', token: { id: 'tok', prevention: {} } },
  { type: 'begun', sent },
];
const dueOf = (state: CardState) => state.due.map(({ effect }) => effect);

describe('what this tab has sent', () => {
  test('two taps in one moment ask for one token', () => {
    expect(dueOf(after(...toForm, { type: 'submit' }, { type: 'submit' }))).toEqual(['askForToken']);
  });

  test('the id is stored before anything is sent', () => {
    expect(dueOf(after(...toSending))).toEqual(['askForToken', 'begin', 'post']);
  });

  test('a read that does not show it changes nothing', () => {
    const sending = after(...toSending);
    expect(cardReducer(sending, read({ ...open, attempt: attempt('rejected', EARLIER) }))).toBe(sending);
    expect(cardReducer(sending, read({ ...open, state: 'expired' }))).toBe(sending);
  });

  test('after a lost reply the same body is sent once more, and never a third time', () => {
    const again = after(...toSending, { type: 'lost' }, missed(0));
    expect(again).toMatchObject({ name: 'resending', sent: { intentoId: OWN, body: {} } });
    const lost = cardReducer(again, { type: 'lost' });
    expect(lost.sent).toEqual({ intentoId: OWN, reference: REFERENCE, sentAt: NOW });
    expect(cardReducer(lost, missed(7_999))).toBe(lost);
    expect(cardReducer(lost, missed(8_000))).toMatchObject({
      name: 'rereading',
      notice: { title: 'never arrived' },
    });
  });

  test('a card token that may have expired is not sent again', () => {
    const late = after(...toSending, { type: 'lost' }, missed(8_000, NOW + 14 * MINUTE));
    expect(late.name).toBe('rereading');
  });

  test('while it is sent again, a miss changes nothing', () => {
    const again = after(...toSending, { type: 'lost' }, missed(0));
    expect(cardReducer(again, missed(60_000))).toBe(again);
  });
});

describe('what an earlier document has sent', () => {
  test('is waited for while it is fresh and the server does not show it', () => {
    const kept = { intentoId: OWN, sentAt: NOW - 2 * MINUTE + 1 };
    expect(after(read(open, kept))).toMatchObject({ name: 'unconfirmed', sent: { intentoId: OWN } });
    expect(after(read({ ...open, attempt: attempt('applied') }, kept)).name).toBe('paid');
    expect(after(read(open, { ...kept, sentAt: NOW - 2 * MINUTE })).name).toBe('opening');
  });
});

describe('what the server says', () => {
  test('the reply that says applied is the receipt, and nothing is asked after it', () => {
    const paid = after(...toSending, reply('applied'));
    expect(paid).toMatchObject({ name: 'paid', payable: { attempt: { state: 'applied' } }, card: undefined });
    expect(dueOf(paid).slice(3)).toEqual(['put', 'forget']);
  });

  test('an older answer that comes after the receipt is not kept', () => {
    const paid = after(...toSending, reply('applied'));
    expect(cardReducer(paid, poll('unknown'))).toBe(paid);
  });

  test('a reply that asks for 3DS leads to the bank, a poll only offers it', () => {
    const leaving = after(...toSending, reply('pending_3ds'));
    expect([leaving.name, dueOf(leaving).slice(3)]).toEqual(['leaving', ['open3ds']]);
    const offered = after(read({ ...open, attempt: attempt('unknown') }), poll('pending_3ds'));
    expect([offered.name, dueOf(offered)]).toEqual(['authenticate', ['put']]);
  });

  test('a page that comes back from the browser’s cache starts anew', () => {
    const begun = toSending.reduce<CardState>(
      (state, input) => ({ ...cardReducer(state, input), due: [] }),
      initialState('pay'),
    );
    expect(cardReducer(begun, { type: 'reset' })).toEqual(initialState('pay'));
  });
});

test('an effect is run once', () => {
  const state = after(...toForm, { type: 'submit' });
  expect(cardReducer(state, { type: 'taken', count: 1 }).due).toEqual([]);
});
