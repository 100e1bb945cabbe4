import fc from 'fast-check';
import { expect, test } from 'vitest';

import { Refusal } from '../../platform/refusal.ts';
import { mayReserve, refuseUnlessOpen } from './late-deposit.ts';
import type { LayawayReference } from './read-model.ts';

/** So few that two are often the same. */
const moments = fc
  .integer({ min: 0, max: 2 })
  .map((seconds) => new Date(Date.UTC(2026, 10, 22, 12, 0, seconds)));

/** Layaways as the database may hold them: a paid one has its purchase, and nothing else has. */
const layaways = fc
  .record({
    state: fc.constantFrom('open', 'paid', 'expired', 'cancelled'),
    purchaseState: fc.constantFrom('active', 'delivered', 'cancelled'),
    expiresAt: moments,
    now: moments,
  })
  .map(({ purchaseState, ...given }) => {
    const isPaid = given.state === 'paid';
    const purchase = { purchaseId: isPaid ? 5 : null, purchaseState: isPaid ? purchaseState : null };
    return { ...given, ...purchase } as LayawayReference;
  });

function refusal(layaway: LayawayReference): Refusal | undefined {
  try {
    refuseUnlessOpen(layaway);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

test('a deposit whose payment may begin reserves whenever its money comes, unless its buyer reserved again', () => {
  fc.assert(
    fc.property(layaways, fc.boolean(), (layaway, isReplaced) => {
      if (refusal(layaway) !== undefined) return;
      const began = { begunAt: layaway.now, isReplaced };
      expect(mayReserve(layaway, began)).toBe(true);
      expect(mayReserve({ ...layaway, state: 'expired' }, began)).toBe(!isReplaced);
    }),
  );
});

test('money that came after the end never reserves once the layaway has ended; up to that very moment it does', () => {
  fc.assert(
    fc.property(layaways, moments, (layaway, begunAt) => {
      const ended = { ...layaway, state: 'expired', purchaseId: null } as const;
      expect(mayReserve(ended, { begunAt, isReplaced: false })).toBe(
        begunAt.getTime() <= layaway.expiresAt.getTime(),
      );
      expect(mayReserve(ended, { begunAt, isReplaced: true })).toBe(false);
    }),
  );
});

test('nothing reserves twice, or what its buyer gave up', () => {
  fc.assert(
    fc.property(layaways, moments, fc.boolean(), (layaway, begunAt, isReplaced) => {
      const money = { begunAt, isReplaced };
      expect(mayReserve({ ...layaway, purchaseId: 5 }, money)).toBe(false);
      expect(mayReserve({ ...layaway, state: 'cancelled' }, money)).toBe(false);
      expect(mayReserve({ ...layaway, state: 'paid' }, money)).toBe(false);
    }),
  );
});

test('no payment begins for a layaway that is over, and the refusal says why', () => {
  fc.assert(
    fc.property(layaways, (layaway) => {
      const { state, purchaseState, purchaseId, expiresAt, now } = layaway;
      const refused = refusal(layaway);
      const isGivenUp = state === 'cancelled' || purchaseState === 'cancelled';
      const isOver = state === 'expired' || (state === 'open' && now.getTime() >= expiresAt.getTime());
      expect(refused?.code).toBe(
        isGivenUp
          ? 'REFERENCE_CANCELLED'
          : state === 'paid'
            ? 'REFERENCE_PAID'
            : isOver
              ? 'REFERENCE_EXPIRED'
              : undefined,
      );
      // Whoever finds it paid is led to the purchase.
      if (refused?.code === 'REFERENCE_PAID') expect(refused.facts).toEqual({ ventaId: purchaseId });
    }),
  );
});
