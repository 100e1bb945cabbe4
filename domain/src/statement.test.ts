import { expect, test } from 'vitest';

import { addDays, mexicoCityDate } from './calendar.ts';
import { centavos, zero } from './money.ts';
import {
  buildStatement,
  isStatementRange,
  MOST_STATEMENT_LINES,
  type StatementEvent,
  type StatementKind,
} from './statement.ts';

/** An event at a local hour of Mexico City. */
const event = (
  kind: StatementKind,
  at: string,
  amount: number,
  {
    fee = 0,
    purchaseId = 1,
    payerName = null,
  }: { fee?: number; purchaseId?: number | null; payerName?: string | null } = {},
): StatementEvent => ({
  kind,
  at: new Date(`${at}-06:00`),
  purchaseId,
  amountCentavos: centavos(amount),
  appliedCentavos: centavos(amount - fee),
  feeCentavos: centavos(fee),
  payerName,
});

const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' };
const BOUGHT = [
  event('reserved', '2026-11-02T10:00', 300_000),
  event('payment', '2026-11-02T10:00', 61_500, { fee: 1_500 }),
];

test('a reservation makes its price owed, a payment lowers it without its fee, a reversal raises it again', () => {
  const { lines, closingCentavos, sums } = buildStatement(
    [
      event('reversal', '2026-11-20T09:00', 50_000),
      event('payment', '2026-11-19T09:00', 50_000),
      ...BOUGHT.toReversed(),
    ],
    NOVEMBER,
  );
  expect(lines.map(({ kind, balanceCentavos }) => [kind, balanceCentavos])).toEqual([
    ['reserved', 300_000],
    ['payment', 240_000],
    ['payment', 190_000],
    ['reversal', 240_000],
  ]);
  expect(closingCentavos).toBe(240_000);
  expect(sums).toMatchObject({ reservedCentavos: 300_000, paidCentavos: 110_000, feesCentavos: 1_500 });
});

test('an end takes away what was owed; its penalty and its refunds are lines that owe nothing', () => {
  const { lines, sums, closingCentavos } = buildStatement(
    [
      ...BOUGHT,
      event('ended', '2026-11-10T12:00', 0),
      event('refund_owed', '2026-11-10T12:00', 40_000),
      event('penalty', '2026-11-10T12:00', 20_000),
      event('refunded', '2026-11-11T12:00', 40_000),
      // A store takes back what the ended purchase had been paid: it owes nothing all the same.
      event('reversal', '2026-11-12T12:00', 60_000),
    ],
    NOVEMBER,
  );
  expect(lines.slice(2).map(({ kind, creditCentavos }) => [kind, creditCentavos])).toEqual([
    ['ended', 240_000],
    ['penalty', 0],
    ['refund_owed', 0],
    ['refunded', 0],
    ['reversal', 0],
  ]);
  expect(closingCentavos).toBe(0);
  expect(sums).toMatchObject({
    droppedCentavos: 240_000,
    penaltiesCentavos: 20_000,
    refundedCentavos: 40_000,
    reversedCentavos: 0,
  });
});

test('what went back to who helped is not given back to the buyer, and changes nothing that is owed', () => {
  const { lines, sums, closingCentavos } = buildStatement(
    [
      ...BOUGHT,
      event('payment', '2026-11-05T12:00', 41_500, { fee: 1_500, payerName: 'Marta' }),
      event('ended', '2026-11-10T12:00', 0),
      event('refunded', '2026-11-11T12:00', 61_500),
      event('refunded', '2026-11-11T13:00', 41_500, { payerName: 'Marta' }),
    ],
    NOVEMBER,
  );
  expect(lines.slice(2).map(({ balanceCentavos }) => balanceCentavos)).toEqual([200_000, 0, 0, 0]);
  expect(closingCentavos).toBe(0);
  expect(sums).toMatchObject({
    paidCentavos: 100_000,
    refundedCentavos: 61_500,
    refundedToHelpersCentavos: 41_500,
  });
});

test('a deposit that its provider dates before the purchase was booked never owes less than nothing', () => {
  const [reserved, deposit] = BOUGHT;
  const early = { ...deposit!, at: new Date(reserved!.at.getTime() - 90_000) };
  const { lines } = buildStatement([early, reserved!], NOVEMBER);
  expect(lines.map(({ kind, at }) => [kind, at])).toEqual([
    ['reserved', early.at],
    ['payment', early.at],
  ]);
});

test('a day begins and ends at midnight in Mexico City', () => {
  const edge = [
    event('reserved', '2026-10-31T23:59:59.999', 1_000, { purchaseId: 1 }),
    event('reserved', '2026-11-01T00:00:00', 2_000, { purchaseId: 2 }),
    event('reserved', '2026-11-30T23:59:59.999', 4_000, { purchaseId: 3 }),
    event('reserved', '2026-12-01T00:00:00', 8_000, { purchaseId: 4 }),
  ];
  const { openingCentavos, lines, closingCentavos } = buildStatement(edge, NOVEMBER);
  expect(openingCentavos).toBe(1_000);
  expect(lines.map(({ purchaseId }) => purchaseId)).toEqual([2, 3]);
  expect(closingCentavos).toBe(7_000);
});

test('cash that is booked after a payment that was taken back meanwhile never shows less than nothing owed', () => {
  const { lines, closingCentavos } = buildStatement(
    [
      ...BOUGHT,
      event('payment', '2026-11-05T11:00', 240_000),
      event('reversal', '2026-11-05T11:30', 240_000),
      event('payment', '2026-11-05T10:00', 200_000),
    ],
    NOVEMBER,
  );
  expect(lines.slice(2).map(({ balanceCentavos }) => balanceCentavos)).toEqual([40_000, 0, 40_000]);
  expect(closingCentavos).toBe(40_000);
});

test('a refund of what was too much changes nothing that is owed, and a fee counts once', () => {
  const { lines, sums } = buildStatement(
    [
      ...BOUGHT,
      event('refund_owed', '2026-11-05T10:00', 1_500),
      event('reversal', '2026-11-06T10:00', 61_500, { fee: 1_500 }),
    ],
    NOVEMBER,
  );
  expect(lines.slice(2).map(({ balanceCentavos }) => balanceCentavos)).toEqual([240_000, 300_000]);
  expect(sums.feesCentavos).toBe(1_500);
});

test('of two things that happened at one moment the older purchase comes first', () => {
  const both = [3, 2, 4].map((purchaseId) => event('reserved', '2026-11-03T10:00', 100, { purchaseId }));
  const { lines } = buildStatement(both, NOVEMBER);
  expect(lines.map(({ purchaseId }) => purchaseId)).toEqual([2, 3, 4]);
});

test('money that no purchase got is a line, and owes nothing', () => {
  const { lines } = buildStatement(
    [event('received', '2026-11-03T10:00', 61_500, { purchaseId: null })],
    NOVEMBER,
  );
  expect(lines).toMatchObject([{ amountCentavos: 61_500, creditCentavos: 0, balanceCentavos: 0 }]);
});

test('of more lines than it lists the sums are of all of them, and it says so', () => {
  const one = event('payment', '2026-11-05T10:00', 100);
  const many = Array.from({ length: MOST_STATEMENT_LINES + 1 }, () => one);
  const { lines, isWhole, sums } = buildStatement([...BOUGHT, ...many], NOVEMBER);
  expect(lines).toHaveLength(MOST_STATEMENT_LINES);
  expect(isWhole).toBe(false);
  expect(sums.paidCentavos).toBe(60_000 + 100 * (MOST_STATEMENT_LINES + 1));
  const justAll = buildStatement([...BOUGHT, ...many].slice(0, MOST_STATEMENT_LINES), NOVEMBER);
  expect(justAll).toMatchObject({ isWhole: true, lines: { length: MOST_STATEMENT_LINES } });
});

test('a range has its days in order, and not more than a year and what an accountant closes after it', () => {
  const days = (to: string) => isStatementRange({ from: '2026-01-01', to });
  expect([days('2026-01-01'), days('2026-12-31'), days('2027-02-04')]).toEqual([true, true, true]);
  expect([days('2025-12-31'), days('2027-02-05')]).toEqual([false, false]);
});

test('for 500 random buyers, ranges join, every line adds up, and the end is what the plans owe', () => {
  let seed = 27;
  const below = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most;
  for (let turn = 0; turn < 500; turn += 1) {
    const { events, owed } = randomHistory(below);
    let from = '2026-01-01';
    let before = zero;
    let lines = 0;
    while (from < '2026-12-31') {
      const to = addDays(from, below(60));
      const part = buildStatement(events, { from, to });
      expect(part.openingCentavos).toBe(before);
      let balance: number = part.openingCentavos;
      for (const line of part.lines) {
        expect(mexicoCityDate(line.at) >= from && mexicoCityDate(line.at) <= to).toBe(true);
        balance += line.chargeCentavos - line.creditCentavos;
        expect(line.balanceCentavos).toBe(balance);
      }
      const { reservedCentavos, reversedCentavos, paidCentavos, droppedCentavos } = part.sums;
      expect(
        part.openingCentavos + reservedCentavos + reversedCentavos - paidCentavos - droppedCentavos,
      ).toBe(part.closingCentavos);
      before = part.closingCentavos;
      lines += part.lines.length;
      from = addDays(to, 1);
    }
    expect(before).toBe(owed);
    expect(lines).toBe(events.length);
  }
});

/** Purchases as they live, of which an oracle of its own keeps what each owes; their events in any order. */
function randomHistory(below: (most: number) => number) {
  const events: StatementEvent[] = [];
  let owed = 0;
  for (let purchaseId = 1; purchaseId <= 1 + below(5); purchaseId += 1) {
    let at = Date.UTC(2026, 0, 2) + below(150) * 86_400_000 + below(86_400_000);
    const push = (kind: StatementKind, amount: number, fee = 0) => {
      events.push({
        kind,
        at: new Date(at),
        purchaseId,
        amountCentavos: centavos(amount),
        appliedCentavos: centavos(amount - fee),
        feeCentavos: centavos(fee),
        payerName: null,
      });
      // Some things happen at one moment.
      at += below(3) * below(10 * 86_400_000);
    };
    let left = 10_000 + below(500_000);
    push('reserved', left);
    const paid: number[] = [];
    let hasEnded = false;
    for (let step = 0; step < below(12) && !hasEnded; step += 1) {
      const act = below(8);
      if (act === 0) {
        push('ended', 0);
        if (below(2) === 0) push('penalty', below(5_000));
        push('refund_owed', 5_000);
        if (below(2) === 0) push('refunded', 5_000);
        hasEnded = true;
      } else if (act === 1 && paid.length > 0) {
        at += 1;
        const back = paid.splice(below(paid.length), 1)[0]!;
        left += back;
        push('reversal', back);
        at += 1;
      } else if (left > 0) {
        const sum = 1 + below(left);
        left -= sum;
        paid.push(sum);
        push('payment', sum + 1_500, 1_500);
      }
    }
    if (!hasEnded) owed += left;
  }
  return { events: events.toSorted(() => below(3) - 1), owed };
}
