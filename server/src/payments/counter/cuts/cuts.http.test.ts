import { randomUUID } from 'node:crypto';

import { mexicoCityDate } from '@aparta/domain/calendar';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  makeBranch,
  makeBuyer,
  makeMerchant,
  makeProduct,
  makeReference,
  makeStaff,
  type MadeStaff,
} from '../../../../test/make.ts';
import { textOfPdf } from '../../../../test/pdf-text.ts';
import { openShop, type Shop } from '../../../../test/shop.ts';
import { asOwner } from '../../../../test/store-acts.ts';
import { databaseNow } from '../../../platform/db/transaction.ts';
import { listDay } from '../../tills/store.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ merchant: { feeMethods: [] } });
});
afterAll(() => shop.close());

/** A branch with a manager and cashiers, and a purchase to take money for. */
async function openDay(cashiers: number) {
  const { db, merchantId } = shop;
  const branchId = await makeBranch(db, merchantId);
  const staff = (role: 'cashier' | 'manager', name: string) =>
    makeStaff(db, { merchantId, role, branchIds: [branchId], name });
  const manager = await staff('manager', 'Rosa Luna');
  const people = [];
  for (let each = 0; each < cashiers; each += 1) people.push(await staff('cashier', `Luis ${each}`));
  return { branchId, manager, people, first: people[0]!, reference: await bigPurchase(manager, branchId) };
}

async function bigPurchase(
  by: MadeStaff,
  branchId: number,
  merchantId: number = shop.merchantId,
): Promise<string> {
  const { db } = shop;
  const productId = await makeProduct(db, { merchantId, priceCentavos: 5_000_000 });
  // A buyer of its own: who makes many references in an hour is refused, and a counterexample is shrunk by many days.
  const { id: buyerId } = await makeBuyer(db);
  const id = await makeReference(db, { buyerId, merchantId, productId });
  const deposit = await take(by, branchId, `1${id}`, 10_000);
  await close(by, branchId);
  const found = await shop.ask(`GET /v1/counter/references/${deposit.body.data.folio}`, by);
  return found.body.data.reference;
}

function take(by: MadeStaff, branchId: number, reference: string, amount: number, isTerminal = false) {
  const how = isTerminal
    ? { method: 'terminal', last4: '4242', authorisation: '048215' }
    : { method: 'cash' };
  const body = { id: randomUUID(), branchId, reference, amount, ...how };
  return shop.ask('POST /v1/counter/payments', { token: by.token, body });
}

const reverse = (by: MadeStaff, folio: string) =>
  shop.ask(`POST /v1/counter/receipts/${folio}/reverse`, {
    token: by.token,
    body: { reason: 'Se cobró dos veces' },
  });

const shifts = async (by: MadeStaff, branchId: number) =>
  (await shop.ask(`GET /v1/counter/shifts?branchId=${branchId}`, by)).body.data;

/** The count of somebody who looked at their drawer and found in it what should be there. */
async function countOf(by: MadeStaff, branchId: number, more: object = {}) {
  const [{ movements, cashTaken, cashReturned, floatBefore }] = await shifts(by, branchId);
  const float = Math.max(0, Math.round((cashReturned - cashTaken) * 100) / 100);
  const counted = Math.round((float + cashTaken - cashReturned) * 100) / 100;
  const reason = float === (floatBefore ?? float) ? undefined : 'Hoy empecé con otro fondo';
  const seen = { branchId, movements, cashTaken, cashReturned, floatBefore };
  return { id: randomUUID(), ...seen, float, counted, reason, ...more };
}

const send = (by: MadeStaff, body: object) => shop.ask('POST /v1/counter/cuts', { token: by.token, body });
const close = async (by: MadeStaff, branchId: number, more: object = {}) =>
  send(by, await countOf(by, branchId, more));

test('a cashier cuts what they took, once, with a reason for what is missing', async () => {
  const { branchId, first, reference } = await openDay(1);
  const cash = await take(first, branchId, reference, 700.5);
  await take(first, branchId, reference, 200, true);
  const [own, ...others] = await shifts(first, branchId);
  expect(others).toEqual([]);
  expect(own).toMatchObject({
    name: 'Luis 0',
    cashTaken: 700.5,
    cashReturned: 0,
    terminalTaken: 200,
    movements: 2,
    list: [
      { kind: 'taken', method: 'terminal', amount: 200, reversed: false },
      { kind: 'taken', method: 'cash', amount: 700.5, folio: cash.body.data.folio },
    ],
  });
  const short = await countOf(first, branchId, { float: 500, counted: 1200 });
  expect((await send(first, short)).body.fields).toEqual({ reason: 'missing' });
  const count = { ...short, reason: 'Cambio mal dado' };
  const [one, two] = await Promise.all([send(first, count), send(first, count)]);
  expect(one.body.data).toMatchObject({
    number: 2,
    closedBy: 'Luis 0',
    float: 500,
    counted: 1200,
    reason: 'Cambio mal dado',
    movements: 2,
  });
  expect(two.body.data).toEqual(one.body.data);
  expect((await send(first, { ...count, counted: 1200.5 })).body.code).toBe('INTENT_CONFLICT');
  // The other tab still shows the drawer as it was.
  expect((await send(first, { ...count, id: randomUUID() })).body.code).toBe('CUT_CHANGED');
  const acts = await shop.db
    .selectFrom('staff_acts')
    .select(['act', 'branch_id'])
    .where('subject_id', '=', count.id)
    .execute();
  expect(acts).toEqual([{ act: 'close_cut', branch_id: branchId }]);

  const pdf = await shop.ask(`GET /v1/counter/cuts/${count.id}/pdf`, first);
  expect(pdf.body.data.fileName).toBe('corte-2.pdf');
  const text = textOfPdf(Buffer.from(pdf.body.data.contentByteArray, 'base64'));
  for (const words of ['Corte 2', '$1,200.50', 'Faltan $0.50', 'Cambio mal dado', '$200.00 (Terminal)'])
    expect(text).toContain(words);
});

test('another float than the cut before had is not closed without saying why, which whoever reads the cut reads', async () => {
  const { branchId, manager, first, reference } = await openDay(1);
  await take(first, branchId, reference, 600);
  expect((await shifts(first, branchId))[0].floatBefore).toBeNull();
  const before = await close(first, branchId, { float: 500, counted: 1100 });
  expect(before.body.data).toMatchObject({ float: 500, reason: null, floatReason: null });
  await take(first, branchId, reference, 600);
  expect((await shifts(first, branchId))[0].floatBefore).toBe(500);
  // A screen of the version before does not say what float it showed.
  for (const floatBefore of [500, undefined]) {
    const silent = { floatBefore, float: 0, counted: 600, reason: undefined };
    const refused = await close(first, branchId, silent);
    expect([refused.status, refused.body.code, refused.body.fields]).toEqual([
      422,
      'INVALID_INPUT',
      { reason: 'missing' },
    ]);
  }
  expect((await shifts(first, branchId))[0].movements).toBe(1);
  const reason = 'Hoy empecé sin cambio';
  const closed = await close(first, branchId, { float: 0, counted: 600, reason });
  expect(closed.body.data).toMatchObject({ float: 0, counted: 600, reason: null, floatReason: reason });
  await take(first, branchId, reference, 600);
  const both = { float: 50, counted: 600, reason: 'Faltó el cambio de hoy' };
  expect((await close(first, branchId, both)).body.data).toMatchObject({
    reason: 'Faltó el cambio de hoy',
    floatReason: 'Faltó el cambio de hoy',
  });
  const { id } = closed.body.data;
  const pdf = await shop.ask(`GET /v1/counter/cuts/${id}/pdf`, manager);
  expect(textOfPdf(Buffer.from(pdf.body.data.contentByteArray, 'base64'))).toContain(reason);
  const listed = (await shop.ask(`GET /v1/counter/cuts?branchId=${branchId}`, manager)).body.data;
  expect(listed.find((cut: { id: string }) => cut.id === id)).toMatchObject({ floatReason: reason });
});

test('who closes with the float of the cut before says nothing of it', async () => {
  const { branchId, first, reference } = await openDay(1);
  await take(first, branchId, reference, 600);
  await close(first, branchId, { float: 500, counted: 1100 });
  await take(first, branchId, reference, 200);
  const same = { float: 500, counted: 700, reason: undefined };
  expect((await close(first, branchId, same)).body.data).toMatchObject({ floatReason: null });
});

test('the float of the cut before is known however many cuts of others came since', async () => {
  const { branchId, manager, first, reference } = await openDay(1);
  await take(first, branchId, reference, 600);
  await close(first, branchId, { float: 500, counted: 1100 });
  await sql`insert into counter_cuts (id, merchant_id, branch_id, number, position_id, closed_by, from_at, until_at, movements,
      float_centavos, cash_taken_centavos, cash_returned_centavos, terminal_taken_centavos, terminal_returned_centavos, counted_centavos)
    select gen_random_uuid(), ${shop.merchantId}, ${branchId}, 100 + n, ${manager.positionId}, ${manager.positionId}, app_now(), app_now(),
      0, 80000, 0, 0, 0, 0, 80000 from generate_series(1, 30) n`.execute(shop.db);
  await take(first, branchId, reference, 600);
  const drawer = (await shifts(manager, branchId))[1];
  expect(drawer).toMatchObject({ positionId: first.positionId, floatBefore: 500 });
  const { positionId, movements, cashTaken, cashReturned } = drawer;
  const seen = { branchId, positionId, movements, cashTaken, cashReturned };
  const silent = { id: randomUUID(), ...seen, float: 0, counted: 600 };
  expect((await send(manager, { ...silent, floatBefore: 500 })).body.fields).toEqual({ reason: 'missing' });
  // Another cut came between: they counted over a float that is the one before no more.
  expect((await send(manager, { ...silent, floatBefore: 800 })).body.code).toBe('CUT_CHANGED');
  // A screen of the version before found no float among the newest cuts, and asked for no reason.
  expect((await send(manager, silent)).body.data).toMatchObject({ float: 0, floatReason: null });
});

test('a drawer that nothing moved in makes no cut', async () => {
  const { branchId, first } = await openDay(1);
  const nothing = await countOf(first, branchId, { float: 500, counted: 500 });
  expect((await send(first, nothing)).body.code).toBe('CUT_CHANGED');
  expect((await shop.ask(`GET /v1/counter/cuts/${nothing.id}`, first)).body.code).toBe('NOT_FOUND');
});

test('what comes after the cashier looked refuses the cut, and closes nothing', async () => {
  const { branchId, first, reference } = await openDay(1);
  const count = await countOf(first, branchId);
  await take(first, branchId, reference, 10);
  expect((await send(first, count)).body.code).toBe('CUT_CHANGED');
  expect((await shifts(first, branchId))[0].movements).toBe(1);
});

test('money that goes back leaves the drawer of whoever gave it back, also after its own cut', async () => {
  const { branchId, manager, first, reference } = await openDay(1);
  const { folio } = (await take(first, branchId, reference, 300)).body.data;
  const before = await close(first, branchId);
  expect((await reverse(manager, folio)).status).toBe(200);
  expect((await shifts(first, branchId))[0].movements).toBe(0);
  expect((await shifts(manager, branchId))[0]).toMatchObject({
    cashReturned: 300,
    list: [{ kind: 'returned', folio, amount: 300 }],
  });
  const cut = await close(manager, branchId);
  expect(cut.body.data).toMatchObject({ cashTaken: 0, cashReturned: 300, float: 300, counted: 0 });
  // What was cut stays; it says that the money went back since.
  const { list, ...sums } = (await shop.ask(`GET /v1/counter/cuts/${before.body.data.id}`, first)).body.data;
  expect(before.body.data).toMatchObject(sums);
  expect(list).toMatchObject([{ folio, reversed: true }]);
});

test('cashiers see and cut their own drawer alone; a manager closes the day of all, and the owner sees it', async () => {
  const { branchId, manager, people, reference } = await openDay(2);
  const [ana, luis] = people as [MadeStaff, MadeStaff];
  await take(ana, branchId, reference, 100);
  await take(luis, branchId, reference, 40);
  const { id } = (await close(ana, branchId)).body.data;
  const anas = { positionId: ana.positionId };
  expect((await close(luis, branchId, anas)).body.code).toBe('ROLE_NOT_ALLOWED');
  for (const path of [`/v1/counter/cuts/${id}`, `/v1/counter/cuts/${id}/pdf`])
    expect((await shop.ask(`GET ${path}`, luis)).body.code).toBe('NOT_FOUND');
  const listed = async (by: MadeStaff) =>
    (await shop.ask(`GET /v1/counter/cuts?branchId=${branchId}`, by)).body;
  const saved = async (by: MadeStaff): Promise<Record<string, string>[]> => {
    const body = { format: 'csv', branchId };
    const { data } = (await shop.ask('POST /v1/counter/files/cuts', { ...by, body })).body;
    expect([data.isWhole, /^cortes-.*\.csv$/.test(data.fileName)]).toEqual([true, true]);
    return parse(Buffer.from(data.contentByteArray, 'base64'), { bom: true, columns: true });
  };
  expect(await listed(luis)).toMatchObject({ data: [], total: 0, next: null });
  expect(await saved(luis)).toEqual([]);

  const [, ofLuis] = await shifts(manager, branchId);
  expect(ofLuis).toMatchObject({ positionId: luis.positionId, cashTaken: 40 });
  const whole = { positionId: luis.positionId, movements: 1, cashTaken: 40, counted: 40, floatBefore: null };
  const day = await close(manager, branchId, whole);
  expect(day.body.data).toMatchObject({ name: 'Luis 1', closedBy: 'Rosa Luna', cashTaken: 40 });
  const owner = await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' });
  expect((await listed(owner)).data.map((cut: { name: string }) => cut.name)).toEqual([
    'Luis 1',
    'Luis 0',
    'Rosa Luna',
  ]);
  const { rows } = await sql`
    select c.number::text as "Corte", h.name as "Sucursal", s.name as "Caja de", by.name as "Cerró",
      to_char(c.from_at at time zone 'America/Mexico_City', 'YYYY-MM-DD HH24:MI') as "Desde",
      to_char(c.until_at at time zone 'America/Mexico_City', 'YYYY-MM-DD HH24:MI') as "Hasta",
      c.movements::text as "Movimientos", (c.float_centavos / 100.0)::numeric(12, 2)::text as "Fondo",
      (c.cash_taken_centavos / 100.0)::numeric(12, 2)::text as "Efectivo cobrado",
      (c.cash_returned_centavos / 100.0)::numeric(12, 2)::text as "Efectivo devuelto",
      ((c.float_centavos + c.cash_taken_centavos - c.cash_returned_centavos) / 100.0)::numeric(12, 2)::text as "Debía haber",
      (c.counted_centavos / 100.0)::numeric(12, 2)::text as "Contado",
      ((c.counted_centavos - c.float_centavos - c.cash_taken_centavos + c.cash_returned_centavos) / 100.0)::numeric(12, 2)::text
        as "Diferencia", coalesce(c.reason, '') as "Motivo", coalesce(c.float_reason, '') as "Motivo del otro fondo",
      (c.terminal_taken_centavos / 100.0)::numeric(12, 2)::text as "Tarjeta cobrada",
      (c.terminal_returned_centavos / 100.0)::numeric(12, 2)::text as "Tarjeta devuelta"
    from counter_cuts c join branches h on h.id = c.branch_id
      join staff_positions p on p.id = c.position_id join staff s on s.id = p.staff_id
      join staff_positions q on q.id = c.closed_by join staff by on by.id = q.staff_id
    where c.branch_id = ${branchId} order by c.number desc`.execute(shop.db);
  expect(await saved(owner)).toEqual(rows);
  expect(rows).toHaveLength(3);
  expect((await saved(ana)).map((line) => line['Caja de'])).toEqual(['Luis 0']);
  const next = await shop.ask(`GET /v1/counter/cuts?branchId=${branchId}&cursor=3`, owner);
  expect(next.body).toMatchObject({ data: [{ number: 2 }, { number: 1 }], total: null });

  const elsewhere = await makeMerchant(shop.db);
  const stranger = await makeStaff(shop.db, { merchantId: elsewhere, role: 'owner' });
  const strange = await close(manager, branchId, { positionId: stranger.positionId });
  expect(strange.body.code).toBe('NOT_FOUND');
  const own = await makeBranch(shop.db, elsewhere);
  await take(stranger, own, await bigPurchase(stranger, own, elsewhere), 10);
  expect((await send(stranger, { ...(await countOf(stranger, own)), id })).body.code).toBe('INTENT_CONFLICT');
});

test('after a restore no cut gets the number of one that was printed and forgotten', async () => {
  const { branchId, first, reference } = await openDay(1);
  const untouched = await makeBranch(shop.db, shop.merchantId);
  const numberOf = async (branch: number, by: MadeStaff) => {
    expect((await take(by, branch, reference, 100)).status).toBe(200);
    return (await close(by, branch)).body.data.number;
  };
  expect(await numberOf(branchId, first)).toBe(2);
  const restored = `insert into audit_log (actor, command, subject_kind, subject_id) values ('root', 'restore', 'restore', 'aparta-1')`;
  for (let times = 0; times < 2; times += 1) await asOwner(shop, restored);
  expect([await numberOf(branchId, first), await numberOf(branchId, first)]).toEqual([20_003, 20_004]);
  const { merchantId } = shop;
  const at = (branch: number) => makeStaff(shop.db, { merchantId, role: 'cashier', branchIds: [branch] });
  expect(await numberOf(untouched, await at(untouched))).toBe(20_001);
  const later = await makeBranch(shop.db, merchantId);
  expect(await numberOf(later, await at(later))).toBe(1);
});

/** Something that somebody does in a day; `who` counts through those that may. */
const act = fc.record({
  what: fc.constantFrom('take', 'take', 'take', 'reverse', 'close'),
  who: fc.nat(9),
  which: fc.nat(99),
  centavos: fc.integer({ min: 1, max: 100_000 }),
  isTerminal: fc.boolean(),
});
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;
const days = fc.record({
  cashiers: fc.integer({ min: 1, max: 5 }),
  // Those of one list are done at once.
  acts: fc.array(fc.array(act, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 }),
});

test('a branch that closed with money in its drawers: its manager and the owner still cut them, nobody else', async () => {
  const { branchId, manager, first, reference } = await openDay(1);
  await take(first, branchId, reference, 5_000);
  await shop.db
    .updateTable('branches')
    .set({ closed_at: sql`app_now()` })
    .where('id', '=', branchId)
    .execute();
  const { db, merchantId } = shop;
  const owner = await makeStaff(db, { merchantId, role: 'owner' });
  const next = [await makeBranch(db, merchantId, 'Norte')];
  const nobodys = [
    first,
    await makeStaff(db, { merchantId, role: 'manager', branchIds: next }),
    await makeStaff(db, { merchantId: await makeMerchant(db), role: 'owner' }),
  ];
  const body = {
    id: randomUUID(),
    branchId,
    positionId: first.positionId,
    movements: 1,
    cashTaken: 5_000,
    cashReturned: 0,
    float: 0,
    counted: 5_000,
  };
  const closed = async (by: MadeStaff) => (await shop.ask('GET /v1/counter/closed-branches', by)).body.data;
  for (const each of nobodys) {
    expect(await closed(each)).toEqual([]);
    expect(await shifts(each, branchId)).toBeNull();
    expect((await send(each, body)).body.code).toBe('NOT_FOUND');
  }
  for (const each of [owner, manager]) expect(await closed(each)).toMatchObject([{ id: branchId }]);
  expect((await shifts(manager, branchId))[1]).toMatchObject({
    positionId: first.positionId,
    cashTaken: 5_000,
  });
  expect((await send(manager, body)).body.data).toMatchObject({ closedBy: 'Rosa Luna', counted: 5_000 });
  expect(await closed(owner)).toEqual([]);
  expect((await take(manager, branchId, reference, 100)).body.code).toBe('NOT_FOUND');
});

test('however a day went, cuts, day file, ledger and operations agree to the centavo, and nothing is in two cuts or none', async () => {
  await fc.assert(
    fc.asyncProperty(days, async ({ cashiers, acts }) => {
      const { branchId, manager, people, reference } = await openDay(cashiers);
      const everybody = [...people, manager];
      const folios: string[] = [];
      const doOne = async ({ what, who, which, centavos, isTerminal }: Act) => {
        const by = everybody[who % everybody.length]!;
        if (what === 'take') {
          const { body } = await take(by, branchId, reference, centavos / 100, isTerminal);
          expect(body.code ?? 'taken').toBe('taken');
          folios.push(body.data.folio);
        } else if (what === 'close') {
          const { body } = await close(by, branchId);
          expect([undefined, 'CUT_CHANGED']).toContain(body.code);
        } else if (folios.length > 0) await reverse(manager, folios[which % folios.length]!);
      };
      for (const atOnce of acts) await Promise.all(atOnce.map(doOne));
      for (const by of everybody) {
        const isEmpty = (await shifts(by, branchId))[0].movements === 0;
        expect((await close(by, branchId)).status).toBe(isEmpty ? 409 : 200);
      }
      expect((await shifts(manager, branchId)).map((each: any) => each.movements)).toEqual([0]);

      const today = mexicoCityDate(await databaseNow(shop.db));
      const file = await listDay(shop.db, `mostrador-${shop.merchantId}`, today);
      const own = file.filter((each) => each.branch === String(branchId));
      const standing = own.reduce((sum, each) => sum + (each.isReversed ? 0 : each.amountCentavos), 0);
      const { rows } = await sql<Record<string, unknown>>`
        with own as (select * from counter_operations where branch_id = ${branchId}),
        events as (select e.kind, t.amount_centavos from own o join ledger_events e on e.source_id = o.till_operation_id::text
          join ledger_transfers t on t.event_id = e.id)
        select
          (select count(*)::int from own where cut_id is null) + (select count(*)::int from counter_reversals v
            join own o using (till_operation_id) where v.cut_id is null) as uncut,
          (select sum(movements)::int from counter_cuts where branch_id = ${branchId}) as movements,
          (select sum(cash_taken_centavos + terminal_taken_centavos - cash_returned_centavos - terminal_returned_centavos)::bigint
            from counter_cuts where branch_id = ${branchId}) as cuts,
          (select coalesce(sum(amount_centavos) filter (where kind = 'till_receipt'), 0)
            - coalesce(sum(amount_centavos) filter (where kind = 'till_reversal'), 0) from events)::bigint as ledger`.execute(
        shop.db,
      );
      const reversed = own.filter(({ isReversed }) => isReversed).length;
      expect(rows[0]).toEqual({
        uncut: 0,
        movements: folios.length + 1 + reversed,
        cuts: standing,
        ledger: standing,
      });
    }),
    { numRuns: 8 },
  );
});
