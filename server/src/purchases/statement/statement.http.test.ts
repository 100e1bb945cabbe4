import { randomUUID } from 'node:crypto';

import { addDays, mexicoCityDate, type DateOnly } from '@aparta/domain/calendar';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { answer3ds } from '../../../test/card-acts.ts';
import { dice } from '../../../test/dice.ts';
import { help, makeLink } from '../../../test/help-acts.ts';
import { type MadeBuyer, makeBuyer, makeMerchant, makeProduct } from '../../../test/make.ts';
import { textOfPdf } from '../../../test/pdf-text.ts';
import { makePurchase, payPurchase } from '../../../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { buy, openTill } from '../../../test/store-acts.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { createLog } from '../../platform/logging.ts';
import { reversePayment } from '../plans/reverse-payment.ts';

let shop: Shop;
let today: DateOnly;
beforeAll(async () => {
  shop = await openShop();
  today = mexicoCityDate(new Date());
});
afterAll(() => shop.close());

const ask = (token: string, from: string, to: string) =>
  shop.ask(`GET /v1/Statements/GetAsync?from=${from}&to=${to}`, { token });
const read = async (token: string, from = addDays(today, -30), to = today) =>
  (await ask(token, from, to)).body.data;
const save = async (token: string, format: 'pdf' | 'csv', from = addDays(today, -30), to = today) => {
  const path = `GET /v1/Statements/FileAsync?from=${from}&to=${to}&format=${format}`;
  const { body } = await shop.ask(path, { token });
  return { ...body.data, bytes: Buffer.from(body.data.contentByteArray, 'base64') };
};
const cancel = (token: string, id: number) =>
  shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${id}`, { token, body: {} });

describe("a buyer's statement", () => {
  test('has what was reserved, paid, taken back, ended and given back, with the balance after each', async () => {
    const buyer = await makeBuyer(shop.db);
    const { token } = buyer;
    const { body } = await shop.pay(await shop.reference({ token }), CARDS.approved, { token });
    const bought = await buy(shop, { buyer });
    const till = await openTill(shop);
    const idtransaccion = randomUUID();
    await till.pay({ referencia: bought.numbers[2]!, importe: 1_300, idtransaccion });
    await till.reverse({ idtransaccion });
    await cancel(token, body.data.ventaId);
    const { opening, closing, lines, sums, dues, isWhole } = await read(token);
    expect({ opening, closing, isWhole }).toEqual({ opening: 0, closing: 2_400, isWhole: true });
    const facts = ['kind', 'method', 'last4', 'amount', 'fee', 'charge', 'credit', 'balance', 'numbers'];
    expect(lines.map((line: any) => facts.map((fact) => line[fact]))).toEqual([
      ['reserved', null, null, 3_000, 0, 3_000, 0, 3_000, []],
      ['payment', 'card', '7669', 615, 15, 0, 600, 2_400, [1]],
      ['reserved', null, null, 3_000, 0, 3_000, 0, 5_400, []],
      ['payment', 'till', null, 600, 0, 0, 600, 4_800, [1]],
      ['payment', 'till', null, 1_300, 0, 0, 1_300, 3_500, [2, 3]],
      ['reversal', 'till', null, 1_300, 0, 1_300, 0, 4_800, [2, 3]],
      ['ended', null, null, 0, 0, 0, 2_400, 2_400, []],
      ['refund_owed', 'card', '7669', 615, 0, 0, 0, 2_400, []],
    ]);
    expect(sums).toEqual({
      reserved: 6_000,
      reversed: 1_300,
      applied: 2_500,
      dropped: 2_400,
      fees: 15,
      penalties: 0,
      refunded: 0,
      refundedToHelpers: 0,
    });
    expect(lines[1]).toMatchObject({ folio: body.data.folio, ventaId: body.data.ventaId, payerName: null });
    expect(lines[6].endedBy).toBe('buyer');
    // Both deposits were due today.
    expect(dues.map(({ number, paid, state }: any) => [number, paid, state])).toEqual([
      [1, 600, 'paid'],
      [1, 600, 'paid'],
    ]);
  });

  test('tells what is back with the buyer from what is back with who helped them, on screen and on paper', async () => {
    const { token, id: buyerId } = await makeBuyer(shop.db);
    const { body } = await shop.pay(await shop.reference({ token }), CARDS.approved, { token });
    const { ventaId } = body.data;
    const { helpCode } = await makeLink(shop, ventaId, {}, token);
    const intentId = randomUUID();
    await help(shop, helpCode, CARDS.approved, { amount: 515, intentId });
    await answer3ds(shop, intentId, 'approve');
    await shop.ask('POST /v1/Help/PaymentAsync', { body: { intentoId: intentId } });
    await cancel(token, ventaId);
    const owed = await shop.db
      .selectFrom('refunds as f')
      .innerJoin('receipts as r', 'r.id', 'f.receipt_id')
      .select('f.id')
      .where('r.buyer_id', '=', buyerId)
      .execute();
    for (const { id } of owed) await shop.job.refund_card({ refundId: id }, createLog('silent'));
    const { lines, sums, closing } = await read(token);
    expect(sums).toMatchObject({ applied: 1_100, fees: 30, refunded: 615, refundedToHelpers: 515 });
    const back = lines.filter(({ kind }: any) => kind === 'refunded');
    expect(back.map(({ amount, payerName, balance }: any) => [payerName, amount, balance])).toEqual([
      [null, 615, 0],
      ['Tía Marta', 515, 0],
    ]);
    expect(closing).toBe(0);
    const text = textOfPdf((await save(token, 'pdf')).bytes);
    expect(text).toMatch(/Te devolvieron\s\$615\.00\sDevuelto a quienes te ayudaron\s\$515\.00/);
  });

  test('of days to come says what is due in them; an ended purchase is due no more', async () => {
    const buyer = await makeBuyer(shop.db);
    const [kept, ended] = [await buy(shop, { buyer }), await buy(shop, { buyer })];
    await payPurchase(shop.db, kept.id, 70_000);
    await cancel(buyer.token, ended.id);
    const { dues, lines, opening, closing } = await read(buyer.token, addDays(today, 1), addDays(today, 300));
    expect(lines).toEqual([]);
    expect([opening, closing]).toEqual([1_700, 1_700]);
    expect(
      dues.map(({ ventaId, number, amount, paid, state }: any) => [ventaId, number, amount, paid, state]),
    ).toEqual([
      [kept.id, 2, 1_200, 700, 'to_pay'],
      [kept.id, 3, 1_200, 0, 'to_pay'],
    ]);
  });

  test('is its buyer’s alone, and empty where nothing happened', async () => {
    await buy(shop);
    const other = await makeBuyer(shop.db);
    expect(await read(other.token)).toMatchObject({ opening: 0, closing: 0, lines: [], dues: [] });
    expect((await save(other.token, 'csv')).bytes.toString()).not.toContain('Sala');
    expect((await ask('sa_nobody', today, today)).status).toBe(401);
  });

  test.each([
    ['2026-02-01', '2026-01-31'],
    ['2026-01-01', '2027-02-05'],
    ['2026-02-30', '2026-03-05'],
    ['', '2026-03-05'],
  ])('from %s to %s is refused', async (from, to) => {
    const { status, body } = await ask(shop.buyer.token, from, to);
    expect([status, body.code]).toEqual([422, 'INVALID_INPUT']);
  });

  test('lists money that waits for a person, and owes as much as before', async () => {
    const { token } = await makeBuyer(shop.db);
    await shop.pay(await shop.reference({ token }), CARDS.oneMore, { token });
    const { lines, closing } = await read(token);
    expect(lines).toMatchObject([
      { kind: 'received', inReview: true, amount: 616, credit: 0, ventaId: null, productName: '' },
    ]);
    expect(closing).toBe(0);
  });

  test('as files says the same, to people and to spreadsheets', async () => {
    const merchantId = await makeMerchant(shop.db, {});
    await shop.db
      .updateTable('merchants')
      .set({ trade_name: '=cmd()' })
      .where('id', '=', merchantId)
      .execute();
    const buyer = await makeBuyer(shop.db);
    const productId = await makeProduct(shop.db, { merchantId });
    const made = await makePurchase(shop.db, { buyerId: buyer.id, merchantId, productId });
    const folio = await payPurchase(shop.db, made.id, 130_000);
    const csv = await save(buyer.token, 'csv');
    expect(csv.fileName).toBe(`estado-de-cuenta-${addDays(today, -30)}-a-${today}.csv`);
    const rows = csv.bytes.toString().split('\r\n');
    expect(rows[0]).toMatch(/^\uFEFFFecha,Comercio,Compra,/);
    expect(rows[1]).toBe(`${addDays(today, -30)},,,,Saldo al empezar,,,,,,,,0.00,,`);
    // No cell runs as a formula; amounts are plain numbers.
    expect(rows[2]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d,'=cmd\(\),/);
    expect(rows[4]).toContain(
      `Abono a los pagos 2 a 3 de 3,Caja del comercio,,${folio},1300.00,,,1300.00,1100.00`,
    );
    expect(rows[5]).toBe(`${today},,,,Saldo al terminar,,,,,,,,1100.00,,`);

    const pdf = await save(buyer.token, 'pdf');
    expect(pdf.fileName).toMatch(/\.pdf$/);
    const text = textOfPdf(pdf.bytes);
    for (const words of ['Estado de cuenta', 'Saldo al empezar', '+$3,000.00', '-$1,300.00', '$1,100.00 MXN'])
      expect(text).toContain(words);
    expect(text).toContain('Abono a los pagos 2 a 3 de 3');
    expect(text).toContain('Lo que vencía');
  });

  test('of many lines goes on over the page, each with its heads', async () => {
    const { id, buyer } = await buy(shop);
    for (let paid = 0; paid < 60; paid += 1) await payPurchase(shop.db, id, 2_000);
    const { bytes } = await save(buyer.token, 'pdf');
    const pages = bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
    expect(pages).toBeGreaterThan(4);
    const heads = textOfPdf(bytes).split('Cargo o abono').length - 1;
    // Those with lines of the account; the last may have what was due alone.
    expect([pages, pages - 1]).toContain(heads);
  });
});

test('of random purchases joins at any day, and owes what plans and books owe', async () => {
  const seed = Date.now() % 1_000_000;
  const roll = dice(seed);
  const buyer = await makeBuyer(shop.db);
  const made: { id: number; paid: { sourceId: string }[] }[] = [];
  for (const daysAgo of [50, 41, 33, 21, 12, 5, 1]) {
    const past = openDb({ url: shop.ownerUrl, role: 'none', max: 1, clockOffset: `-${daysAgo} days` });
    try {
      await actInPast(past, buyer, made, roll);
    } finally {
      await past.destroy();
    }
  }
  for (const { id } of made) if (roll(4) === 0) await cancel(buyer.token, id);

  let from = addDays(today, -60);
  let before = 0;
  while (from <= today) {
    const to = addDays(from, roll(20));
    const { opening, closing, lines, sums } = await read(buyer.token, from, to);
    expect(opening, `seed ${seed}`).toBe(before);
    const centavos = (pesos: number) => Math.round(pesos * 100);
    let balance = centavos(opening);
    for (const line of lines) {
      balance += centavos(line.charge) - centavos(line.credit);
      expect(centavos(line.balance), `seed ${seed}`).toBe(balance);
    }
    expect(balance, `seed ${seed}`).toBe(centavos(closing));
    const { reserved, reversed, applied, dropped } = sums;
    expect(
      centavos(opening) + centavos(reserved) + centavos(reversed) - centavos(applied) - centavos(dropped),
    ).toBe(balance);
    expect(centavos(closing), `seed ${seed}: at the end of ${to}`).toBe(await owedByBooks(buyer.id, to));
    before = closing;
    from = addDays(to, 1);
  }
  const { rows } = await sql<{ owed: number }>`
    select coalesce(sum(price_centavos - paid_centavos), 0)::bigint as owed from purchases
    where buyer_id = ${buyer.id} and state = 'active'`.execute(shop.db);
  expect(Math.round(before * 100), `seed ${seed}`).toBe(Number(rows[0]!.owed));
});

async function actInPast(
  past: Db,
  buyer: MadeBuyer,
  made: { id: number; paid: { sourceId: string }[] }[],
  roll: (sides: number) => number,
): Promise<void> {
  if (made.length === 0 || roll(2) === 0) {
    const productId = await makeProduct(shop.db, { merchantId: shop.merchantId });
    const { id } = await makePurchase(past, { buyerId: buyer.id, merchantId: shop.merchantId, productId });
    made.push({ id, paid: [] });
  }
  for (const purchase of made) {
    if (roll(3) > 0) {
      const sourceId = randomUUID();
      await payPurchase(past, purchase.id, 5_000 + roll(25_000), { sourceId });
      purchase.paid.push({ sourceId });
    }
    const back = roll(3) === 0 ? purchase.paid.pop() : undefined;
    if (back !== undefined) {
      await transaction(past, (tx) => reversePayment(tx, { channel: 'till', ...back }, purchase.id));
      await sql`update till_operations set state = 'reversed', reversed_at = app_now() where id = ${back.sourceId}::uuid`.execute(
        past,
      );
    }
  }
}

/** What the buyer's purchases owed at the end of a day, by the ledger alone. */
async function owedByBooks(buyerId: number, day: DateOnly): Promise<number> {
  const end = sql`((${day}::date + 1)::timestamp at time zone 'America/Mexico_City')`;
  const { rows } = await sql<{ owed: number }>`
    select coalesce(sum(p.price_centavos - coalesce((
      select sum(case when t.credit = 'layaway_deposits' then t.amount_centavos else -t.amount_centavos end)
      from ledger_transfers t join ledger_events e on e.id = t.event_id
      where e.occurred_at < ${end} and (t.credit = 'layaway_deposits' and t.credit_subject = p.id::text
        or t.debit = 'layaway_deposits' and t.debit_subject = p.id::text)), 0)), 0)::bigint as owed
    from purchases p where p.buyer_id = ${buyerId} and p.created_at < ${end}
      and (p.cancelled_at is null or p.cancelled_at >= ${end})`.execute(shop.db);
  return Number(rows[0]!.owed);
}
