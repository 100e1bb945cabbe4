import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { makeBuyer, makeMerchant, makeProduct } from '../../../test/make.ts';
import { makePurchase, payPurchase } from '../../../test/purchases.ts';
import { proveBooks } from '../../ledger/books/proofs.read-model.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { createLog } from '../../platform/logging.ts';
import { presentEnding } from '../overview/present.ts';
import { findPurchase } from '../overview/read-model.ts';
import { endLatePlans } from './end-late-plans.ts';

const log = createLog('silent');
let database: TestDatabase;
const opened: Db[] = [];
/** The database at ten in the morning of a day. */
function on(day: string): Db {
  const clockOffset = `${Date.parse(`${day}T10:00:00-06:00`) - Date.now()} milliseconds`;
  const db = openDb({ url: database.url, role: 'none', max: 2, clockOffset });
  opened.push(db);
  return db;
}
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const db of opened) await db.destroy();
  await database.drop();
});

interface Late {
  readonly id: number;
  readonly buyerId: number;
  readonly merchantId: number;
  readonly instalmentIds: readonly number[];
}

/** Reserved on 1 January 2031: 800.00 a month, due on 31 January and 2 March; 45 days late is 17 March. */
async function reserved(rule: number | 'none' = 45): Promise<Late> {
  const db = on('2031-01-01');
  const merchantId = await makeMerchant(db, rule === 'none' ? {} : { endDaysLate: rule });
  const { id: buyerId } = await makeBuyer(db);
  const productId = await makeProduct(db, { merchantId });
  return { ...(await makePurchase(db, { buyerId, merchantId, productId })), buyerId, merchantId };
}

/** The job's run on a day; its emails go out at once unless they do not. */
async function run(day: string, sends = true): Promise<void> {
  const db = on(day);
  await endLatePlans({ db }, log);
  if (sends)
    await sql`update outbox set state = 'sent', sent_at = app_now() where topic = 'end_warned' and state = 'waiting'`.execute(
      db,
    );
}
async function warnings({ id }: Late) {
  const { rows } = await sql<{ line: string }>`
    select step || ' ' || (written_at at time zone 'America/Mexico_City')::date || ' > ' || ends_on ||
      case when closed_at is null then '' else ' stopped' end as line
    from end_warnings where purchase_id = ${id} order by id`.execute(on('2031-01-01'));
  return rows.map(({ line }) => line);
}
async function end({ id }: Late) {
  const db = on('2031-06-01');
  const { state, ended_by, cancel_notes } = await db
    .selectFrom('purchases')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ amount: number }>`
    select f.amount_centavos as amount from refunds f join allocations a on a.receipt_id = f.receipt_id
    join instalments i on i.id = a.instalment_id where i.purchase_id = ${id} and a.amount_centavos > 0 and f.cause = 'cancel'`.execute(
    db,
  );
  return { state, by: ended_by, notes: cancel_notes, refunds: rows.map(({ amount }) => amount) };
}
const shown = async ({ id, buyerId }: Late, day: string) =>
  presentEnding((await findPurchase(on(day), buyerId, id))!);
const broken = () => proveBooks(on('2031-06-01'));

const ACTIVE = { state: 'active', by: null };

test('a late plan ends after two warnings, once however many work at it, with the penalty and the refund of a cancel', async () => {
  const late = await reserved();
  await run('2031-03-02');
  expect([await warnings(late), await shown(late, '2031-03-02')]).toEqual([[], null]);
  await run('2031-03-03');
  await run('2031-03-03');
  expect(await shown(late, '2031-03-04')).toEqual({ endsOn: '2031-03-17', toPay: 1200 });
  await run('2031-03-13');
  expect(await warnings(late)).toEqual(['first 2031-03-03 > 2031-03-17']);
  await run('2031-03-14');
  await run('2031-03-16');
  expect(await end(late)).toMatchObject(ACTIVE);
  await Promise.all([run('2031-03-17'), run('2031-03-17'), run('2031-03-17')]);
  expect(await end(late)).toEqual({
    state: 'cancelled',
    by: 'rule',
    notes: 'El abono que venció el 31 de enero de 2031 no se pagó en 45 días, y te avisamos dos veces.',
    refunds: [40_000],
  });
  expect(await warnings(late)).toEqual([
    'first 2031-03-03 > 2031-03-17 stopped',
    'last 2031-03-14 > 2031-03-17 stopped',
  ]);
  const { rows } = await sql<{ facts: object }>`
    select facts from outbox where topic = 'purchase_ended' and dedupe_key = ${`purchase:${late.id}`}`.execute(
    on('2031-03-18'),
  );
  expect(rows).toMatchObject([
    { facts: { endedBy: 'rule', amountCentavos: 40_000, paidCentavos: 60_000, penaltyCentavos: 20_000 } },
  ]);
  expect(await shown(late, '2031-03-18')).toBeNull();
  expect(await broken()).toEqual([]);
});

test('a warning that did not go out in time moves the end, and one that never did ends nothing', async () => {
  const late = await reserved();
  await run('2031-03-03', false);
  await run('2031-03-14', false);
  await run('2031-03-20', false);
  expect(await warnings(late)).toEqual(['first 2031-03-03 > 2031-03-17']);
  // The mail server takes it on the 20th.
  await run('2031-03-20');
  await run('2031-03-30');
  expect(await warnings(late)).toHaveLength(1);
  await run('2031-03-31');
  await run('2031-04-02');
  expect(await end(late)).toMatchObject(ACTIVE);
  await run('2031-04-03');
  expect(await end(late)).toMatchObject({ state: 'cancelled', by: 'rule' });
});

test('paying the late instalment stops the clock; another starts with the next one, with warnings of its own', async () => {
  const late = await reserved();
  await run('2031-03-03');
  await run('2031-03-14');
  await payPurchase(on('2031-03-15'), late.id, 50_000);
  expect(await shown(late, '2031-03-15')).toEqual({ endsOn: '2031-03-17', toPay: 700 });
  await payPurchase(on('2031-03-16'), late.id, 70_000);
  await run('2031-03-17');
  expect([await end(late), await shown(late, '2031-03-17')]).toMatchObject([ACTIVE, null]);
  // 45 days after 2 March.
  await run('2031-04-02');
  expect(await warnings(late)).toEqual([
    'first 2031-03-03 > 2031-03-17 stopped',
    'last 2031-03-14 > 2031-03-17 stopped',
    'first 2031-04-02 > 2031-04-16',
  ]);
});

test('money that may be on its way is waited for: a card that is not decided, a store that was not asked since', async () => {
  const byCard = await reserved();
  const byStore = await reserved();
  await run('2031-03-03');
  await run('2031-03-14');
  const db = on('2031-03-16');
  await sql`
    insert into cash_references (id, instalment_id, purchase_id, merchant_id, amount_centavos, state, provider_reference, valid)
    values (${randomUUID()}, ${byStore.instalmentIds[1]}, ${byStore.id}, ${byStore.merchantId}, 120000, 'issued', 'R-81234567',
      tstzrange(app_now(), app_now() + interval '3 days'))`.execute(db);
  await sql`
    insert into provider_credentials (merchant_id, provider, public_key, secret_ciphertext, secret_key_id)
    values (${byCard.merchantId}, 'clip', 'test_x', '\\x00', 'k')`.execute(db);
  await sql`
    insert into card_attempts (buyer_id, merchant_id, credential_id, reference_id, intent_id, intent_hash, state, principal_centavos, fee_centavos)
    select ${byCard.buyerId}, ${byCard.merchantId}, id, ${byCard.instalmentIds[1]}, ${randomUUID()}, '\\x00', 'unknown', 120000, 0
    from provider_credentials where merchant_id = ${byCard.merchantId}`.execute(db);
  await run('2031-03-17');
  expect([await end(byCard), await end(byStore)]).toMatchObject([ACTIVE, ACTIVE]);
  await sql`update cash_references set polled_at = app_now() where purchase_id = ${byStore.id}`.execute(
    on('2031-03-17'),
  );
  await run('2031-03-17');
  expect([await end(byCard), await end(byStore)]).toMatchObject([ACTIVE, { by: 'rule' }]);
  await sql`update card_attempts set state = 'not_charged' where buyer_id = ${byCard.buyerId}`.execute(db);
  await run('2031-03-18');
  expect(await end(byCard)).toMatchObject({ by: 'rule' });
});

test('what a merchant changes later touches no purchase that runs', async () => {
  const [never, ruled] = [await reserved('none'), await reserved(60)];
  const db = on('2031-02-01');
  await sql`update merchants set end_days_late = 30 where id in (${never.merchantId}, ${ruled.merchantId})`.execute(
    db,
  );
  await run('2031-03-17');
  expect(await warnings(ruled)).toEqual([]);
  await run('2031-03-18');
  expect([await warnings(never), await warnings(ruled)]).toEqual([[], ['first 2031-03-18 > 2031-04-01']]);
});
