import { randomUUID } from 'node:crypto';
import { env } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { dice, oneOf } from '../../test/dice.ts';
import {
  makeBranch,
  makeBuyer,
  makeMerchant,
  makeProduct,
  makeReference,
  makeServiceAccount,
  makeStaff,
} from '../../test/make.ts';
import { setUnitsByStaff } from '../catalogue/units/set-units.ts';
import { PROOFS, type Proof, proveBooks } from '../ledger/books/proofs.read-model.ts';
import { type Db, openDb } from '../platform/db/db.ts';
import { transaction } from '../platform/db/transaction.ts';
import { createLimiter } from '../platform/limiter.ts';
import { createLog } from '../platform/logging.ts';
import type { Staff } from '../platform/principal.ts';
import { Refusal } from '../platform/refusal.ts';
import { cancelPurchase } from '../purchases/cancelling/cancel.ts';
import { endHoldOf } from '../purchases/holds/store.ts';
import { expireReferences } from '../purchases/layaways/store.ts';
import type { ProviderPayment } from './card-provider/port.ts';
import { DEFAULT_CLOCKS } from './cards/attempt.ts';
import { type ResolveDeps, resolveAttempt } from './cards/resolve-attempt.ts';
import { insertAttempt } from './cards/store.ts';
import { takeAtCounter } from './counter/take.ts';
import { takeDeposit } from './tills/take-deposit.ts';

/** Random days that are tried; `DAYS=200` for more. */
const DAYS = Number(env['DAYS'] ?? 30);
const CHAIN = 'NORTE';
const log = createLog('silent');
const tillCaps = {
  perBranchCentavos: centavos(9_999_999_999),
  perAccountCentavos: centavos(9_999_999_999),
  unknownPerHour: 10,
};

let database: TestDatabase;
let db: Db;
let shop: { merchantId: number; branches: number[]; tillId: string; credentialId: string; owner: Staff };
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, role: 'none', max: 8 });
  const merchantId = await makeMerchant(db);
  const branches = [await makeBranch(db, merchantId), await makeBranch(db, merchantId)];
  const { id: tillId } = await makeServiceAccount(db, { kind: 'till', chain: CHAIN });
  const { id: credentialId } = await db
    .insertInto('provider_credentials')
    .values({
      merchant_id: merchantId,
      provider: 'clip',
      public_key: 'test',
      secret_ciphertext: Buffer.from('secret'),
      secret_key_id: 'key',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { positionId } = await makeStaff(db, { merchantId, role: 'owner' });
  const { staff_id: staffId } = await db
    .selectFrom('staff_positions')
    .select('staff_id')
    .where('id', '=', positionId)
    .executeTakeFirstOrThrow();
  const owner: Staff = {
    kind: 'staff',
    staffId,
    positionId,
    merchantId,
    role: 'owner',
    branchIds: branches,
    passkeyId: undefined,
    lacksPasskey: false,
    device: undefined,
  };
  shop = { merchantId, branches, tillId, credentialId, owner };
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

/** A product of which the first branch has so many for sale. */
async function counted(free: number): Promise<number> {
  const productId = await makeProduct(db, { merchantId: shop.merchantId });
  await setUnitsByStaff(db, shop.owner, productId, { branchId: shop.branches[0]!, free, was: 0 });
  return productId;
}

const buyers: number[] = [];
/** A buyer who wants one, with the press that pays its deposit. */
async function wanted(productId: number, by: 'till' | 'counter' | 'card', n: number) {
  buyers[n] ??= (await makeBuyer(db)).id;
  const buyerId = buyers[n];
  const { merchantId, tillId, credentialId, branches, owner } = shop;
  const referenceId = await makeReference(db, { buyerId, merchantId, productId });
  const reference = `1${referenceId}`;
  const id = randomUUID();
  if (by === 'till') {
    const deps = { db, limiter: createLimiter(db), tillCaps };
    const till = { serviceAccountId: tillId, chain: CHAIN, merchantIds: [merchantId] };
    const request = {
      reference,
      amountCentavos: centavos(60_000),
      chain: CHAIN,
      branch: '7',
      transactionId: id,
    };
    const press = async () => String((await takeDeposit(deps, till, request, log)).error);
    return { buyerId, referenceId, press };
  }
  if (by === 'counter') {
    const deps = { db, limiter: createLimiter(db), tillCaps };
    const amountCentavos = centavos(60_000);
    const press = () =>
      takeAtCounter(
        deps,
        owner,
        {
          id,
          branchId: branches[n % 2]!,
          reference,
          amountCentavos,
          handedOver: { method: 'cash', tenderedCentavos: amountCentavos },
        },
        log,
      ).then(
        () => '0',
        (error: unknown) => {
          if (error instanceof Refusal) return error.code;
          throw error;
        },
      );
    return { buyerId, referenceId, press };
  }
  const { id: attemptId } = await transaction(db, (tx) =>
    insertAttempt(tx, {
      buyerId,
      merchantId,
      credentialId,
      referenceId,
      intentId: id,
      intentHash: Buffer.alloc(32),
      state: 'submitting',
      principalCentavos: centavos(60_000),
      feeCentavos: centavos(1_500),
      sourceAddress: '',
      requestId: '',
    }),
  );
  const payment = {
    id: `payment of ${attemptId}`,
    status: 'approved',
    detailCode: 'AP-PAI01',
    amountCentavos: centavos(61_500),
    currency: 'MXN',
    externalReference: attemptId,
    refundedCentavos: centavos(0),
  } as ProviderPayment;
  const press = async () => {
    const observation = { kind: 'approved' as const, payment };
    await resolveAttempt({ db, clocks: DEFAULT_CLOCKS } as ResolveDeps, attemptId, {
      by: 'reply',
      observation,
      log,
    });
    const { state, return_reason: reason } = await db
      .selectFrom('card_attempts')
      .select(['state', 'return_reason'])
      .where('id', '=', attemptId)
      .executeTakeFirstOrThrow();
    return reason ?? state;
  };
  return { buyerId, referenceId, press };
}

const free = async (productId: number) =>
  (
    await db.selectFrom('product_units').select('free_units').where('product_id', '=', productId).execute()
  ).reduce((all, { free_units }) => all + free_units, 0);
/** How many the shop entered, as its acts say: a count that was true already enters none. */
const entered = async (productId: number) =>
  (
    await db
      .selectFrom('staff_acts')
      .select(sql<number>`(detail ->> 'after')::int - (detail ->> 'before')::int`.as('more'))
      .where('act', '=', 'set_units')
      .where('subject_id', '=', String(productId))
      .execute()
  ).reduce((all, { more }) => all + more, 0);
const activeOf = (productId: number) =>
  db
    .selectFrom('purchases')
    .select(['id', 'buyer_id as buyerId'])
    .where('product_id', '=', productId)
    .where('state', '=', 'active')
    .execute();

const UNITS = 'what a branch has for sale is what it entered less what is kept or handed over';
const KEPT = 'what is kept is for a reservation that waits or a purchase that goes on';
const WAYS = ['till', 'counter', 'card'] as const;
/** That a deposit was taken, or that it found the product sold out. */
const TAKEN = ['0', 'applied'];
const SOLD_OUT = ['10', 'SOLD_OUT', 'sold_out'];

test('of fifty deposits at once for three units three are taken, by whatever way; each other one is told or goes back whole', async () => {
  const productId = await counted(3);
  const fifty = await Promise.all(Array.from({ length: 50 }, (_, n) => wanted(productId, WAYS[n % 3]!, n)));
  const answers = await Promise.all(fifty.map(({ press }) => press()));
  expect(answers.filter((answer) => TAKEN.includes(answer))).toHaveLength(3);
  expect(answers.filter((answer) => SOLD_OUT.includes(answer))).toHaveLength(47);
  expect(await activeOf(productId)).toHaveLength(3);
  expect(await free(productId)).toBe(0);
  const { refunds } = await db
    .selectFrom('refunds as f')
    .innerJoin('card_attempts as a', 'a.id', 'f.attempt_id')
    .where('a.return_reason', '=', 'sold_out')
    .where('f.amount_centavos', '=', centavos(61_500))
    .select(({ fn }) => fn.countAll<number>().as('refunds'))
    .executeTakeFirstOrThrow();
  expect(refunds).toBe(answers.filter((answer) => answer === 'sold_out').length);
  expect(await proveBooks(db)).toEqual([]);
});

test('in random days of deposits, cancels, expiries, counts and lost connections no unit is promised twice or lost', async () => {
  const seed = Date.now() % 2 ** 31;
  const roll = dice(seed);
  for (let day = 0; day < DAYS; day += 1) {
    const productId = await counted(1 + roll(4));
    const those = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        wanted(productId, oneOf(roll, WAYS), 50 + 8 * Math.floor(day / 3) + n),
      ),
    );
    const acts = those.map(({ press, buyerId, referenceId }) => {
      // A press whose connection is lost is made again, with the same id.
      const again = () => press().catch(press).catch(press);
      const fate = roll(6);
      if (fate === 0)
        return () =>
          sql`update layaway_references set created_at = now() - interval '9 days', expires_at = now() - interval '1 day'
              where id = ${referenceId} and state = 'open'`
            .execute(db)
            .then(() => transaction(db, (tx) => expireReferences(tx, 100)))
            .catch(() => undefined);
      if (fate === 1)
        return () =>
          again().then(async () => {
            const [mine] = (await activeOf(productId)).filter((one) => one.buyerId === buyerId);
            if (mine) await cancelPurchase({ db }, buyerId, mine.id, { notes: '', shownCentavos: undefined });
          });
      return again;
    });
    const kill = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null limit 1`
        .execute(db)
        .catch(() => undefined);
    const inTheMidst = roll(40);
    const count = async () => {
      await setTimeout(inTheMidst);
      const now = await free(productId);
      const [branchId] = shop.branches;
      const to = { branchId: branchId!, free: now + 1, was: now };
      await setUnitsByStaff(db, shop.owner, productId, to).catch(() => undefined);
    };
    await Promise.all([...acts.map((act) => act()), count(), roll(2) === 0 ? kill() : undefined]);
    const sum = (await free(productId)) + (await activeOf(productId)).length;
    expect({ seed, day, sum }).toEqual({ seed, day, sum: await entered(productId) });
  }
  expect(await proveBooks(db)).toEqual([]);
});

test('without the check of units below zero, or without the trigger that takes them, the books say so', async () => {
  const productId = await counted(1);
  const [one, other] = [await wanted(productId, 'till', 0), await wanted(productId, 'till', 1)];
  expect([await one.press(), await other.press()]).toEqual(['0', '10']);
  const hold = sql`insert into holds (layaway_reference_id, product_id, branch_id)
    values (${other.referenceId}, ${productId}, ${shop.branches[0]})`;
  await expect(hold.execute(db)).rejects.toMatchObject({ constraint: 'product_units_never_below_zero' });
  /** Which of the proofs a damage breaks, which is undone afterwards. */
  const damaged = async (damage: string) => {
    const found: Proof[] = [];
    const undone = db.transaction().execute(async (tx) => {
      await sql.raw(damage).execute(tx);
      for (const proof of [UNITS, KEPT] as const)
        if ((await sql.raw(PROOFS[proof]).execute(tx)).rows.length > 0) found.push(proof);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    return found;
  };
  expect(await damaged('update product_units set free_units = free_units + 1')).toEqual([UNITS]);
  const released = `update holds set state = 'released', ended_at = now() where layaway_reference_id = ${one.referenceId}`;
  expect(await damaged(released)).toEqual([KEPT]);
  expect(await damaged(`alter table holds disable trigger user; ${released}`)).toEqual([UNITS, KEPT]);
});

test('what is put back while its shop says how many it has is not lost: the shop is told to count again', async () => {
  const productId = await counted(1);
  const { buyerId, press } = await wanted(productId, 'till', 0);
  expect(await press()).toBe('0');
  const [mine] = (await activeOf(productId)).filter((one) => one.buyerId === buyerId);
  const [written, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const putBack = db.transaction().execute(async (tx) => {
    await endHoldOf(tx, mine!.id, 'released');
    await sql`select 1`.execute(tx);
    written.resolve();
    await end.promise;
  });
  await written.promise;
  const said = setUnitsByStaff(db, shop.owner, productId, {
    branchId: shop.branches[0]!,
    free: 2,
    was: 0,
  }).then(
    () => 'taken down',
    (error: unknown) => error,
  );
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(1);
  end.resolve();
  await putBack;
  expect(await said).toMatchObject({ code: 'UNITS_CHANGED', facts: { free: 1 } });
  expect(await free(productId)).toBe(1);
});
