import { expect, it } from 'vitest';
import { isLastPayment, isLate, isVisibleForPayment, mayBeInvoiced, nextPayable } from './instalments.ts';
import { centavos } from './money.ts';

const deposit = { number: 1, dueOn: '2026-11-20', balanceCentavos: centavos(0) };
const second = { number: 2, dueOn: '2026-12-20', balanceCentavos: centavos(50_000) };
const third = { number: 3, dueOn: '2027-01-19', balanceCentavos: centavos(120_000) };
const schedule = [third, deposit, second];

it('lets a buyer pay the oldest unpaid instalment and no other', () => {
  expect(nextPayable(1, schedule)).toBe(second);
  expect(nextPayable(1, schedule.toReversed())).toBe(second);
  expect([1, 2, 3].map((number) => isVisibleForPayment(1, schedule, number))).toEqual([false, true, false]);
});

it('lets nobody pay towards a cancelled or a paid-off purchase', () => {
  expect(nextPayable(2, schedule)).toBeUndefined();
  expect(nextPayable(1, [deposit])).toBeUndefined();
  expect(isVisibleForPayment(2, schedule, 2)).toBe(false);
});

it('offers an invoice for what is paid in full, unless the purchase is cancelled', () => {
  expect(mayBeInvoiced(1, deposit)).toBe(true);
  expect(mayBeInvoiced(1, second)).toBe(false);
  expect(mayBeInvoiced(2, deposit)).toBe(false);
});

it('calls an instalment late from the day after it was due, and never a paid one', () => {
  expect(isLate(second, '2026-12-20')).toBe(false);
  expect(isLate(second, '2026-12-21')).toBe(true);
  expect(isLate(deposit, '2026-12-21')).toBe(false);
});

it('knows the last payment by the schedule, not by the number 3', () => {
  expect(isLastPayment(schedule, 3)).toBe(true);
  expect(isLastPayment(schedule, 2)).toBe(false);
  expect(isLastPayment([deposit, second], 2)).toBe(true);
  expect(isLastPayment([], 3)).toBe(false);
});
