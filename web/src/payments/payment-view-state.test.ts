import { expect, test } from 'vitest';
import { ATTEMPT_STATES } from '../../test/card-stage.ts';
import type { CardAttempt } from '../data/card-attempt.ts';
import { viewStateOf } from './payment-view-state.ts';
import type { Payable } from './payable.ts';

type AttemptState = CardAttempt['state'];

const UNREAD = false;
const DISMISSED = true;

function payable(state: Payable['state'], attempt?: AttemptState, acceptsCards = true): Payable {
  const shown = { state, acceptsCards, attempt: attempt ? { state: attempt, intentId: 'one' } : undefined };
  return shown as unknown as Payable;
}

const whileOpen = {
  submitting: 'pending',
  unknown: 'pending',
  pending_3ds: 'authenticate',
  held: 'held',
  applied: 'paid',
  returned: 'returned',
  rejected: 'rejected',
  not_charged: 'notCharged',
  abandoned: 'abandoned',
} as const satisfies Record<AttemptState, string>;

test.each(ATTEMPT_STATES)('an attempt that is %s shows as such, whatever the URL or storage say', (state) => {
  expect(viewStateOf(payable('open', state), UNREAD)).toBe(whileOpen[state]);
});

test.each(['submitting', 'unknown', 'pending_3ds', 'held', 'applied'] as const)(
  'while an attempt is %s no second payment is offered, put aside or not, expired or not',
  (state) => {
    for (const head of ['open', 'paid', 'expired', 'cancelled'] as const) {
      expect(viewStateOf(payable(head, state), DISMISSED)).toBe(whileOpen[state]);
    }
  },
);

test.each(['rejected', 'not_charged', 'abandoned', 'returned'] as const)(
  'a buyer who has read that their attempt was %s may pay again',
  (state) => {
    expect(viewStateOf(payable('open', state), DISMISSED)).toBe('form');
  },
);

test.each([
  ['paid', 'paidElsewhere'],
  ['expired', 'expired'],
  ['cancelled', 'cancelled'],
] as const)('a %s reference is not offered for payment again', (head, view) => {
  expect(viewStateOf(payable(head), UNREAD)).toBe(view);
  expect(viewStateOf(payable(head, 'rejected'), UNREAD)).toBe(view);
});

test('a refund shows even if something else has paid in the meantime', () => {
  expect(viewStateOf(payable('paid', 'returned'), DISMISSED)).toBe('returned');
});

test('a merchant without card payments offers none', () => {
  expect(viewStateOf(payable('open', undefined, false), UNREAD)).toBe('noCards');
});
