import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  answer3ds,
  chargeElsewhere,
  DAY,
  endReference,
  fault,
  HOUR,
  MINUTE,
  runRefunds,
  till,
  UNLIMITED,
} from '../../../test/card-acts.ts';
import { makeBuyer } from '../../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { proveBooks } from '../../ledger/books/proofs.read-model.ts';
import { forgetRefusals } from '../card-keys/store.ts';

/**
 * Random simulations of one reference over the real server, database and provider's sandbox. Whatever happens, in whatever order
 * and however often it is reported: at most one purchase, every centavo that the provider kept is in the books, and nobody waits.
 * A failing simulation prints its seed and the shortest one that fails.
 */
let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ clocks: UNLIMITED });
});
afterAll(() => shop.close());

const PAYING = [
  CARDS.approved,
  CARDS.threeDs,
  CARDS.threeDs,
  CARDS.replyLost,
  CARDS.nothingHappened,
  CARDS.oddDetail,
  CARDS.oneMore,
  CARDS.authorisedOnly,
  CARDS.insufficientFunds,
  '4000002007000001',
];
type Step =
  | { do: 'card'; card: string }
  | { do: 'till' | 'end' | 'sweep' | 'refund' | 'close expired' | 'read again' | 'refuse the key' }
  | {
      do: 'approve' | 'reject' | 'job' | 'notice' | 'poll' | 'resume' | 'tap again' | 'charge twice';
      of: number;
    }
  | { do: 'age'; of: number; ms: number };

const which = fc.nat(7);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('card' as const), card: fc.constantFrom(...PAYING) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('till' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('end', 'sweep', 'refund', 'close expired', 'read again', 'refuse the key' as const),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'approve',
        'approve',
        'reject',
        'job',
        'notice',
        'poll',
        'resume',
        'tap again' as const,
      ),
      of: which,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('charge twice' as const), of: which }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('age' as const),
      of: which,
      ms: fc.constantFrom(61_000, 18 * MINUTE, 31 * MINUTE, 25 * HOUR, 73 * HOUR),
    }),
  },
) as fc.Arbitrary<Step>;

interface Tap {
  readonly intentId: string;
  readonly cardToken: string;
}

async function live(steps: readonly Step[]): Promise<{ buyerId: number; reference: any; taps: Tap[] }> {
  // Else each sweep would read all simulations before this one.
  await shop.control('POST /control/reset');
  const { id: buyerId, token } = await makeBuyer(shop.db);
  const reference = await shop.reference({ token });
  const taps: Tap[] = [];
  for (const one of steps) {
    const tap = 'of' in one ? taps[one.of % Math.max(taps.length, 1)] : undefined;
    if ('of' in one && tap === undefined) continue;
    const attempt = tap && (await shop.attempt(tap.intentId));
    switch (one.do) {
      case 'card': {
        const next = { intentId: randomUUID(), cardToken: await shop.cardToken(one.card) };
        const { status } = await shop.pay(reference, '', { ...next, token });
        if (status === 200) taps.push(next);
        else expect([409, 429]).toContain(status);
        break;
      }
      case 'tap again':
        if (tap) expect((await shop.pay(reference, '', { ...tap, token })).status).toBe(200);
        break;
      case 'till':
        expect([0, 2, 3]).toContain((await till(shop, reference)).body.error);
        break;
      case 'end':
        await endReference(shop, reference, 1);
        break;
      case 'close expired':
        await shop.job.expire_references(undefined, shop.jobs.log);
        break;
      case 'sweep':
        await shop.job.sweep_card_payments(undefined, shop.jobs.log);
        break;
      case 'refund':
        await runRefunds(shop);
        break;
      case 'read again':
        await sql`update card_attempts set recheck_at = now() - interval '1 minute' where buyer_id = ${buyerId}`.execute(
          shop.db,
        );
        await shop.job.recheck_captured(undefined, shop.jobs.log);
        break;
      case 'refuse the key':
        await fault(shop, { call: 'createRefund', kind: 'status', status: 401, times: 1, body: {} });
        break;
      case 'approve':
      case 'reject':
        if (tap && attempt.provider_payment_id !== null) await answer3ds(shop, tap.intentId, one.do);
        break;
      case 'job':
        if (tap) await shop.poll(tap.intentId);
        break;
      case 'notice':
        await shop.ask(`POST /webhooks/clip/${attempt.webhook_nonce}`, {
          body: { id: attempt.provider_payment_id ?? randomUUID() },
        });
        break;
      case 'poll':
        if (tap) await shop.ask(`GET /v1/Clib/GetAttemptAsync/${tap.intentId}`, { token });
        break;
      case 'resume': {
        const path = `/v1/Clib/GetPaymentsAsync/${attempt.provider_payment_id ?? randomUUID()}/${shop.merchantId}`;
        await shop.ask(`GET ${path}`, { token });
        break;
      }
      case 'charge twice':
        await chargeElsewhere(shop, attempt.id, CARDS.approved);
        break;
      case 'age':
        if (tap) await shop.age(tap.intentId, one.ms);
        break;
    }
  }
  return { buyerId, reference, taps };
}

/** Lets everything that is promised happen: the sweep, polls to the end of every clock, the refunds. */
async function runToTheEnd(taps: readonly Tap[]): Promise<void> {
  await shop.job.sweep_card_payments(undefined, shop.jobs.log);
  for (const ms of [2 * MINUTE, 31 * MINUTE, 0, DAY, 3 * DAY]) {
    for (const { intentId } of taps) {
      if (ms > 0) await shop.age(intentId, ms);
      await shop.poll(intentId);
    }
  }
  await runRefunds(shop);
  // A key that was refused, however often, may refund again.
  await shop.control('DELETE /control/faults');
  await transaction(shop.db, (tx) => forgetRefusals(tx, shop.merchantId));
  await runRefunds(shop);
}

/** What the provider still has of the payments that name these attempts, in centavos. */
async function kept(attemptIds: readonly string[]): Promise<number> {
  const payments: any[] = await shop.charges();
  return payments
    .filter((payment) => attemptIds.includes(payment.external_reference))
    .reduce((sum, one) => sum + Math.round((one.captured_amount - one.amount_refunded) * 100), 0);
}

async function check(buyerId: number): Promise<void> {
  expect(await proveBooks(shop.db)).toEqual([]);
  const attempts = await shop.db
    .selectFrom('card_attempts')
    .selectAll()
    .where('buyer_id', '=', buyerId)
    .execute();
  const purchases = await shop.db
    .selectFrom('purchases')
    .selectAll()
    .where('buyer_id', '=', buyerId)
    .execute();
  const applied = attempts.filter((attempt) => attempt.state === 'applied');
  expect(purchases.length).toBeLessThanOrEqual(1);
  expect(applied.length).toBeLessThanOrEqual(purchases.length);
  for (const { state } of attempts)
    expect(['rejected', 'not_charged', 'abandoned', 'applied', 'returned']).toContain(state);
  for (const { paid_centavos: paid } of purchases) expect(paid).toBe(60_000);
  // The oracle: what the provider keeps is the one deposit with its fee, or nothing.
  expect(await kept(attempts.map((attempt) => attempt.id))).toBe(applied.length * 61_500);
  const refunds = await shop.db
    .selectFrom('refunds')
    .select('state')
    .where(
      'attempt_id',
      'in',
      attempts.map((attempt) => attempt.id).concat('00000000-0000-4000-8000-000000000000'),
    )
    .execute();
  expect(refunds.every((refund) => refund.state === 'done')).toBe(true);
  // Nothing left but by our own refunds, so none of them was taken for another's.
  const { rows: unexpected } =
    await sql`select subject from alerts where detail ->> 'observed' = 'reversed'`.execute(shop.db);
  expect(unexpected).toEqual([]);
}

test('any simulation of a reference ends with at most one purchase and every centavo in the books', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 22 }), async (steps) => {
      const { buyerId, taps } = await live(steps);
      expect(await proveBooks(shop.db)).toEqual([]);
      await runToTheEnd(taps);
      await check(buyerId);
    }),
    { numRuns: 40 },
  );
}, 240_000);

test('an authorisation that is never captured is released once, however old it is when it is polled', async () => {
  const { buyerId, taps } = await live([
    { do: 'card', card: CARDS.authorisedOnly },
    { do: 'age', of: 0, ms: 25 * HOUR },
    { do: 'card', card: CARDS.approved },
    { do: 'age', of: 0, ms: 25 * HOUR },
  ]);
  expect(taps).toHaveLength(1);
  await runToTheEnd(taps);
  await check(buyerId);
});

test('late approvals of several cards, reported in any order and any number of times, give the same books', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 4 }),
      fc.array(fc.record({ of: fc.nat(3), how: fc.constantFrom('job', 'notice', 'poll', 'sweep', 'till') }), {
        minLength: 4,
        maxLength: 14,
      }),
      fc.boolean(),
      async (cards, tellings, atOnce) => {
        const { buyerId, reference, taps } = await live(
          Array.from({ length: cards }, (_, of): Step[] => [
            { do: 'card', card: CARDS.threeDs },
            { do: 'age', of, ms: 31 * MINUTE },
            { do: 'job', of },
          ]).flat(),
        );
        expect(taps).toHaveLength(cards);
        for (const { intentId } of taps) await answer3ds(shop, intentId, 'approve');
        const tell = async ({ of, how }: { of: number; how: string }) => {
          const { intentId } = taps[of % cards] ?? { intentId: '' };
          const attempt = await shop.attempt(intentId);
          if (how === 'job') await shop.poll(intentId);
          if (how === 'sweep') await shop.job.sweep_card_payments(undefined, shop.jobs.log);
          if (how === 'till') expect([0, 3]).toContain((await till(shop, reference)).body.error);
          if (how === 'notice') await shop.ask(`POST /webhooks/clip/${attempt.webhook_nonce}`, { body: {} });
        };
        if (atOnce) await Promise.all(tellings.map(tell));
        else for (const telling of tellings) await tell(telling);
        await runToTheEnd(taps);
        await check(buyerId);
        const attempts = await shop.db
          .selectFrom('card_attempts')
          .select(['state', 'captured_centavos'])
          .where('buyer_id', '=', buyerId)
          .execute();
        // Whoever won, the same money came, and all but one deposit went.
        expect(attempts.map((one) => one.captured_centavos)).toEqual(Array(cards).fill(61_500));
        const purchases = await shop.db
          .selectFrom('purchases')
          .select('id')
          .where('buyer_id', '=', buyerId)
          .execute();
        expect(purchases).toHaveLength(1);
      },
    ),
    { numRuns: 25 },
  );
}, 240_000);
