import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { penaltyFreeUntil } from './calendar.ts';
import { quoteCancellation, type ReceivedMoney } from './cancellation.ts';
import { add, centavos, sum } from './money.ts';

const depositAt = new Date('2026-11-20T19:42:00Z');
const terms = { penaltyCentavos: centavos(30_000), penaltyFreeUntil: penaltyFreeUntil(depositAt) };
const inTime = new Date('2026-11-28T05:59:59.999Z');
const tooLate = new Date('2026-11-28T06:00:00Z');

const cardDeposit: ReceivedMoney = {
  id: 'deposit',
  paidAt: depositAt,
  method: 'card',
  appliedCentavos: centavos(60_000),
  feeCentavos: centavos(1_500),
};
const cashLater: ReceivedMoney = {
  id: 'cash',
  paidAt: new Date('2026-11-25T00:00:00Z'),
  method: 'cash',
  appliedCentavos: centavos(50_000),
  feeCentavos: centavos(0),
};

describe('cancelling a purchase', () => {
  it('takes the penalty from the deposit, keeps the fee and returns the rest each its own way', () => {
    expect(quoteCancellation([cashLater, cardDeposit], terms, tooLate)).toEqual({
      paidCentavos: 110_000,
      penaltyCentavos: 30_000,
      feeReturnedCentavos: 0,
      feeKeptCentavos: 1_500,
      refundCentavos: 80_000,
      returns: [
        {
          id: 'deposit',
          method: 'card',
          penaltyCentavos: 30_000,
          principalCentavos: 30_000,
          feeCentavos: 0,
          refundCentavos: 30_000,
        },
        {
          id: 'cash',
          method: 'cash',
          penaltyCentavos: 0,
          principalCentavos: 50_000,
          feeCentavos: 0,
          refundCentavos: 50_000,
        },
      ],
    });
  });

  it('costs nothing up to the last moment of the fifth business day, and the fee comes back too', () => {
    const quote = quoteCancellation([cardDeposit, cashLater], terms, inTime);
    expect(quote).toMatchObject({
      penaltyCentavos: 0,
      feeReturnedCentavos: 1_500,
      feeKeptCentavos: 0,
      refundCentavos: 111_500,
    });
    expect(quote.returns.map((each) => each.refundCentavos)).toEqual([61_500, 50_000]);
  });

  it('returns the fee at any time where the merchant asks for no penalty', () => {
    const free = { ...terms, penaltyCentavos: centavos(0) };
    expect(quoteCancellation([cardDeposit], free, tooLate).refundCentavos).toBe(61_500);
  });

  it('never costs more than was paid, and goes on to newer money when the deposit does not cover it', () => {
    const dear = quoteCancellation(
      [cardDeposit, cashLater],
      { ...terms, penaltyCentavos: centavos(100_000) },
      tooLate,
    );
    expect(dear.returns.map((each) => each.penaltyCentavos)).toEqual([60_000, 40_000]);
    const dearer = { ...terms, penaltyCentavos: centavos(500_000) };
    expect(quoteCancellation([cardDeposit], dearer, tooLate)).toMatchObject({
      penaltyCentavos: 60_000,
      refundCentavos: 0,
      feeKeptCentavos: 1_500,
    });
  });

  it('takes the buyer’s own money first, be a helper’s older; then the helpers’ in the order it came', () => {
    const helped = (id: string, day: number): ReceivedMoney => ({
      id,
      paidAt: new Date(Date.UTC(2026, 10, day)),
      method: 'card',
      appliedCentavos: centavos(20_000),
      feeCentavos: centavos(1_500),
      isHelp: true,
    });
    const taken = (penalty: number) =>
      quoteCancellation(
        [helped('Luis', 23), cashLater, helped('Marta', 21), cardDeposit],
        { ...terms, penaltyCentavos: centavos(penalty) },
        tooLate,
      ).returns.map(({ id, penaltyCentavos, refundCentavos }) => [id, penaltyCentavos, refundCentavos]);
    // The deposit is not enough: the buyer's later cash is taken before what helpers gave in between.
    expect(taken(70_000)).toEqual([
      ['deposit', 60_000, 0],
      ['Marta', 0, 20_000],
      ['Luis', 0, 20_000],
      ['cash', 10_000, 40_000],
    ]);
    expect(taken(125_000)).toEqual([
      ['deposit', 60_000, 0],
      ['Marta', 15_000, 5_000],
      ['Luis', 0, 20_000],
      ['cash', 50_000, 0],
    ]);
    expect(taken(140_000).map(([, penalty]) => penalty)).toEqual([60_000, 20_000, 10_000, 50_000]);
  });

  it('accounts for every centavo that came in', () => {
    const amounts = fc.integer({ min: 0, max: 500_000 }).map(centavos);
    const receipts: fc.Arbitrary<ReceivedMoney[]> = fc.array(
      fc.record({
        id: fc.uuid(),
        paidAt: fc.integer({ min: 0, max: 1e12 }).map((ms) => new Date(ms)),
        method: fc.constantFrom('card', 'cash'),
        appliedCentavos: amounts,
        feeCentavos: amounts,
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(receipts, amounts, fc.boolean(), (received, penaltyCentavos, isInTime) => {
        const quote = quoteCancellation(received, { ...terms, penaltyCentavos }, isInTime ? inTime : tooLate);
        const fees = sum(received.map((each) => each.feeCentavos));
        expect(add(quote.refundCentavos, quote.penaltyCentavos, quote.feeKeptCentavos)).toBe(
          add(quote.paidCentavos, fees),
        );
        expect(sum(quote.returns.map((each) => each.penaltyCentavos))).toBe(quote.penaltyCentavos);
        expect(quote.returns.length).toBe(received.length);
        for (const each of quote.returns) {
          const receipt = received.find(({ id }) => id === each.id);
          expect(add(each.penaltyCentavos, each.principalCentavos)).toBe(receipt?.appliedCentavos);
          expect(each.method).toBe(receipt?.method);
        }
        // Oldest first: after the first receipt that keeps anything, no penalty is taken.
        const kept = quote.returns.findIndex((each) => each.principalCentavos > 0);
        const newer = kept < 0 ? [] : quote.returns.slice(kept + 1);
        expect(newer.every((each) => each.penaltyCentavos === 0)).toBe(true);
      }),
    );
  });
});
