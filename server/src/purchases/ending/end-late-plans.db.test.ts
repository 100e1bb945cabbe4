import { randomUUID } from 'node:crypto';
import { centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { makeBranch, makeBuyer, makeMerchant, makeProduct, makeStaff } from '../../../test/make.ts';
import { makePurchase, payByCard, payPurchase } from '../../../test/purchases.ts';
import { proveBooks } from '../../ledger/books/proofs.read-model.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { decideEmail } from '../../platform/email/decide-email.ts';
import type { Staff } from '../../platform/principal.ts';
import { createLog } from '../../platform/logging.ts';
import { READINGS } from '../../platform/telemetry/read-model.ts';
import { openClaim, withdrawClaim } from '../claims/open-claim.ts';
import { changePlan } from '../moving/change-plan.ts';
import { presentEnding } from '../overview/present.ts';
import { findPurchase } from '../overview/read-model.ts';
import { reversePayment } from '../plans/reverse-payment.ts';
import { endLatePlans } from './end-late-plans.ts';
import { giveMoreTime } from './give-more-time.ts';
import { readWarning } from './read-warning.ts';

const log = createLog('silent');
let database: TestDatabase;
const opened = new Map<string, Db>();
/** The database at ten in the morning of a day. */
function on(day: string): Db {
  const known = opened.get(day);
  if (known) return known;
  const clockOffset = `${Date.parse(`${day}T10:00:00-06:00`) - Date.now()} milliseconds`;
  const db = openDb({ url: database.url, role: 'none', max: 2, clockOffset });
  opened.set(day, db);
  return db;
}
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const db of opened.values()) await db.destroy();
  await database.drop();
});

interface Late {
  readonly id: number;
  readonly buyerId: number;
  readonly merchantId: number;
  readonly productId: number;
  readonly instalmentIds: readonly number[];
}

/** Reserved on 1 January 2031: 1,200.00 a month, due on 31 January and 2 March; 45 days late is 17 March. */
async function reserved(rule: number | 'none' = 45, units?: number): Promise<Late> {
  const db = on('2031-01-01');
  const merchantId = await makeMerchant(db, rule === 'none' ? {} : { endDaysLate: rule });
  const { id: buyerId } = await makeBuyer(db);
  const productId = await makeProduct(db, { merchantId });
  if (units !== undefined) {
    const at = {
      product_id: productId,
      branch_id: await makeBranch(db, merchantId),
      merchant_id: merchantId,
    };
    await db
      .insertInto('product_units')
      .values({ ...at, free_units: units, entered_units: units })
      .execute();
    await sql`update products set counts_units = true where id = ${productId}`.execute(db);
  }
  return { ...(await makePurchase(db, { buyerId, merchantId, productId })), buyerId, merchantId, productId };
}
const reverse = (day: string, { id }: Late, sourceId: string) =>
  transaction(on(day), async (tx) => {
    await sql`select from purchases where id = ${id} for no key update`.execute(tx);
    expect(await reversePayment(tx, { channel: 'till', sourceId }, id)).toBe(true);
    await sql`update till_operations set state = 'reversed', reversed_at = app_now() where id = ${sourceId}`.execute(
      tx,
    );
  });

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
/** What the operator's gauge counts of late plans that nobody saw to. */
async function overdue(day: string): Promise<number | undefined> {
  const reading = READINGS.find(({ gauges }) => gauges['overdue']?.name === 'aparta_plan_ends_overdue');
  const { rows } = await sql.raw<{ overdue: number }>(reading?.query ?? '').execute(on(day));
  return rows[0]?.overdue;
}
/** A number for stores that a buyer was given on 16 March, good until a moment. */
const atStore = (late: Late, until: string) =>
  sql`
    insert into cash_references (id, instalment_id, purchase_id, merchant_id, amount_centavos, state, provider_reference, valid)
    values (${randomUUID()}, ${late.instalmentIds[1]}, ${late.id}, ${late.merchantId}, 120000, 'issued', ${`R-${late.id}`},
      tstzrange(app_now(), ${`${until}-06:00`}::timestamptz))`.execute(on('2031-03-16'));
const broken = () => proveBooks(on('2031-06-01'));

const ACTIVE = { state: 'active', by: null };

test('a late plan ends after two warnings, once however many work at it, with the penalty and the refund of a cancel', async () => {
  const late = await reserved();
  await run('2031-03-02');
  expect([await warnings(late), await shown(late, '2031-03-02')]).toEqual([[], null]);
  await run('2031-03-03');
  await run('2031-03-03');
  expect(await shown(late, '2031-03-04')).toEqual({ endsOn: '2031-03-17', toPay: 1200, moreTime: false });
  await run('2031-03-13');
  expect(await warnings(late)).toEqual(['first 2031-03-03 > 2031-03-17']);
  await run('2031-03-14');
  await run('2031-03-16');
  expect(await end(late)).toMatchObject(ACTIVE);
  await Promise.all([run('2031-03-17'), run('2031-03-17'), run('2031-03-17')]);
  expect(await end(late)).toEqual({
    state: 'cancelled',
    by: 'rule',
    notes:
      'El abono que venció el 31 de enero de 2031 no quedó pagado completo, y te avisamos por correo antes de cancelar.',
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

test('a warning that the mailbox took none of, and that the operator gave up, is written again, and keeps no unit for ever', async () => {
  const late = await reserved();
  const db = on('2031-03-04');
  const giveUp = async () => {
    const { rows } = await sql<{ id: number }>`
      update outbox set state = 'failed', tries = 12 where topic = 'end_warned' and state = 'waiting' returning id`.execute(
      db,
    );
    for (const { id } of rows) await transaction(db, (tx) => decideEmail(tx, id, 'drop'));
  };
  await run('2031-03-03', false);
  await giveUp();
  // Nobody was told a day.
  expect(await shown(late, '2031-03-04')).toBeNull();
  expect(await overdue('2031-03-04')).toBe(1);
  await run('2031-03-05');
  expect(await overdue('2031-03-05')).toBe(0);
  await run('2031-03-16', false);
  await giveUp();
  await run('2031-03-17');
  await run('2031-03-19');
  expect([await warnings(late), await end(late)]).toMatchObject([
    [
      'first 2031-03-03 > 2031-03-17 stopped',
      'first 2031-03-05 > 2031-03-19',
      'last 2031-03-16 > 2031-03-19 stopped',
      'last 2031-03-17 > 2031-03-20',
    ],
    ACTIVE,
  ]);
  await run('2031-03-20');
  expect(await end(late)).toMatchObject({ by: 'rule', refunds: [40_000] });
});

test('paying the late instalment stops the clock; another starts with the next one, with warnings of its own', async () => {
  const late = await reserved();
  await run('2031-03-03');
  await run('2031-03-14');
  await payPurchase(on('2031-03-15'), late.id, 50_000);
  expect(await shown(late, '2031-03-15')).toEqual({ endsOn: '2031-03-17', toPay: 700, moreTime: false });
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
  await atStore(byStore, '2031-03-16T23:00');
  const decide = await payByCard(on('2031-03-17'), byCard, 'unknown');
  await run('2031-03-17');
  expect([await end(byCard), await end(byStore)]).toMatchObject([ACTIVE, ACTIVE]);
  await sql`update cash_references set polled_at = app_now() where purchase_id = ${byStore.id}`.execute(
    on('2031-03-17'),
  );
  await run('2031-03-17');
  expect([await end(byCard), await end(byStore)]).toMatchObject([ACTIVE, { by: 'rule' }]);
  await decide(on('2031-03-17'), 'not_charged');
  await run('2031-03-17');
  expect(await end(byCard)).toMatchObject({ by: 'rule' });
});

test('a plan waits for the money that a store may still take by a number that somebody was given', async () => {
  const late = await reserved();
  await run('2031-03-03');
  await run('2031-03-14');
  await atStore(late, '2031-03-18T23:00');
  const polled = (day: string) =>
    sql`update cash_references set polled_at = app_now() where purchase_id = ${late.id}`.execute(on(day));
  for (const day of ['2031-03-17', '2031-03-18']) {
    await polled(day);
    await run(day);
    expect(await end(late)).toMatchObject(ACTIVE);
  }
  await polled('2031-03-19');
  await run('2031-03-19');
  expect(await end(late)).toMatchObject({ by: 'rule' });
});

test.each([
  ['their own card payment', 'buyer', 'held', '2031-03-15'],
  ['one of several purchases', 'several', 'held', '2031-03-15'],
  ['a helper’s', 'helper', 'unknown', '2031-03-17'],
] as const)(
  'whom %s under review kept from paying has three days more once it came to nothing, and is warned of them once',
  async (_what, whose, state, from) => {
    const late = await reserved();
    await run('2031-03-03');
    await run('2031-03-14');
    const decide = await payByCard(on(from), late, state, whose);
    await run('2031-03-17');
    expect(await shown(late, '2031-03-18')).toMatchObject({ endsOn: '2031-03-21' });
    await decide(on('2031-03-18'), 'abandoned');
    for (const day of ['2031-03-18', '2031-03-18', '2031-03-20']) await run(day);
    expect([await warnings(late), await end(late), await shown(late, '2031-03-20')]).toMatchObject([
      [
        'first 2031-03-03 > 2031-03-17',
        'last 2031-03-14 > 2031-03-17 stopped',
        'last 2031-03-18 > 2031-03-21',
      ],
      ACTIVE,
      { endsOn: '2031-03-21' },
    ]);
    await run('2031-03-21');
    expect(await end(late)).toMatchObject({ by: 'rule' });
  },
);

test('a bank’s check that its buyer leaves, and what kept them from paying before they were warned, put no end off', async () => {
  const [left, before] = [await reserved(), await reserved()];
  await run('2031-03-03');
  const decideBefore = await payByCard(on('2031-03-10'), before, 'held');
  await decideBefore(on('2031-03-13'), 'abandoned');
  await run('2031-03-14');
  const decideLeft = await payByCard(on('2031-03-16'), left, 'pending_3ds');
  await decideLeft(on('2031-03-17'), 'abandoned');
  await run('2031-03-17');
  expect([await end(left), await end(before)]).toMatchObject([{ by: 'rule' }, { by: 'rule' }]);
});

test('a buyer whose payment is under review is not warned meanwhile, also where it was begun between queue and mail, and is before their plan ends', async () => {
  const late = await reserved();
  const decide = await payByCard(on('2031-03-02'), late, 'held');
  for (const day of ['2031-03-03', '2031-03-04']) await run(day);
  expect([await warnings(late), await shown(late, '2031-03-04')]).toEqual([[], null]);
  await decide(on('2031-03-05'), 'abandoned');
  await run('2031-03-05', false);
  const decideLater = await payByCard(on('2031-03-05'), late, 'unknown');
  const { id: outboxId } = await on('2031-03-05')
    .selectFrom('outbox')
    .select('id')
    .where('topic', '=', 'end_warned')
    .where('buyer_id', '=', late.buyerId)
    .executeTakeFirstOrThrow();
  const said = () => readWarning(on('2031-03-05'), { outboxId, buyerId: late.buyerId, purchaseId: late.id });
  expect(await said()).toBeUndefined();
  // As its delivery leaves it.
  await sql`update outbox set state = 'dropped' where id = ${outboxId}`.execute(on('2031-03-05'));
  await run('2031-03-06');
  await decideLater(on('2031-03-06'), 'abandoned');
  for (const day of ['2031-03-06', '2031-03-16', '2031-03-17', '2031-03-19']) await run(day);
  expect([await warnings(late), await end(late)]).toMatchObject([
    [
      'first 2031-03-05 > 2031-03-19 stopped',
      'first 2031-03-06 > 2031-03-20',
      'last 2031-03-17 > 2031-03-20',
    ],
    ACTIVE,
  ]);
  await run('2031-03-20');
  expect(await end(late)).toMatchObject({ by: 'rule' });
});

test('the last unit is on sale again when the rule ends its plan, and is not before', async () => {
  const late = await reserved(45, 1);
  const free = async () =>
    (
      await on('2031-06-01')
        .selectFrom('product_units')
        .select('free_units as free')
        .where('product_id', '=', late.productId)
        .executeTakeFirstOrThrow()
    ).free;
  await run('2031-03-03');
  await run('2031-03-14');
  expect(await free()).toBe(0);
  await run('2031-03-17');
  expect([await free(), await end(late)]).toMatchObject([1, { by: 'rule' }]);
  expect(await broken()).toEqual([]);
});

test('a payment that is taken back between the warnings starts another clock, of which the buyer is warned anew', async () => {
  const late = await reserved();
  await run('2031-03-03');
  const sourceId = randomUUID();
  await payPurchase(on('2031-03-05'), late.id, 120_000, { sourceId });
  await reverse('2031-03-10', late, sourceId);
  await run('2031-03-10');
  expect(await shown(late, '2031-03-10')).toEqual({ endsOn: '2031-03-24', toPay: 1200, moreTime: false });
  await run('2031-03-17');
  await run('2031-03-21');
  expect([await warnings(late), await end(late)]).toMatchObject([
    [
      'first 2031-03-03 > 2031-03-17 stopped',
      'first 2031-03-10 > 2031-03-24',
      'last 2031-03-21 > 2031-03-24',
    ],
    ACTIVE,
  ]);
  await run('2031-03-24');
  expect(await end(late)).toMatchObject({ by: 'rule', refunds: [40_000] });
  expect(await broken()).toEqual([]);
});

test('a part that is paid, and taken back, leaves the clock as it was: the day stands, and the sum follows', async () => {
  const late = await reserved();
  await run('2031-03-03');
  const sourceId = randomUUID();
  await payPurchase(on('2031-03-05'), late.id, 50_000, { sourceId });
  expect(await shown(late, '2031-03-06')).toEqual({ endsOn: '2031-03-17', toPay: 700, moreTime: false });
  await reverse('2031-03-06', late, sourceId);
  expect(await shown(late, '2031-03-07')).toEqual({ endsOn: '2031-03-17', toPay: 1200, moreTime: false });
  await run('2031-03-14');
  await run('2031-03-17');
  expect(await end(late)).toMatchObject({ by: 'rule' });
});

test('a plan whose buyer claims its goods, and whose last payment was taken back, is neither warned of nor ended meanwhile', async () => {
  const late = await reserved();
  const sourceId = randomUUID();
  await payPurchase(on('2031-01-30'), late.id, 240_000, { sourceId });
  const { folio } = await openClaim({ db: on('2031-02-20') }, late.buyerId, late.id, 'Nunca llegó');
  await reverse('2031-02-21', late, sourceId);
  for (const day of ['2031-03-03', '2031-03-14', '2031-03-17', '2031-04-17']) await run(day);
  expect([await warnings(late), await end(late)]).toMatchObject([[], ACTIVE]);
  await withdrawClaim({ db: on('2031-04-18') }, late.buyerId, late.id, folio);
  await run('2031-04-18');
  expect(await warnings(late)).toEqual(['first 2031-04-18 > 2031-05-02']);
});

/** What somebody of the late plan's shop answers who gives it time; the refusal's code where they may not. */
async function give(day: string, { id, merchantId }: Late, until: string): Promise<string> {
  const db = on(day);
  const { positionId } = await makeStaff(db, { merchantId, role: 'owner' });
  const caller = { kind: 'staff', positionId, merchantId, role: 'owner', branchIds: [] } as unknown as Staff;
  return giveMoreTime({ db }, caller, id, { until, reason: 'Estuvo enferma' }).catch(({ code }) => code);
}

test('time that the shop gives lasts until the end of its last day, and the buyer is told of it and warned again before it', async () => {
  const late = await reserved();
  await run('2031-03-03');
  await run('2031-03-14');
  expect(await give('2031-03-15', late, '2031-04-20')).toBe('2031-04-20');
  // Pressed twice.
  expect(await give('2031-03-15', late, '2031-04-20')).toBe('2031-04-20');
  expect(await shown(late, '2031-03-15')).toEqual({ endsOn: '2031-04-20', toPay: 1200, moreTime: true });
  for (const day of ['2031-03-17', '2031-04-06', '2031-04-07', '2031-04-17', '2031-04-18', '2031-04-20'])
    await run(day);
  expect([await warnings(late), await end(late)]).toMatchObject([
    [
      'first 2031-03-03 > 2031-03-17 stopped',
      'last 2031-03-14 > 2031-03-17 stopped',
      'first 2031-04-07 > 2031-04-21',
      'last 2031-04-18 > 2031-04-21',
    ],
    ACTIVE,
  ]);
  // Their last day is over, and nobody is late to see to it.
  const waiting = await overdue('2031-04-21');
  await run('2031-04-21');
  expect([await end(late), await overdue('2031-04-21')]).toMatchObject([
    { by: 'rule', refunds: [40_000] },
    waiting,
  ]);
  const db = on('2031-04-21');
  const { rows } = await sql<object>`
    select facts from outbox where topic = 'more_time' and buyer_id = ${late.buyerId}`.execute(db);
  expect(rows).toMatchObject([
    { facts: { purchaseId: late.id, endsOn: '2031-04-20', dueOn: '2031-01-31', amountCentavos: 120_000 } },
  ]);
  const acts = await db
    .selectFrom('staff_acts')
    .select(['act', 'subject_id', 'detail'])
    .where('merchant_id', '=', late.merchantId)
    .execute();
  expect(acts).toEqual([
    {
      act: 'give_time',
      subject_id: String(late.id),
      detail: { reason: 'Estuvo enferma', from: '2031-03-17', until: '2031-04-20', dueOn: '2031-01-31' },
    },
  ]);
  expect(await broken()).toEqual([]);
});

test('the same day given again for another instalment is told again', async () => {
  const late = await reserved();
  await give('2031-03-01', late, '2031-04-20');
  await payPurchase(on('2031-03-02'), late.id, 120_000);
  expect(await give('2031-03-05', late, '2031-04-20')).toBe('2031-04-20');
  const { rows } = await sql<object>`
    select facts->>'dueOn' as "dueOn" from outbox where topic = 'more_time' and buyer_id = ${late.buyerId} order by id`.execute(
    on('2031-03-06'),
  );
  expect(rows).toEqual([{ dueOn: '2031-01-31' }, { dueOn: '2031-03-02' }]);
});

test('a few days more leave the warning that stands, and warn once more for the last time', async () => {
  const late = await reserved();
  await run('2031-03-03');
  await run('2031-03-14');
  await give('2031-03-15', late, '2031-03-20');
  await run('2031-03-17');
  await run('2031-03-18');
  await run('2031-03-20');
  expect([await warnings(late), await end(late)]).toMatchObject([
    ['first 2031-03-03 > 2031-03-17', 'last 2031-03-14 > 2031-03-17 stopped', 'last 2031-03-18 > 2031-03-21'],
    ACTIVE,
  ]);
  await run('2031-03-21');
  expect(await end(late)).toMatchObject({ by: 'rule' });
});

test('time is given from 1 to 60 days, of late plans alone that end by a rule, and ends with the instalment that it is for', async () => {
  const [late, never] = [await reserved(), await reserved('none')];
  expect(await give('2031-01-31', late, '2031-04-01')).toBe('INVALID_INPUT');
  expect(await give('2031-02-10', never, '2031-04-01')).toBe('INVALID_INPUT');
  expect(await give('2031-02-10', late, '2031-03-17')).toBe('INVALID_INPUT');
  expect(await give('2031-02-10', late, '2031-05-17')).toBe('INVALID_INPUT');
  expect(await give('2031-02-10', { ...late, merchantId: never.merchantId }, '2031-05-16')).toBe('NOT_FOUND');
  expect(await give('2031-02-10', late, '2031-05-16')).toBe('2031-05-16');
  await payPurchase(on('2031-02-20'), late.id, 120_000);
  // 45 days after 2 March, as if no time had been given.
  await run('2031-04-02');
  expect(await warnings(late)).toEqual(['first 2031-04-02 > 2031-04-16']);
  await payPurchase(on('2031-04-03'), late.id, 120_000);
  expect(await give('2031-04-04', late, '2031-05-01')).toBe('PURCHASE_SETTLED');
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

test('a late date that its buyer moves stops the clock, which runs anew from the day that it got', async () => {
  const late = await reserved(45);
  await sql`update merchants set moves_allowed = 1, move_days = 60 where id = ${late.merchantId}`.execute(
    on('2031-01-01'),
  );
  // 28 days late: the second instalment is not due yet, and the clock would end it on 17 March.
  await changePlan(on('2031-02-28'), late.buyerId, late.id, {
    sequence: 1,
    number: 2,
    fromDay: '2031-01-31',
    toDay: '2031-03-01',
    amountCentavos: centavos(120_000),
  });
  await run('2031-03-10');
  expect(await warnings(late)).toEqual([]);
  expect(await shown(late, '2031-03-17')).toBeNull();
  await run('2031-04-01');
  expect(await warnings(late)).toEqual(['first 2031-04-01 > 2031-04-15']);
  await run('2031-04-12');
  await run('2031-04-14');
  expect(await end(late)).toMatchObject(ACTIVE);
  await run('2031-04-15');
  expect(await end(late)).toMatchObject({ state: 'cancelled', by: 'rule' });
  expect(await broken()).toEqual([]);
});
