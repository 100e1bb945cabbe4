import { randomUUID } from 'node:crypto';

import type { ShopToday } from '@aparta/contract/counter-reports';
import { ageOf } from '@aparta/domain/ageing';
import { addDays, daysBetween, formatDate, mexicoCityDate } from '@aparta/domain/calendar';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import { SHOP_MAIL_KINDS, type ShopMail } from '@aparta/domain/shop-mails';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { sql } from 'kysely';
import readExcelFile from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  makeBranch,
  makeBuyer,
  makeMerchant,
  makeProduct,
  makeReference,
  makeStaff,
  PASSWORD,
} from '../../../../test/make.ts';
import { payLate } from '../../../../test/card-acts.ts';
import { makeClaimed, makePurchase, payPurchase } from '../../../../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../../../../test/shop.ts';
import { asOwner, booksAreFinal } from '../../../../test/store-acts.ts';
import { type Db, openDb } from '../../../platform/db/db.ts';
import { deliverEmail } from '../../../platform/email/deliver-email.ts';
import { digestEmail } from '../../../platform/email/digest-copy.ts';
import { linksFrom } from '../../../platform/email/links.ts';
import { transaction } from '../../../platform/db/transaction.ts';
import { cancelPurchase } from '../../../purchases/cancelling/cancel.ts';
import { reversePayment } from '../../../purchases/plans/reverse-payment.ts';
import { lockPurchase } from '../../../purchases/plans/store.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ merchant: { feeMethods: [] } });
});
afterAll(() => shop.close());

async function daysAgo<T>(days: number, act: (past: Db) => Promise<T>): Promise<T> {
  const past = openDb({ url: shop.ownerUrl, role: 'none', max: 1, clockOffset: `-${days} days` });
  try {
    return await act(past);
  } finally {
    await past.destroy();
  }
}

/** What happens to a purchase, some days after it was made. */
const act = fc.record({
  what: fc.constantFrom('pay', 'pay', 'counter', 'terminal', 'reverse', 'withdraw', 'cancel'),
  after: fc.nat(40),
  centavos: fc.integer({ min: 1, max: 200_000 }),
  isStore: fc.boolean(),
});
const history = fc.array(
  fc.record({
    daysAgo: fc.oneof(fc.nat(120), fc.integer({ min: 360, max: 398 })),
    acts: fc.array(act, { maxLength: 4 }),
  }),
  {
    minLength: 1,
    maxLength: 5,
  },
);

/** Ages and windows end on these days: instalments are due 30 days apart. */
const BORDERS = [15, 30, 31, 60, 61, 91, 398].map((days) => ({ daysAgo: days, acts: [] }));

/** Money that a store took back on another day, today and on the day of its payment, and payments since. */
const TAKEN_BACK = [
  [10, 20],
  [10, 40],
  [10, 10],
].map(([paid = 0, back = 0]) => ({
  daysAgo: 40,
  acts: [
    { what: 'pay', after: paid, centavos: 24_490, isStore: true },
    { what: 'withdraw', after: back, centavos: 1, isStore: true },
    { what: 'pay', after: 30, centavos: 1_000, isStore: false },
    { what: 'pay', after: 40, centavos: 2_000, isStore: false },
  ],
}));

interface Place {
  readonly merchantId: number;
  readonly branchIds: readonly number[];
  readonly tokens: Readonly<Record<'owner' | 'manager', string>>;
}

async function openMerchant(feeMethods: PaymentMethod[] = []): Promise<Place> {
  const merchantId = await makeMerchant(shop.db, { feeMethods });
  const branchIds = [await makeBranch(shop.db, merchantId), await makeBranch(shop.db, merchantId)];
  const owner = await makeStaff(shop.db, { merchantId, role: 'owner' });
  const manager = await makeStaff(shop.db, { merchantId, role: 'manager', branchIds: branchIds.slice(0, 1) });
  return { merchantId, branchIds, tokens: { owner: owner.token, manager: manager.token } };
}

const ask = async (call: string, token: string) =>
  (await shop.ask(`GET /v1/counter/${call}`, { token })).body.data;

const MOST_DAYS = 400;

/** A year and more: the sums of its days, its rows and its files, against the ledger. */
async function compareYear(place: Place, { day }: ShopToday) {
  const { owner, manager } = place.tokens;
  const from = addDays(day, 1 - MOST_DAYS);
  const taken = (await collectedByLedger(place)).filter((each) => each.day >= from);
  const days = `takings?from=${from}&to=${day}`;
  const byDay = (rows: typeof taken) =>
    [...Map.groupBy(rows, (each) => each.day)]
      .map(([on, its]) => ({ day: on, ...collectedBy(its) }))
      .toSorted((one, other) => other.day.localeCompare(one.day));
  expect((await ask(days, owner)).days).toEqual(byDay(taken));
  expect((await ask(`${days}&method=till`, owner)).days).toEqual(
    byDay(taken.filter(({ method }) => method === 'till')),
  );
  expect((await ask(days, manager)).days).toEqual(
    byDay(taken.filter(({ branch }) => branch === place.branchIds[0])),
  );
  const rows = await listAll(days, 'takings', owner);
  expect(new Set(rows.map(({ folio, at }) => `${folio} ${at}`)).size).toBe(taken.length);
  expect(rows.map(({ at }) => at)).toEqual(
    rows
      .map(({ at }) => at)
      .toSorted()
      .reverse(),
  );
  expect(collectedBy(rows.map(lineOf))).toEqual(collectedBy(taken));
  // A file that follows another begins where that one ends.
  const middle = rows[Math.floor(rows.length / 2)];
  if (middle) {
    const [, ...after] = await saved('takings', owner, {
      format: 'csv',
      from,
      to: day,
      cursor: `${middle.id}${middle.withdrawn > 0 ? 'w' : ''}`,
    });
    expect(after.map(([folio, , , pesos]) => [folio, inCentavos(Number(pesos))])).toEqual(
      rows.slice(rows.indexOf(middle) + 1).map((row) => [row.folio, lineOf(row).centavos]),
    );
  }
}

/** Every row of a list, page after page. */
async function listAll(call: string, name: string, token: string): Promise<any[]> {
  const rows: any[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: any = await ask(`${call}${cursor && `&cursor=${cursor}`}`, token);
    rows.push(...page[name]);
    cursor = page.next;
  }
  return rows;
}

async function happen(place: Place, made: typeof history extends fc.Arbitrary<infer One> ? One : never) {
  const { merchantId, branchIds, tokens } = place;
  const folios: string[] = [];
  for (const { daysAgo: ago, acts } of made) {
    const atStores: { sourceId: string; daysAgo: number }[] = [];
    const productId = await makeProduct(shop.db, { merchantId });
    const whose = { buyerId: shop.buyer.id, merchantId, productId };
    const { id } = await daysAgo(ago, (past) => makePurchase(past, whose));
    for (const { what, after, centavos, isStore } of acts) {
      const {
        state,
        paid_centavos: paid,
        price_centavos: price,
      } = await shop.db.selectFrom('purchases').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const sum = Math.min(centavos, price - paid);
      if (state === 'cancelled' || (sum <= 0 && what !== 'reverse' && what !== 'withdraw')) continue;
      const then = Math.max(0, ago - after);
      if (what === 'pay') {
        const sourceId = randomUUID();
        await daysAgo(then, (past) =>
          payPurchase(past, id, sum, { channel: isStore ? 'cash' : 'till', sourceId }),
        );
        if (isStore) atStores.push({ sourceId, daysAgo: then });
      } else if (what === 'withdraw') {
        const paid = atStores.pop();
        if (paid === undefined) continue;
        await daysAgo(Math.min(then, paid.daysAgo), (past) =>
          transaction(past, async (tx) => {
            await lockPurchase(tx, id);
            await reversePayment(tx, { channel: 'cash', sourceId: paid.sourceId }, id);
          }),
        );
      } else if (what === 'cancel') await cancel(id);
      else if (what === 'reverse') {
        const folio = folios.pop();
        if (folio !== undefined)
          await shop.ask(`POST /v1/counter/receipts/${folio}/reverse`, {
            token: tokens.owner,
            body: { reason: 'Error de caja' },
          });
      } else {
        const [{ reference }] = (await ask(`purchases?show=all&search=${id}`, tokens.owner)).purchases;
        const how =
          what === 'counter'
            ? { method: 'cash' }
            : { method: 'terminal', last4: '4242', authorisation: '048215' };
        const branchId = branchIds[centavos % 2];
        const body = { id: randomUUID(), branchId, reference, amount: sum / 100, ...how };
        const taken = await shop.ask('POST /v1/counter/payments', { token: tokens.owner, body });
        folios.push(taken.body.data.folio);
      }
    }
  }
}

const cancel = (id: number) =>
  cancelPurchase({ db: shop.db }, shop.buyer.id, id, { notes: '', shownCentavos: undefined });

/** What the ledger says was collected and, below zero, what of it was taken back on a later day; a day's own takes itself away. */
async function collectedByLedger({ merchantId }: Place) {
  const { rows } = await sql<{
    sourceId: string;
    day: string;
    method: string;
    branch: number | null;
    centavos: number;
  }>`
    select e.source_id as "sourceId", (e.occurred_at at time zone 'America/Mexico_City')::date as day, o.branch_id as branch,
      case when o.method = 'cash' then 'counter_cash' when o.method = 'terminal' then 'counter_terminal'
        when e.kind like 'cash%' then 'store' else split_part(e.kind, '_', 1) end as method,
      (select sum(amount_centavos) from ledger_transfers t where t.event_id = e.id)
        * case when e.kind like '%\\_receipt' then 1 else -1 end as centavos
    from ledger_events e left join counter_operations o on o.till_operation_id::text = e.source_id
    where e.merchant_id = ${merchantId} and (e.kind like '%\\_receipt' or e.kind like '%\\_reversal')`.execute(
    shop.db,
  );
  return [...Map.groupBy(rows, ({ sourceId, day }) => `${sourceId} ${day}`).values()]
    .filter((its) => its.length === 1)
    .flat()
    .map((row) => ({ ...row, centavos: Number(row.centavos) }));
}

const inCentavos = (pesos: number) => Math.round(pesos * 100);
const figureOf = (rows: readonly { centavos: number }[]) => ({
  amount: rows.reduce((sum, { centavos }) => sum + centavos, 0) / 100,
  count: rows.length,
});
/** Payments, and what was taken back of earlier ones. */
const collectedBy = (rows: readonly { centavos: number }[]) => ({
  ...figureOf(rows.filter(({ centavos }) => centavos > 0)),
  withdrawn: rows.reduce((sum, { centavos }) => sum + Math.max(0, 0 - centavos), 0) / 100,
});
const lineOf = ({ amount, withdrawn }: { amount: number; withdrawn: number }) => ({
  centavos: inCentavos(amount) - inCentavos(withdrawn),
});
const sumOf = (figures: readonly { amount: number; count: number }[]) => ({
  amount: figures.reduce((sum, { amount }) => sum + inCentavos(amount), 0) / 100,
  count: figures.reduce((sum, { count }) => sum + count, 0),
});

const collectedIn = (figures: readonly { amount: number; withdrawn: number; count: number }[]) => ({
  ...sumOf(figures),
  withdrawn: sumOf(figures.map(({ withdrawn }) => ({ amount: withdrawn, count: 0 }))).amount,
});

/** Every figure of the page against the ledger and the plans, read apart from it. */
async function compare(place: Place) {
  const page: ShopToday = await ask('today', place.tokens.owner);
  const taken = await collectedByLedger(place);
  const within = (from: string, to: string) => taken.filter(({ day }) => day >= from && day <= to);
  for (const { from, to, ...figure } of page.weeks) expect(figure).toEqual(collectedBy(within(from, to)));
  const { from: monday, to: sunday } = page.weeks.at(-1)!;
  expect(collectedIn(page.week)).toEqual(collectedBy(within(monday, sunday)));
  for (const { method, ...figure } of page.today)
    expect([method, figure]).toEqual([
      method,
      collectedBy(within(page.day, page.day).filter((each) => each.method === method)),
    ]);
  expect(collectedIn(page.today)).toEqual(collectedBy(within(page.day, page.day)));
  const inBranch = taken.filter(({ branch }) => branch === place.branchIds[0]);
  expect(collectedIn((await ask('today', place.tokens.manager)).today)).toEqual(collectedBy(inBranch));

  const { rows: plans } = await sql<{ id: number; dueOn: string; centavos: number }>`
    select p.id, i.due_on as "dueOn", i.amount_centavos - i.paid_centavos as centavos
    from purchases p join instalments i on i.purchase_id = p.id
    where p.merchant_id = ${place.merchantId} and p.state = 'active' and i.paid_centavos < i.amount_centavos`.execute(
    shop.db,
  );
  for (const { days, ...figure } of page.due)
    expect(figure).toEqual(
      figureOf(
        plans.filter(({ dueOn }) => daysBetween(page.day, dueOn) >= 0 && dueOn <= addDays(page.day, days)),
      ),
    );
  expect(page.overdue).toEqual(figureOf(plans.filter(({ dueOn }) => dueOn < page.day)));
  const purchases = [...Map.groupBy(plans, ({ id }) => id).values()].map((its) => ({
    age: ageOf(its.map(({ dueOn }) => dueOn).toSorted()[0]!, page.day) ?? 'in_time',
    centavos: its.reduce((sum, { centavos }) => sum + centavos, 0),
  }));
  for (const { age, ...figure } of page.balances)
    expect(figure).toEqual(figureOf(purchases.filter((each) => each.age === age)));
  // Of what open purchases cost, the ledger holds the rest.
  const {
    rows: [books],
  } = await sql<{ owed: number }>`
    select coalesce(sum(p.price_centavos), 0)::bigint - coalesce((select sum(balance) from balances
      where account = 'layaway_deposits' and subject = any (array_agg(p.id::text))), 0)::bigint as owed
    from purchases p where p.merchant_id = ${place.merchantId} and p.state = 'active'`.execute(shop.db);
  expect(inCentavos(sumOf(page.balances).amount)).toBe(books?.owed);
  const { rows: refunds } = await sql<{ centavos: number }>`
    select balance as centavos from balances where merchant_id = ${place.merchantId} and account = 'cash_refund_payable' and balance > 0`.execute(
    shop.db,
  );
  expect(inCentavos(page.refunds.amount)).toBe(
    refunds.reduce((sum, { centavos }) => sum + Number(centavos), 0),
  );
  return page;
}

/** Every figure against the rows that it leads to. */
async function compareLists({ tokens: { owner, manager } }: Place, page: ShopToday) {
  const takings = async (from: string, to: string, token = owner) =>
    (await listAll(`takings?from=${from}&to=${to}`, 'takings', token)).map(lineOf);
  const { from, to } = page.weeks[0]!;
  expect(collectedBy(await takings(from, page.weeks.at(-1)!.to))).toEqual(collectedIn(page.weeks));
  expect(collectedBy(await takings(from, to))).toEqual(collectedIn(page.weeks.slice(0, 1)));
  expect(collectedBy(await takings(page.day, page.day, manager))).toEqual(
    collectedIn((await ask('today', manager)).today),
  );
  const purchases = async (show: string, sum: 'listed' | 'balance') => {
    const rows = await listAll(`purchases?show=${show}`, 'purchases', owner);
    return figureOf(rows.map((row) => ({ centavos: inCentavos(row[sum]) })));
  };
  const shows = { in_time: 'in_time', '1-30': 'late_30', '31-60': 'late_60', '61+': 'late_61' } as const;
  for (const { age, ...figure } of page.balances)
    expect(await purchases(shows[age], 'balance')).toEqual(figure);
  expect(await purchases('active', 'balance')).toEqual(sumOf(page.balances));
  expect((await purchases('late', 'listed')).amount).toBe(page.overdue.amount);
  for (const { days, amount } of page.due)
    expect((await purchases(`due_${days}`, 'listed')).amount).toBe(amount);
  await compareFiles(owner, page);
  const refunds = (await ask('refunds', owner)).map(({ amount }: any) => ({ centavos: inCentavos(amount) }));
  expect(figureOf(refunds)).toEqual(page.refunds);
}

/** A list as a file, its cells read back. */
async function saved(call: string, token: string, body: object): Promise<string[][]> {
  const { data } = (await shop.ask(`POST /v1/counter/files/${call}`, { token, body })).body;
  expect(data.isWhole).toBe(true);
  const bytes = Buffer.from(data.contentByteArray, 'base64');
  if (data.fileName.endsWith('.csv')) return parse(bytes, { bom: true });
  const [sheet] = await readExcelFile(bytes);
  return sheet!.data.map((row) =>
    row.map((cell) => (cell instanceof Date ? cell.toISOString() : String(cell ?? ''))),
  );
}

/** What is saved of a list, as either file, adds up to what the page says. */
async function compareFiles(owner: string, page: ShopToday) {
  const days = { from: page.weeks[0]!.from, to: page.weeks.at(-1)!.to };
  for (const format of ['csv', 'xlsx'] as const) {
    const figures = async (call: string, column: string, body: object) => {
      const [head, ...rows] = await saved(call, owner, { format, ...body });
      const at = head!.indexOf(column);
      return rows.map((row) => ({ centavos: inCentavos(Number(row[at])) }));
    };
    expect(collectedBy(await figures('takings', 'Importe', days))).toEqual(collectedIn(page.weeks));
    expect(figureOf(await figures('purchases', 'Saldo', { show: 'active' }))).toEqual(sumOf(page.balances));
  }
}

test("however a shop's months went, each figure of its morning is the ledger's and the plans' to the centavo, and its rows add up to it", async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.boolean(), async (made, isFolded) => {
      const place = await openMerchant();
      await happen(place, made);
      if (isFolded) await shop.job.fold_sums({}, shop.jobs.log);
      const page = await compare(place);
      await compareLists(place, page);
      await compareYear(place, page);
      expect(page.balances).toHaveLength(4);
    }),
    {
      numRuns: 4,
      examples: [
        [BORDERS, true],
        [TAKEN_BACK, true],
      ],
    },
  );
});

test('money by card is the shop’s and no branch’s, and what ends today is counted while its deposit is missing', async () => {
  const { db, merchantId, buyer } = shop;
  const owner = await makeStaff(db, { merchantId, role: 'owner' });
  const manager = await makeStaff(db, {
    merchantId,
    role: 'manager',
    branchIds: [await makeBranch(db, merchantId)],
  });
  const paid = await shop.reference();
  await shop.pay(paid, CARDS.approved);
  const productId = await makeProduct(db, { merchantId });
  await daysAgo(2, (past) => makeReference(past, { buyerId: buyer.id, merchantId, productId }));
  const page: ShopToday = await ask('today', owner.token);
  expect(page).toMatchObject({
    today: [{ method: 'card', amount: 600, count: 1 }],
    expiring: { amount: 600, count: 1 },
  });
  expect(await ask('today', manager.token)).toMatchObject({ today: [], week: [], expiring: { count: 1 } });
  const [taking] = await listAll(
    `takings?from=${page.day}&to=${page.day}&method=card`,
    'takings',
    owner.token,
  );
  expect(taking).toMatchObject({ method: 'card', amount: 600, takenBy: null, branch: null });
  expect(
    await listAll(`takings?from=${page.day}&to=${page.day}&method=till`, 'takings', owner.token),
  ).toEqual([]);
});

test('a payment says what service fee is in it, in the list, its files and its purchase, until it is taken back', async () => {
  const { merchantId, branchIds, tokens } = await openMerchant(['till']);
  const take = async (reference: string, amount: number) => {
    const body = { id: randomUUID(), branchId: branchIds[0], reference, amount, method: 'cash' };
    return (await shop.ask('POST /v1/counter/payments', { token: tokens.owner, body })).body.data.folio;
  };
  const reserve = async () =>
    `1${await makeReference(shop.db, { buyerId: shop.buyer.id, merchantId, productId: await makeProduct(shop.db, { merchantId }) })}`;
  const deposit = await take(await reserve(), 615);
  const [{ id, reference }] = (await ask(`purchases?search=${deposit}`, tokens.owner)).purchases;
  const gone = await take(reference, 1_215);
  const { day } = await ask('today', tokens.owner);
  const listed = async () =>
    (await ask(`takings?from=${day}&to=${day}`, tokens.owner)).takings.map((each: any) => [
      each.folio,
      each.amount,
      each.fee,
    ]);
  expect(await listed()).toEqual([
    [gone, 1_215, 15],
    [deposit, 615, 15],
  ]);
  const body = { reason: 'Error de caja' };
  await shop.ask(`POST /v1/counter/receipts/${gone}/reverse`, { token: tokens.owner, body });
  await payPurchase(shop.db, id, 10_000);
  const [plain] = await listed();
  expect(await listed()).toEqual([
    [plain[0], 100, 0],
    [deposit, 615, 15],
  ]);

  const story = await ask(`purchases/${id}`, tokens.owner);
  expect(story.payments).toMatchObject([
    { folio: deposit, amount: 615, fee: 15, withdrawn: 0 },
    { folio: gone, amount: 1_215, fee: 0, withdrawn: 1_215 },
    { folio: plain[0], amount: 100, fee: 0, withdrawn: 0 },
  ]);
  for (const format of ['csv', 'xlsx']) {
    const [head, ...rows] = await saved('takings', tokens.owner, { format, from: day, to: day });
    expect(head!.slice(0, 5)).toEqual(['Folio', 'Fecha', 'Cómo', 'Importe', 'Cargo por servicio']);
    expect(rows.map((row) => row.slice(3, 5).map(Number))).toEqual([
      [100, 0],
      [615, 15],
    ]);
    expect(rows.reduce((all, row) => all + Number(row[3]) - Number(row[4]), 0)).toBe(story.paid);
  }
});

test('days in the wrong order, too many of them, and days of no calendar are refused', async () => {
  const { token } = await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'accountant' });
  for (const days of [
    'from=2026-03-02&to=2026-03-01',
    'from=2025-01-01&to=2026-02-05',
    'from=2026-02-30&to=2026-03-01',
  ])
    expect((await shop.ask(`GET /v1/counter/takings?${days}`, { token })).body.code).toBe('INVALID_INPUT');
});

const choose = (token: string, mail: ShopMail, isOn: boolean) =>
  shop.ask('POST /v1/counter/mails', { token, body: { mail, isOn } });

test('each owner is mailed once a day what came in yesterday and what waits today, drawers without a cut too, until they say no', async () => {
  const { merchantId, branchIds } = await openMerchant();
  const owner = await makeStaff(shop.db, { merchantId, role: 'owner' });
  const other = await makeStaff(shop.db, { merchantId, role: 'owner' });
  const cashier = await makeStaff(shop.db, { merchantId, role: 'cashier', branchIds, name: 'Eva Ruiz' });
  const productId = await makeProduct(shop.db, { merchantId });
  const id = await daysAgo(3, async (past) => {
    const purchase = await makePurchase(past, { buyerId: shop.buyer.id, merchantId, productId });
    return purchase.id;
  });
  await daysAgo(1, (past) => payPurchase(past, id, 5_000));
  await daysAgo(1, (past) => makePurchase(past, { buyerId: shop.buyer.id, merchantId, productId }));
  const ended = await daysAgo(3, (past) =>
    makePurchase(past, { buyerId: shop.buyer.id, merchantId, productId }),
  );
  await daysAgo(1, (past) =>
    cancelPurchase({ db: past }, shop.buyer.id, ended.id, { notes: '', shownCentavos: undefined }),
  );
  const [{ reference }] = (await ask(`purchases?show=all&search=${id}`, owner.token)).purchases;
  const body = { id: randomUUID(), branchId: branchIds[0], reference, amount: 50, method: 'cash' };
  expect((await shop.ask('POST /v1/counter/payments', { token: cashier.token, body })).status).toBe(200);
  const late = await daysAgo(46, (past) =>
    makePurchase(past, { buyerId: shop.buyer.id, merchantId, productId }),
  );
  await makeClaimed(shop, { buyerId: shop.buyer.id, merchantId, productId });
  const asOwner = openDb({ url: shop.ownerUrl, role: 'none', max: 1 });
  await asOwner
    .updateTable('counter_operations')
    .set({ created_at: sql<Date>`app_now() - interval '75 hours'` })
    .where('merchant_id', '=', merchantId)
    .execute();
  await sql`with its as (update purchases set end_days_late = 30 where id = ${late.id} returning layaway_reference_id as id)
    update layaway_references l set end_days_late = 30 from its where l.id = its.id`.execute(asOwner);
  await asOwner.destroy();
  await shop.job.end_late_plans({}, shop.jobs.log);

  expect((await choose(cashier.token, 'digest', false)).body.code).toBe('ROLE_NOT_ALLOWED');
  await choose(other.token, 'digest', false);
  expect(await ask('mails', other.token)).toEqual({ mails: ['refund_owed', 'unit_missing', 'claim'] });
  expect(await ask('mails', owner.token)).toEqual({
    mails: ['digest', 'refund_owed', 'unit_missing', 'claim'],
  });
  await Promise.all([shop.job.queue_digests({}, shop.jobs.log), shop.job.queue_digests({}, shop.jobs.log)]);
  await shop.job.queue_digests({}, shop.jobs.log);
  const queued = await shop.db
    .selectFrom('outbox')
    .selectAll()
    .where('recipient', 'in', [owner.email, other.email, cashier.email])
    .execute();
  expect(queued.map(({ recipient, topic }) => [recipient, topic])).toEqual([[owner.email, 'staff_digest']]);

  await deliverEmail(shop.jobs, queued[0]!.id);
  await deliverEmail(shop.jobs, queued[0]!.id);
  const { emails } = await shop.control('GET /control/emails');
  const mine = emails.filter(({ to }: { to: string[] }) => to.includes(owner.email));
  expect(mine).toHaveLength(1);
  for (const said of [
    'Cobrado ayer',
    'Tu caja: 2 · $650.00 MXN',
    'Compras nuevas: 1',
    'Compras canceladas: 1',
    'Caja de Eva Ruiz',
    '$50.00 MXN sin corte desde hace 3 días',
    'Reclamos abiertos: 1 · $3,000.00 MXN',
    `La compra ${late.id} termina por atraso: el ${formatDate(addDays(mexicoCityDate(new Date()), 14))}`,
  ])
    expect(mine[0].text).toContain(said);

  const manager = await makeStaff(shop.db, { merchantId, role: 'manager', branchIds: branchIds.slice(1) });
  expect((await ask('today', owner.token)).uncut).toEqual({ amount: 50, count: 1 });
  expect((await ask('today', manager.token)).uncut).toEqual({ amount: 0, count: 0 });

  const digest = { positionId: owner.positionId, merchantId, day: (await ask('today', owner.token)).day };
  expect(await shop.jobs.shopDigest(digest)).toMatchObject({ newPurchases: 1, paidOff: 0, cancelled: 1 });
  expect(await shop.jobs.shopDigest({ ...digest, day: addDays(digest.day, -1) })).toBeUndefined();
  await choose(owner.token, 'digest', false);
  expect(await shop.jobs.shopDigest(digest)).toBeUndefined();
  const quiet = await makeMerchant(shop.db, {});
  const { positionId } = await makeStaff(shop.db, { merchantId: quiet, role: 'owner' });
  expect(await shop.jobs.shopDigest({ ...digest, positionId, merchantId: quiet })).toBeUndefined();
});

test('a drawer that gave back more than it took waits for its cut too, and no owner misses their morning for it', async () => {
  const { merchantId, branchIds, tokens } = await openMerchant();
  const [branchId] = branchIds;
  const cashier = await makeStaff(shop.db, { merchantId, role: 'cashier', branchIds, name: 'Eva Ruiz' });
  const { id: buyerId, token: buyer } = await makeBuyer(shop.db);
  const productId = await makeProduct(shop.db, { merchantId });
  const reference = `1${await makeReference(shop.db, { buyerId, merchantId, productId })}`;
  const body = { id: randomUUID(), branchId, reference, amount: 600, method: 'cash' };
  expect((await shop.ask('POST /v1/counter/payments', { token: cashier.token, body })).status).toBe(200);
  const count = { movements: 1, cashTaken: 600, cashReturned: 0, float: 0, counted: 600 };
  const cut = { id: randomUUID(), branchId, ...count };
  expect((await shop.ask('POST /v1/counter/cuts', { token: cashier.token, body: cut })).status).toBe(200);
  const { id } = await shop.db
    .selectFrom('purchases')
    .select('id')
    .where('buyer_id', '=', buyerId)
    .executeTakeFirstOrThrow();
  const cancelled = await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${id}`, {
    token: buyer,
    body: { refundShown: 600 },
  });
  const refundId = cancelled.body.data.refunds[0].id;
  const paid = await shop.ask(`POST /v1/counter/refunds/${refundId}/pay`, {
    token: tokens.manager,
    body: { id: randomUUID(), branchId, amount: 600 },
  });
  expect(paid.status).toBe(200);
  const asOwner = openDb({ url: shop.ownerUrl, role: 'none', max: 1 });
  await asOwner
    .updateTable('counter_refunds')
    .set({ created_at: sql<Date>`app_now() - interval '75 hours'` })
    .where('merchant_id', '=', merchantId)
    .execute();
  await asOwner.destroy();

  const today = await shop.ask('GET /v1/counter/today', { token: tokens.owner });
  expect(today.status).toBe(200);
  expect(today.body.data.uncut).toEqual({ amount: 0, count: 1 });
  const { positionId } = await makeStaff(shop.db, { merchantId, role: 'owner' });
  const digest = await shop.jobs.shopDigest({ positionId, merchantId, day: today.body.data.day });
  const { blocks } = digestEmail(digest!, { product: '', links: linksFrom('') });
  expect(JSON.stringify(blocks)).toContain('-$600.00 MXN sin corte desde hace 3 días');
});

test('owners are mailed once what just happened, each what they chose, with nothing of the buyer but a short name', async () => {
  const { merchantId, branchIds, tokens } = await openMerchant();
  const owner = await makeStaff(shop.db, { merchantId, role: 'owner' });
  const cancels = await makeStaff(shop.db, { merchantId, role: 'owner' });
  const ignored = await makeStaff(shop.db, { merchantId, role: 'manager', branchIds: [] });
  for (const kind of SHOP_MAIL_KINDS) await choose(owner.token, kind, true);
  await choose(cancels.token, 'refund_owed', false);
  await choose(cancels.token, 'cancelled', true);
  await choose(tokens.owner, 'refund_owed', false);
  for (const token of [cancels.token, tokens.owner]) await choose(token, 'unit_missing', false);
  expect(await ask('mails', owner.token)).toEqual({
    mails: expect.arrayContaining(['digest', ...SHOP_MAIL_KINDS]),
  });

  const buyer = await makeBuyer(shop.db, { userName: 'Marisol Ramos Díaz' });
  const whose = { buyerId: buyer.id, merchantId, productId: await makeProduct(shop.db, { merchantId }) };
  const reserve = async () =>
    makeReference(shop.db, { ...whose, productId: await makeProduct(shop.db, { merchantId }) });
  await reserve();
  const ending = await reserve();
  await asOwner(
    shop,
    "update layaway_references set expires_at = app_now() + interval '14 hours' where id = $1",
    [ending],
  );
  const paid = await makePurchase(shop.db, whose);
  await payPurchase(shop.db, paid.id, 240_000, { channel: 'till' });
  await asOwner(
    shop,
    `with unit as (insert into product_units values ($1, $2, $3, 1, 1) returning *)
      insert into holds (layaway_reference_id, product_id, branch_id, missing_since)
      select p.layaway_reference_id, p.product_id, unit.branch_id, app_now() from purchases p, unit where p.id = $4`,
    [whose.productId, branchIds[0], merchantId, paid.id],
  );
  const ended = await makePurchase(shop.db, whose);
  const queued = async () => {
    await booksAreFinal(shop);
    await Promise.all([0, 1].map(() => shop.job.queue_shop_mails({}, shop.jobs.log)));
    await shop.job.queue_shop_mails({}, shop.jobs.log);
    const { rows } = await sql<{ id: number; to: string; kind: string }>`
      select id, recipient as to, facts ->> 'kind' as kind from outbox
      where topic = 'staff_shop_news' and (facts ->> 'merchantId')::bigint = ${merchantId} order by kind, id`.execute(
      shop.db,
    );
    return rows;
  };
  expect((await queued()).map(({ to, kind }) => [to, kind])).toEqual(
    ['expiring', 'first_deposit', 'first_deposit', 'paid_off', 'unit_missing'].map((kind) => [
      owner.email,
      kind,
    ]),
  );
  await cancelPurchase({ db: shop.db }, buyer.id, ended.id, { notes: '', shownCentavos: undefined });
  const all = await queued();
  expect(all.map(({ kind }) => kind)).toEqual([
    'cancelled',
    'cancelled',
    'expiring',
    'first_deposit',
    'first_deposit',
    'paid_off',
    'refund_owed',
    'unit_missing',
  ]);
  expect(all.filter(({ to }) => to === cancels.email).map(({ kind }) => kind)).toEqual(['cancelled']);
  expect(all.filter(({ to }) => to === ignored.email)).toEqual([]);

  // One that is chosen no more, or is so no more, is not sent.
  await choose(owner.token, 'first_deposit', false);
  for (const { id } of [...all, ...all]) await deliverEmail(shop.jobs, id);
  const { emails } = await shop.control('GET /control/emails');
  const mine = emails.filter(({ to }: { to: string[] }) => to.includes(owner.email));
  expect(mine.map(({ subject }: { subject: string }) => subject.split(': ')[1]).toSorted()).toEqual([
    'compra cancelada, $600.00 MXN',
    'compra liquidada, $2,400.00 MXN',
    'devolución por entregar en caja, $600.00 MXN',
    'un apartado vence hoy, $600.00 MXN',
    'una pieza guardada no aparece, $3,000.00 MXN',
  ]);
  const refund = mine.find(({ subject }: { subject: string }) => subject.includes('devolución por entregar'));
  expect(refund.text).toMatch(/Cómo:?\s+En efectivo/);
  for (const { text, html, listUnsubscribe, listUnsubscribePost } of mine) {
    expect(listUnsubscribePost).toBe('List-Unsubscribe=One-Click');
    expect(text).toContain(listUnsubscribe.slice(1, -1));
    expect(text).toContain('Marisol R.');
    expect(text + html).not.toMatch(/Ramos|undefined|null|\bNaN\b/);
    expect(text + html).not.toContain(buyer.email);
    expect(text + html).not.toContain('5512345678');
  }
});

test('owners are mailed of each purchase that one card payment for several paid off', async () => {
  const { merchantId } = shop;
  const { token, email } = await makeStaff(shop.db, { merchantId, role: 'owner' });
  await choose(token, 'paid_off', true);
  const { ids, pay } = await payLate(shop, { merchantId, daysAgo: [80, 40, 80], card: CARDS.approved });
  expect((await pay()).body.data).toMatchObject({ applied: true, amount: 6_000 });
  await booksAreFinal(shop);
  await shop.job.queue_shop_mails({}, shop.jobs.log);
  const { rows } = await sql<{ id: number; amount: number }>`
    select (facts ->> 'subjectId')::bigint as id, (facts ->> 'amountCentavos')::bigint as amount from outbox
    where topic = 'staff_shop_news' and recipient = ${email} and facts ->> 'kind' = 'paid_off' order by id`.execute(
    shop.db,
  );
  expect(rows).toEqual([ids[0], ids[2]].map((id) => ({ id, amount: 240_000 })));
});

test('an email of the shop is left by one press in the mail program, by its reader alone, and by no program that opens its links', async () => {
  const { merchantId } = await openMerchant();
  const owner = await makeStaff(shop.db, { merchantId, role: 'owner' });
  const other = await makeStaff(shop.db, { merchantId, role: 'owner' });
  await choose(owner.token, 'cancelled', true);
  const mailsOf = async (token: string) => (await ask('mails', token)).mails;
  const code = shop.jobs.unsubscribeCode({ positionId: owner.positionId, mail: 'digest' });
  const FORM = 'application/x-www-form-urlencoded';
  const open = (what: string, method = 'GET', body?: string, type = FORM) =>
    shop.ask(`${method} /correos/baja/${what}`, {
      ...(body !== undefined && { body, headers: { 'content-type': type } }),
    });
  const before = await mailsOf(owner.token);

  const page = await open(code);
  expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(page.body).toContain('<form method="post">');
  expect(page.body).toContain('Ya no te llegará «Cada mañana, cómo va tu tienda»');
  await open(code, 'HEAD');
  expect(await mailsOf(owner.token)).toEqual(before);

  const [position, mail, signature = ''] = code.split('.');
  for (const wrong of [
    `${other.positionId}.${mail}.${signature}`,
    `${position}.cancelled.${signature}`,
    `${position}.everything.${signature}`,
    `${position}.${mail}.${signature.slice(0, -2)}`,
    `${position}.${mail}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    `${position}.${mail}`,
    'x',
  ])
    for (const method of ['GET', 'POST']) {
      const refused = await open(wrong, method);
      expect([refused.status, refused.body]).toEqual([404, expect.stringContaining('Este enlace no sirve')]);
    }
  expect(await mailsOf(owner.token)).toEqual(before);

  for (const body of ['List-Unsubscribe=One-Click', undefined]) {
    const done = await open(code, 'POST', body);
    expect([done.status, done.body]).toEqual([200, expect.stringContaining('Listo, ya no te llega')]);
  }
  const cancelled = shop.jobs.unsubscribeCode({ positionId: owner.positionId, mail: 'cancelled' });
  const part = '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
  expect((await open(cancelled, 'POST', part, 'multipart/form-data; boundary=x')).status).toBe(200);
  expect(await mailsOf(owner.token)).toEqual(['refund_owed', 'unit_missing', 'claim']);
  expect(await mailsOf(other.token)).toEqual(['digest', 'refund_owed', 'unit_missing', 'claim']);
  const acts = await shop.db
    .selectFrom('staff_acts')
    .select('detail')
    .where('position_id', '=', owner.positionId)
    .where('act', '=', 'turn_mail_off')
    .orderBy('id')
    .execute();
  expect(acts.map(({ detail }) => detail)).toEqual([
    { mail: 'digest', from: 'email' },
    { mail: 'cancelled', from: 'email' },
  ]);
});

test('what an owner wants to be mailed stays so when their role is changed, and links in older emails still turn it off', async () => {
  const { merchantId, branchIds, tokens } = await openMerchant();
  const ana = await makeStaff(shop.db, { merchantId, role: 'owner' });
  await choose(ana.token, 'digest', false);
  await choose(ana.token, 'claim', false);
  await choose(ana.token, 'cancelled', true);
  const change = async (positionId: string, role: string): Promise<string> => {
    const body = { role, branchIds: role === 'manager' ? branchIds : [] };
    const { body: changed } = await shop.ask(`POST /v1/counter/staff/${positionId}/change`, {
      token: tokens.owner,
      body,
    });
    return changed.data.positionId;
  };
  const mailsOf = async (email: string) => {
    const { body } = await shop.ask('POST /v1/counter/sign-in', { body: { email, password: PASSWORD } });
    return (await ask('mails', body.data.session.token)).mails;
  };
  const now = await change(await change(ana.positionId, 'manager'), 'owner');
  expect(await mailsOf(ana.email)).toEqual(['refund_owed', 'unit_missing', 'cancelled']);

  const code = shop.jobs.unsubscribeCode({ positionId: ana.positionId, mail: 'refund_owed' });
  expect((await shop.ask(`POST /correos/baja/${code}`)).status).toBe(200);
  expect(await mailsOf(ana.email)).toEqual(['unit_missing', 'cancelled']);
  const acts = shop.db.selectFrom('staff_acts').select('position_id').where('act', '=', 'turn_mail_off');
  expect(await acts.orderBy('id', 'desc').executeTakeFirst()).toEqual({ position_id: now });

  // Who was no owner has chosen nothing.
  const luis = await makeStaff(shop.db, { merchantId, role: 'cashier', branchIds });
  await asOwner(shop, `update staff_positions set mails = '{}' where id = '${luis.positionId}'`);
  await change(luis.positionId, 'owner');
  expect(await mailsOf(luis.email)).toEqual(['digest', 'refund_owed', 'unit_missing', 'claim']);
});
