import { describe, expect, test } from 'vitest';
import { isPastCutOff, lastDayToInvoice } from './invoice-cut-off.ts';

const paid = (at: string, cutOffDays: number | null, bookedAt = at) => ({
  paidAt: new Date(at),
  bookedAt: new Date(bookedAt),
  cutOffDays,
});

describe('until when an invoice may be asked for', () => {
  test.each([
    // Paid, days, last day
    ['2026-11-01T06:00:00Z', 5, '2026-12-05'],
    ['2026-11-30T18:00:00Z', 5, '2026-12-05'],
    ['2026-11-30T18:00:00Z', 0, '2026-11-30'],
    ['2026-12-31T18:00:00Z', 1, '2027-01-01'],
    ['2026-02-10T18:00:00Z', 1, '2026-03-01'],
    // A leap year
    ['2028-02-10T18:00:00Z', 0, '2028-02-29'],
    ['2028-02-29T18:00:00Z', 5, '2028-03-05'],
    ['2028-01-31T18:00:00Z', 30, '2028-03-01'],
    // By the clock of Mexico City, which is six hours behind, and was five in the summers until 2022
    ['2026-12-01T05:59:59Z', 5, '2026-12-05'],
    ['2026-12-01T06:00:00Z', 5, '2027-01-05'],
    ['2022-08-01T04:59:59Z', 5, '2022-08-05'],
    ['2022-08-01T05:00:00Z', 5, '2022-09-05'],
  ])('paid at %s, with %i days: %s', (paidAt, days, lastDay) => {
    expect(lastDayToInvoice([paid(paidAt, days)], days, null)).toBe(lastDay);
  });

  test('what was promised stands if the merchant shortens it, and grows if they lengthen it', () => {
    const promised = (days: number | null) => [paid('2026-11-10T18:00:00Z', days)];
    expect(lastDayToInvoice(promised(10), 2, null)).toBe('2026-12-10');
    expect(lastDayToInvoice(promised(2), 10, null)).toBe('2026-12-10');
    expect(lastDayToInvoice(promised(null), 2, null)).toBe(null);
    expect(lastDayToInvoice(promised(2), null, null)).toBe(null);
  });

  test.each([
    // Booked, last day
    ['2026-11-06T05:59:59Z', '2026-11-05'],
    ['2026-11-06T06:00:00Z', '2026-12-05'],
    ['2026-12-01T06:00:00Z', '2027-01-05'],
  ])('cash paid in October of which a store tells only at %s can be invoiced until %s', (at, lastDay) => {
    const late = paid('2026-10-31T18:00:00Z', 5, at);
    expect(lastDayToInvoice([late], 5, null)).toBe(lastDay);
    expect(lastDayToInvoice([late, paid('2026-10-31T19:00:00Z', 5)], 5, null)).toBe(lastDay);
  });

  test.each([
    // Refused or cancelled, last day
    ['2026-12-06T05:59:59Z', '2026-12-05'],
    ['2026-12-06T06:00:00Z', '2027-01-05'],
    ['2027-02-10T18:00:00Z', '2027-03-05'],
  ])('what was asked for in time and ended at %s may be asked for anew until %s', (at, lastDay) => {
    const inTime = [paid('2026-11-10T18:00:00Z', 5)];
    expect(lastDayToInvoice(inTime, 5, new Date(at))).toBe(lastDay);
    expect(lastDayToInvoice(inTime, null, new Date(at))).toBe(null);
  });

  test('what ended within the time that late cash has keeps that time', () => {
    const late = [paid('2026-10-31T18:00:00Z', 5, '2026-11-10T18:00:00Z')];
    expect(lastDayToInvoice(late, 5, new Date('2026-12-03T18:00:00Z'))).toBe('2026-12-05');
    expect(lastDayToInvoice(late, 5, new Date('2026-12-07T18:00:00Z'))).toBe('2027-01-05');
  });

  test('what late cash pays anew, after an invoice ended late, has the month in which that cash was booked', () => {
    const late = [paid('2026-11-10T18:00:00Z', 5, '2027-01-03T18:00:00Z')];
    expect(lastDayToInvoice(late, 5, new Date('2026-12-07T18:00:00Z'))).toBe('2027-02-05');
  });

  test('of several payments the last one counts, in whatever order they were booked', () => {
    const [first, last] = [paid('2026-10-31T18:00:00Z', null), paid('2026-11-02T18:00:00Z', 3)];
    expect(lastDayToInvoice([first, last], 3, null)).toBe('2026-12-03');
    expect(lastDayToInvoice([last, first], 3, null)).toBe('2026-12-03');
    expect(lastDayToInvoice([], 3, null)).toBe(null);
  });

  test('the last day counts to its end in Mexico City', () => {
    expect(isPastCutOff('2026-12-05', new Date('2026-12-06T05:59:59Z'))).toBe(false);
    expect(isPastCutOff('2026-12-05', new Date('2026-12-06T06:00:00Z'))).toBe(true);
    expect(isPastCutOff(null, new Date('2099-01-01T00:00:00Z'))).toBe(false);
  });
});
