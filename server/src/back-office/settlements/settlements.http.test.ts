import { randomUUID } from 'node:crypto';
import { addDays, mexicoCityDate } from '@aparta/domain/calendar';
import { centavos } from '@aparta/domain/money';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runRefunds } from '../../../test/card-acts.ts';
import {
  makeBranch,
  makeBuyer,
  makeMerchant,
  makeProduct,
  makeReference,
  makeStaff,
} from '../../../test/make.ts';
import { textOfPdf } from '../../../test/pdf-text.ts';
import { makePurchase, payPurchase } from '../../../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import {
  type Bought,
  meet,
  mustBalance,
  openTill,
  standing,
  storeNumber,
  type Till,
} from '../../../test/store-acts.ts';
import { openDb } from '../../platform/db/db.ts';
import type { Collector } from '../../platform/db/tables.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { depositReceived, operationSettled } from '../../ledger/books/postings.ts';
import { sumAccounts } from '../../ledger/books/in-hands.read-model.ts';
import { bookAll } from '../../ledger/books/store.ts';
import { markSettled } from '../../ledger/receipts/store.ts';
import { markRefundPaid } from '../../payments/refunds/decide-refund.ts';
import { readReport } from './read-report.ts';
import {
  type Deposit,
  explainDifference,
  recordDeposit,
  recordPayout,
  voidSettlement,
} from './record-settlement.ts';
import { closingOf, CONCEPTS, REPORTED_VIAS, type SettlementReport, sumMovements } from './report.ts';
import { reportCsv } from './report-csv.ts';
import { reportPdf } from './report-pdf.ts';
import { listPending } from './read-model.ts';
import { insertSettlement } from './store.ts';

const CHAIN = 'ELEKTRA';
const KEY = 'aparta-development-notices';
const TODAY = mexicoCityDate(new Date());

let shop: Shop;
let till: Till;
beforeAll(async () => {
  shop = await openShop({ clocks: { attemptsPerAddress: 99_999 } });
  till = await openTill(shop, CHAIN);
});
afterEach(() => mustBalance(shop));
afterAll(() => shop.close());

/** Reserved at a till of the chain, 600.00; answers the charge's own number too. */
async function reserveAtTill(): Promise<{ bought: Bought; referencia: string; idtransaccion: string }> {
  const buyer = await makeBuyer(shop.db);
  const reference = await shop.reference({ token: buyer.token });
  const idtransaccion = randomUUID();
  const referencia: string = reference.paymentReference;
  const { body } = await till.deposit({ referencia, importe: 600, idtransaccion });
  expect(body.error).toBe(0);
  const { id } = await shop.db
    .selectFrom('purchases')
    .select('id')
    .where('buyer_id', '=', buyer.id)
    .executeTakeFirstOrThrow();
  const rows = await shop.db
    .selectFrom('instalments')
    .select('id')
    .where('purchase_id', '=', id)
    .orderBy('number')
    .execute();
  const instalmentIds = rows.map((row) => row.id);
  const numbers = [undefined, ...instalmentIds.map((each, n) => `${n + 1}${each}`)];
  return { bought: { id, buyer, instalmentIds, numbers }, referencia, idtransaccion };
}
async function byStore(of: Bought, amount: number): Promise<void> {
  const { body } = await storeNumber(shop, of);
  const reference = body.data.references[0].value;
  const { operationId } = await shop.control('POST /control/cash/pay', {
    reference,
    amount,
    notice: { drop: true },
  });
  await shop.ask('POST /webhooks/tapi', {
    body: { operationId, status: 'confirmed' },
    headers: { 'x-api-key': KEY },
  });
}

const report = (from = TODAY, to = from, merchantId = shop.merchantId) =>
  readReport(shop.db, { merchantId, from, to });
const deposit = (given: Partial<Deposit> & Pick<Deposit, 'channel' | 'evidence'> & { pesos: number }) =>
  transaction(shop.db, (tx) =>
    recordDeposit(tx, {
      merchantId: shop.merchantId,
      commissionCentavos: centavos(0),
      happenedOn: TODAY,
      amountCentavos: centavos(given.pesos * 100),
      ...(given.channel === 'card' ? {} : { fromOn: TODAY }),
      ...(given.channel === 'till' ? { chain: CHAIN } : {}),
      ...given,
    }),
  );
const pay = (pesos: number, party: Collector, evidence: string, isBeyond = false) =>
  transaction(shop.db, (tx) =>
    recordPayout(tx, {
      merchantId: shop.merchantId,
      party,
      amountCentavos: centavos(pesos * 100),
      happenedOn: TODAY,
      evidence,
      isBeyond,
    }),
  );
const taken = (id: number) => transaction(shop.db, (tx) => voidSettlement(tx, id, 'Error de captura'));
/** What came to something, in pesos, by its concept and channel. */
const received = (of: SettlementReport) =>
  Object.fromEntries(
    CONCEPTS.flatMap((concept) =>
      [...REPORTED_VIAS, null].flatMap((channel) => {
        const { times, centavos: sum } = sumMovements(of.movements, concept, { channel });
        return times === 0 ? [] : [[`${concept} ${channel ?? ''}`.trim(), sum / 100]];
      }),
    ),
  );
const closings = (of: SettlementReport) =>
  Object.fromEntries(
    of.accounts.flatMap(({ account, closing }) => (closing === 0 ? [] : [[account, closing / 100]])),
  );

/** Somebody's product whose name a spreadsheet would run. */
const FORMULA = '=HYPERLINK("http://mal.example";"Sala")';

/** Every channel, cancelled, reversed, too much and not as agreed. */
async function liveADay(): Promise<void> {
  // By card, store, till and card again; cancelled after the free days; half of its cash is back, by the operator.
  await shop.db.updateTable('products').set({ name: FORMULA }).where('id', '=', shop.productId).execute();
  const buyer = await makeBuyer(shop.db);
  const card = await shop.pay(await shop.reference({ token: buyer.token }), CARDS.approved, {
    token: buyer.token,
  });
  const instalments = await shop.db
    .selectFrom('instalments')
    .select(['id', 'number'])
    .where('purchase_id', '=', card.body.data.ventaId)
    .orderBy('number')
    .execute();
  const numbers = [undefined, ...instalments.map(({ id, number }) => `${number}${id}`)];
  const first = { id: card.body.data.ventaId, buyer, instalmentIds: [], numbers };
  await byStore(first, 500);
  expect((await till.pay({ referencia: numbers[2]!, importe: 300 })).body.error).toBe(0);
  const rest = {
    cardTotal: 415,
    paymentReference: numbers[2],
    businessId: shop.merchantId,
    productName: 'x',
  };
  expect((await shop.pay(rest, CARDS.approved, { token: buyer.token })).body.data.applied).toBe(true);
  await sql`update purchases set penalty_free_until = now() - interval '1 minute'`.execute(shop.db);
  const cancelled = await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${first.id}`, {
    token: buyer.token,
    body: { refundShown: 1_600 },
  });
  expect(cancelled.status).toBe(200);
  await runRefunds(shop);
  const { id: inCash } = await shop.db
    .selectFrom('refunds')
    .select('id')
    .where('method', '=', 'cash')
    .where('amount_centavos', '=', centavos(50_000))
    .executeTakeFirstOrThrow();
  await transaction(shop.db, (tx) => markRefundPaid(tx, inCash, { paidBy: 'operator', evidence: 'Vale 1' }));
  // At a till, a charge that is taken back, and 100.00 too much at a store.
  const { bought: second } = await reserveAtTill();
  const idtransaccion = randomUUID();
  await till.pay({ referencia: second.numbers[2]!, importe: 1_200, idtransaccion });
  expect(
    (await till.reverse({ referencia: second.numbers[2]!, importe: 1_200, idtransaccion })).body.error,
  ).toBe(0);
  await byStore(second, 2_500);
  // Paid, and not as agreed.
  const third = await makeBuyer(shop.db);
  await shop.pay(await shop.reference({ token: third.token }), CARDS.oddDetail, { token: third.token });
}

describe('a day with every channel', () => {
  beforeAll(liveADay);

  test('adds up by channel, by refunds and by what is owed', async () => {
    const today = await report();
    expect(today.disagrees).toEqual([]);
    expect(received(today)).toEqual({
      'principal card': 1_000,
      'fee card': 30,
      'suspended card': 615,
      'principal till': 2_100,
      'reversed till': 1_200,
      'principal cash': 2_900,
      'unapplied cash': 100,
      penalty: 200,
      owed_by_card: 800,
      owed_in_cash: 800,
      'refunded_by_card card': 800,
      'refunded_by_operator cash': 500,
    });
    expect(closings(today)).toEqual({
      card_clearing: 845,
      till_clearing: 900,
      cash_clearing: 3_000,
      // The operator advanced a refund: the merchant owes it to the operator.
      operator_current: -500,
      cash_refund_payable: 400,
      suspense: 615,
      layaway_deposits: 3_000,
      service_fee: 30,
      penalty_income: 200,
    });
    expect(today.onItsWay.filter(({ amountCentavos }) => amountCentavos !== 0)).toEqual([
      { channel: 'cash', collectedBy: 'operator', amountCentavos: 300_000 },
      { channel: 'till', collectedBy: 'merchant', amountCentavos: 90_000 },
    ]);
  });

  test('is a CSV whose lines add up to their sums, without a cell that runs as a formula', async () => {
    const today = await report();
    const rows: Record<string, string>[] = parse(reportCsv(today), { columns: true, bom: true });
    const sums = (level: string) => {
      const by = new Map<string, number>();
      for (const { nivel, concepto, via, importe } of rows)
        if (nivel === level)
          by.set(
            `${concepto} ${via}`,
            (by.get(`${concepto} ${via}`) ?? 0) + Math.round(Number(importe) * 100),
          );
      return by;
    };
    expect(sums('dia')).toEqual(sums('corte'));
    expect(sums('movimiento')).toEqual(sums('corte'));
    expect(sums('corte').get('Apartados y abonos Tienda')).toBe(290_000);
    expect(sums('corte').get('Revertido Caja')).toBe(-120_000);
    const [reversal] = rows.filter(({ nivel, concepto }) => nivel === 'corte' && concepto === 'Revertido');
    expect(reversal).toMatchObject({ veces: '1', iva: '-165.52', importe: '-1200.00' });
    const [byTill] = rows.filter(({ nivel, via }) => nivel === 'movimiento' && via === 'Caja');
    expect(byTill?.['operacion']).toMatch(/^7 [0-9a-f-]{36}$/);
    expect(byTill?.['comprador']).toMatch(/^[A-ZÑ]+$/);
    const { payments } = await shop.control('GET /control/log');
    const ids = new Set(payments.map(({ id }: { id: string }) => id));
    for (const { nivel, via, operacion } of rows)
      if (nivel === 'movimiento' && via === 'Tarjeta') expect(ids.has(operacion)).toBe(true);
    expect(rows.some(({ producto }) => producto === `'${FORMULA}`)).toBe(true);
    for (const { importe: _amount, iva: _iva, ...texts } of rows)
      for (const cell of Object.values(texts)) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
  });

  test('is a PDF of at most two pages with the same sums', async () => {
    const pdf = await reportPdf(await report(), 'Aparta');
    expect(pdf.toString('latin1')).toMatch(/\/Marked true/); // a program can read its tables aloud
    const text = textOfPdf(pdf);
    for (const sum of ['$5,545.00', '$1,300.00', '$845.00', '$900.00', '$3,000.00', '$615.00'])
      expect(text).toContain(sum);
    expect(text).toContain('El comercio debe al operador\n$500.00');
    expect(text).toContain('Este corte cuadra');
    expect(text).toContain('Sin número: solo para ver');
    expect(text).toContain('Cargos por servicio, menos los devueltos\n$30.00');
    expect(text).toContain('Cargo por servicio al 16 %\n$30.00\n$25.86\n$4.14');
    expect(text).toMatch(/Hoja \d de [12]\n?/);
  });

  test('shows no other merchant’s money', async () => {
    const other = await report(TODAY, TODAY, await makeMerchant(shop.db));
    expect(other.movements).toEqual([]);
    expect(closings(other)).toEqual({});
  });
});

describe('a deposit', () => {
  test('of Tapi pays every operation of its days once, however often it is recorded', async () => {
    expect(
      (await listPending(shop.db, shop.merchantId)).map(({ channel, operations }) => [channel, operations]),
    ).toEqual([
      ['card', null],
      ['cash', 2],
      ['till', 2],
    ]);
    const given = {
      channel: 'cash',
      pesos: 2_900,
      commissionCentavos: centavos(6_000),
      evidence: 'SPEI 1',
    } as const;
    const [one, other] = await Promise.all([deposit(given), deposit(given)]);
    expect([one.isAgain, other.isAgain].toSorted()).toEqual([false, true]);
    expect(one.settlement.id).toBe(other.settlement.id);
    const [paid] = [one, other].filter(({ isAgain }) => !isAgain);
    expect(paid?.operations).toBe(2);
    // The network's money is the operator's to hold, as it was agreed when it came.
    expect(paid?.settlement).toMatchObject({ party: 'operator', differenceCentavos: 4_000 });
    expect(closings(await report())).toMatchObject({
      operator_current: 2_400,
      provider_commission: 60,
      settlement_difference: 40,
    });
    await expect(deposit({ ...given, pesos: 2_901 })).rejects.toThrow('settlement_evidence_used');
    await expect(deposit({ ...given, evidence: 'SPEI 2' })).rejects.toThrow('settlement_nothing_pending');

    const explain = (pesos: number, evidence: string) =>
      transaction(shop.db, (tx) =>
        explainDifference(tx, {
          ofId: one.settlement.id,
          party: 'provider',
          amountCentavos: centavos(pesos * 100),
          happenedOn: TODAY,
          evidence,
        }),
      );
    await expect(explain(41, 'Factura 1')).rejects.toThrow('settlement_explains_too_much');
    await explain(40, 'Factura 1');
    expect((await explain(40, 'Factura 1')).isAgain).toBe(true);
    await expect(explain(1, 'Factura 2')).rejects.toThrow('settlement_no_difference');
    const after = closings(await report());
    expect(after).toMatchObject({ operator_current: 2_400, provider_commission: 100 });
    expect(after).not.toHaveProperty('settlement_difference');
    expect(after).not.toHaveProperty('cash_clearing');
  });

  test('that was typed wrong is voided whole, and its evidence may be used again', async () => {
    const wrong = await deposit({ channel: 'till', pesos: 9_000, evidence: 'SPEI 3', isBeyond: true });
    expect(wrong.settlement).toMatchObject({ party: 'merchant', differenceCentavos: -810_000 });
    const before = closings(await report());
    await taken(wrong.settlement.id);
    await expect(taken(wrong.settlement.id)).rejects.toThrow('settlement_voided');
    expect(closings(await report())).toMatchObject({ till_clearing: 900 });
    expect(before).not.toHaveProperty('till_clearing');
    const right = await deposit({ channel: 'till', pesos: 900, evidence: 'SPEI 3' });
    expect(right).toMatchObject({ isAgain: false, settlement: { differenceCentavos: 0 } });
    const today = await report();
    expect(closings(today)).toMatchObject({ merchant_funds: 900 });
    // What was taken back takes its line back too.
    expect(received(today)).toMatchObject({ 'deposited_to_merchant till': 900, 'settled till': 900 });
    expect(today.disagrees).toEqual([]);
  });

  test('of cards, and a payout either way, move what each holds', async () => {
    await deposit({ channel: 'card', pesos: 800, commissionCentavos: centavos(3_000), evidence: 'Clip 1' });
    await expect(
      deposit({ channel: 'card', pesos: 1, evidence: 'Clip 2', party: 'operator' }),
    ).rejects.toThrow('settlement_card_party');
    await pay(2_000, 'merchant', 'SPEI 4');
    const { settlement } = await pay(100, 'operator', 'SPEI 5', true);
    expect(closings(await report())).toMatchObject({
      card_clearing: 15,
      merchant_funds: 900 + 800 + 2_000 - 100,
      operator_current: 2_400 - 2_000 + 100,
    });
    await taken(settlement.id);
    expect(closings(await report())).toMatchObject({ operator_current: 400 });
    await expect(
      transaction(shop.db, (tx) =>
        recordPayout(tx, {
          merchantId: shop.merchantId,
          party: 'merchant',
          amountCentavos: centavos(100),
          happenedOn: addDays(TODAY, 1),
          evidence: 'SPEI 6',
        }),
      ),
    ).rejects.toThrow('settlement_in_future');
  });

  test('or a payout of more than there is is written only by who says so, and says what was there', async () => {
    const { body } = await till.deposit({
      referencia: (await shop.reference({ token: (await makeBuyer(shop.db)).token })).paymentReference,
      importe: 600,
    });
    expect(body.error).toBe(0);
    const before = closings(await report());
    const [onCards, held] = [before['card_clearing'] ?? 0, before['operator_current'] ?? 0];
    const beyond = async (what: Promise<unknown>, code: string, facts: object) => {
      await expect(what).rejects.toThrow(code);
      await expect(what).rejects.toMatchObject({ facts });
    };
    const inCentavos = (there: number, amount: number) => ({
      before: there * 100,
      amount: amount * 100,
      over: (amount - there) * 100,
    });
    const slip = { channel: 'card', pesos: 100_000, evidence: 'Clip 9' } as const;
    const commission = { pesos: 590, commissionCentavos: centavos(1_100) };
    await beyond(deposit(slip), 'settlement_beyond_on_its_way', inCentavos(onCards, 100_000));
    await beyond(
      deposit({ channel: 'till', evidence: 'SPEI 9', ...commission }),
      'settlement_beyond_on_its_way',
      inCentavos(600, 601),
    );
    await beyond(pay(held + 1, 'merchant', 'SPEI 9'), 'settlement_beyond_held', inCentavos(held, held + 1));
    await beyond(pay(1, 'operator', 'SPEI 9'), 'settlement_beyond_owed', inCentavos(0 - held, 1));
    expect(closings(await report())).toEqual(before);

    const whole = await pay(held, 'merchant', 'SPEI 9');
    expect(whole).toMatchObject({ beforeCentavos: held * 100, leftCentavos: 0 });
    const early = await deposit({ ...slip, isBeyond: true });
    expect(early).toMatchObject({ beforeCentavos: onCards * 100, leftCentavos: (onCards - 100_000) * 100 });
    for (const { settlement } of [whole, early]) await taken(settlement.id);
    const right = await deposit({ channel: 'till', pesos: 590, evidence: 'SPEI 10' });
    expect(right).toMatchObject({ beforeCentavos: 60_000, leftCentavos: 1_000 });
    await taken(right.settlement.id);
    expect(closings(await report())).toEqual(before);
    await deposit({ channel: 'till', pesos: 600, evidence: 'SPEI 10' });
  });

  test('or a payout is one movement however its evidence is typed, and may be written again once it is voided', async () => {
    const { settlement } = await pay(1, 'merchant', 'Spei 77 B');
    for (const typed of ['SPEI 77 B', 'spei  77\tb', 'Spei 77 B']) {
      expect(await pay(1, 'merchant', typed)).toMatchObject({ isAgain: true, settlement });
      await expect(pay(2, 'merchant', typed)).rejects.toThrow('settlement_evidence_used');
    }
    expect((await pay(1, 'merchant', 'SPEI 77B')).isAgain).toBe(false);
    await taken(settlement.id);
    const again = await pay(1, 'merchant', 'SPEI 77 B');
    expect(again).toMatchObject({ isAgain: false, settlement: { evidence: 'SPEI 77 B' } });
    await taken(again.settlement.id);
    expect((await pay(1, 'merchant', 'Spei 77 B')).isAgain).toBe(false);
  });

  test('and a till’s reversal at once: one of them gets the money, and the books hold', async () => {
    const ends: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const { bought, referencia, idtransaccion } = await reserveAtTill();
      const [reversed, deposited] = await meet(
        round,
        () => till.reverse({ referencia, importe: 600, idtransaccion }).then(({ body }) => body.error),
        () =>
          deposit({ channel: 'till', pesos: 600, evidence: `Ronda ${round}` }).then(
            () => 'paid',
            (error: Error) => error.message,
          ),
      );
      const { state } = await standing(shop, bought.id);
      expect([reversed, deposited, state]).toEqual(
        reversed === 0 ? [0, 'settlement_nothing_pending', 'cancelled'] : [7, 'paid', 'active'],
      );
      ends.push(state);
      await mustBalance(shop);
    }
    expect(new Set(ends)).toEqual(new Set(['cancelled', 'active']));
  });
});

describe('who collects', () => {
  test('is agreed when the money comes: a later change moves no earlier receipt', async () => {
    const merchantId = await makeMerchant(shop.db);
    const productId = await makeProduct(shop.db, { merchantId });
    const { id } = await makePurchase(shop.db, { buyerId: shop.buyer.id, merchantId, productId });
    await payPurchase(shop.db, id, 100_00, { channel: 'cash' });
    await shop.db
      .updateTable('merchants')
      .set({ cash_collected_by: 'merchant' })
      .where('id', '=', merchantId)
      .execute();
    await payPurchase(shop.db, id, 200_00, { channel: 'cash' });
    const pending = await listPending(shop.db, merchantId);
    expect(
      pending.map(({ channel, collectedBy, amountCentavos }) => [channel, collectedBy, amountCentavos]),
    ).toEqual([
      ['cash', 'merchant', 200_00],
      ['cash', 'operator', 100_00],
      ['till', 'merchant', 600_00],
    ]);
    // A day of two owners is paid in two deposits: each says whose it is.
    const both = (given: { party?: Collector }) =>
      deposit({ merchantId, channel: 'cash', pesos: 100, evidence: 'SPEI 7', ...given });
    await expect(both({})).rejects.toThrow('settlement_two_collectors');
    expect(await both({ party: 'operator' })).toMatchObject({
      operations: 1,
      settlement: { differenceCentavos: 0 },
    });
    expect(closings(await report(TODAY, TODAY, merchantId))).toMatchObject({
      operator_current: 100,
      cash_clearing: 200,
    });
  });
});

describe('what a shop took at its own counter', () => {
  let merchantId: number;
  let chain: string;
  let branchId: number;
  let manager: string;
  const ask = (call: string, body: object) => shop.ask(call, { token: manager, body });
  const now = () => report(TODAY, TODAY, merchantId);

  /** A deposit of 600.00 with its fee of 10.00; answers the receipt's folio. */
  async function reserves(how: object): Promise<string> {
    const productId = await makeProduct(shop.db, { merchantId });
    const reference = `1${await makeReference(shop.db, { buyerId: shop.buyer.id, merchantId, productId })}`;
    const press = { id: randomUUID(), branchId, reference, amount: 610, ...how };
    const { body } = await ask('POST /v1/counter/payments', press);
    return body.data.folio;
  }
  const inCash = { method: 'cash', tendered: 700 };
  const byTerminal = { method: 'terminal', last4: '4242', authorisation: '123456' };

  beforeAll(async () => {
    merchantId = await makeMerchant(shop.db, { feeMethods: ['till'], feeCentavos: 1_000 });
    chain = `mostrador-${merchantId}`;
    branchId = await makeBranch(shop.db, merchantId);
    manager = (await makeStaff(shop.db, { merchantId, role: 'manager', branchIds: [branchId] })).token;
    await reserves(inCash);
    await reserves(inCash);
    await reserves(byTerminal);
    await ask(`POST /v1/counter/receipts/${await reserves(inCash)}/reverse`, {
      reason: 'Se cobró dos veces',
    });
  });

  test('is in its hands at once, cash and terminal apart, and no deposit is awaited', async () => {
    expect(await listPending(shop.db, merchantId)).toEqual([]);
    const today = await now();
    expect(today.disagrees).toEqual([]);
    expect(closings(today)).toEqual({ merchant_funds: 1_830, layaway_deposits: 1_800, service_fee: 30 });
    expect(today.onItsWay).toEqual([]);
    expect(received(today)).toEqual({
      'principal counter_cash': 1_800,
      'fee counter_cash': 30,
      'reversed counter_cash': 610,
      'principal counter_terminal': 600,
      'fee counter_terminal': 10,
    });
    expect(reportCsv(today)).toContain('Apartados y abonos,Mostrador: efectivo,');
    const text = textOfPdf(await reportPdf(today, 'Aparta'));
    expect(text).toContain('Mostrador: terminal\n1\n$600.00\n$10.00\n$0.00\n$0.00\n$610.00');
    await expect(
      deposit({ merchantId, channel: 'till', chain, pesos: 610, evidence: 'Lote 1' }),
    ).rejects.toThrow('settlement_of_a_counter');
  });

  test('is there too where a deposit was written of it before, and once that is voided', async () => {
    const waiting = async () => {
      const accounts = await sumAccounts(shop.db);
      return accounts.find(({ account }) => account === 'till_clearing')?.total;
    };
    const before = await waiting();
    const settlementId = await transaction(shop.db, async (tx) => {
      const amountCentavos = centavos(59_000);
      const commissionCentavos = centavos(2_000);
      const id = await insertSettlement(tx, {
        merchant_id: merchantId,
        kind: 'deposit',
        channel: 'till',
        chain,
        from_on: TODAY,
        to_on: TODAY,
        party: 'merchant',
        amount_centavos: amountCentavos,
        commission_centavos: commissionCentavos,
        of_id: null,
        happened_on: TODAY,
        evidence: 'Lote 1',
        round: 0,
      });
      const receipts = await tx
        .selectFrom('receipts')
        .where('merchant_id', '=', merchantId)
        .where('withdrawn_centavos', '=', centavos(0))
        .select(['id', 'source_id as sourceId', 'amount_centavos as amountCentavos'])
        .execute();
      await markSettled(
        tx,
        receipts.map((each) => each.id),
        id,
      );
      const of = { settlementId: id, merchantId, channel: 'till' } as const;
      await bookAll(tx, [
        depositReceived({ ...of, party: 'merchant', amountCentavos, commissionCentavos }),
        ...receipts.map((each) => operationSettled({ ...of, ...each })),
      ]);
      return id;
    });
    const settled = await now();
    expect(settled.disagrees).toEqual([]);
    expect(closings(settled)).toMatchObject({
      merchant_funds: 590,
      provider_commission: 20,
      settlement_difference: 1_220,
    });
    await mustBalance(shop);
    await taken(settlementId);
    expect(closings(await now())).toMatchObject({ merchant_funds: 1_830 });
    expect((await now()).disagrees).toEqual([]);
    expect(await waiting()).toBe(before);
  });
});

describe('what was voided', () => {
  test('is neither counted nor listed, but where the days of a report have one half of it', async () => {
    const merchantId = await makeMerchant(shop.db);
    const day = addDays(TODAY, -10);
    const paid = (db: Shop['db'], evidence: string, happenedOn = TODAY) =>
      transaction(db, (tx) =>
        recordPayout(tx, {
          merchantId,
          party: 'merchant',
          amountCentavos: centavos(10_000),
          happenedOn,
          evidence,
          isBeyond: true,
        }),
      );
    for (const evidence of ['SPEI 1', 'SPEI 2']) await taken((await paid(shop.db, evidence)).settlement.id);
    await paid(shop.db, 'SPEI 3');
    const card = { channel: 'card', pesos: 50, commissionCentavos: centavos(100) } as const;
    const wrong = await deposit({ merchantId, evidence: 'Clip 1', isBeyond: true, ...card });
    await taken(wrong.settlement.id);
    const sumsOf = async (from: string, to = from) => {
      const { movements, disagrees } = await report(from, to, merchantId);
      expect(disagrees).toEqual([]);
      return CONCEPTS.flatMap((concept) => {
        const { times, centavos: sum } = sumMovements(movements, concept);
        return times === 0 ? [] : [[concept, times, sum]];
      });
    };
    expect(await sumsOf(TODAY)).toEqual([['paid_to_merchant', 1, 10_000]]);
    const rows: string[] = reportCsv(await report(TODAY, TODAY, merchantId)).split('\r\n');
    expect(rows.filter((row) => /^(corte|dia|movimiento)/.test(row))).toHaveLength(3);

    const past = openDb({ url: shop.ownerUrl, role: 'none', clockOffset: '-10 days' });
    try {
      await taken((await paid(past, 'SPEI 4', day)).settlement.id);
    } finally {
      await past.destroy();
    }
    expect(await sumsOf(day)).toEqual([['paid_to_merchant', 1, 10_000]]);
    expect(await sumsOf(addDays(day, 1), TODAY)).toEqual([['paid_to_merchant', 2, 0]]);
    expect(await sumsOf(day, TODAY)).toEqual([['paid_to_merchant', 1, 10_000]]);
  });
});

describe('the days of a report', () => {
  test('begin and end at midnight in Mexico City, and each opens where the day before closed', async () => {
    const merchantId = await makeMerchant(shop.db);
    const productId = await makeProduct(shop.db, { merchantId });
    const day = addDays(TODAY, -10);
    const midnight = Date.parse(`${addDays(day, 1)}T00:00:00-06:00`);
    // The second before midnight and the one after, as far as a transaction may last.
    for (const at of [midnight - 60_000, midnight + 1_000]) {
      const past = openDb({
        url: shop.ownerUrl,
        role: 'none',
        clockOffset: `${Math.round((at - Date.now()) / 1000)} seconds`,
      });
      try {
        await makePurchase(past, { buyerId: shop.buyer.id, merchantId, productId });
      } finally {
        await past.destroy();
      }
    }
    const of = async (from: string, to: string) => {
      const made = await report(from, to, merchantId);
      expect(made.disagrees).toEqual([]);
      const opening = made.accounts.find(({ account }) => account === 'layaway_deposits')?.opening;
      return [
        opening,
        sumMovements(made.movements, 'principal').centavos,
        closingOf(made, 'layaway_deposits'),
      ];
    };
    expect(await of(addDays(day, -1), addDays(day, -1))).toEqual([0, 0, 0]);
    expect(await of(day, day)).toEqual([0, 60_000, 60_000]);
    expect(await of(addDays(day, 1), addDays(day, 1))).toEqual([60_000, 60_000, 120_000]);
    expect(await of(day, addDays(day, 1))).toEqual([0, 120_000, 120_000]);
    expect(await of(addDays(day, 2), TODAY)).toEqual([120_000, 0, 120_000]);
    await expect(report(TODAY, day, merchantId)).rejects.toThrow('report_days');
    await expect(report(TODAY, addDays(TODAY, 1), merchantId)).rejects.toThrow('report_future');
  });
});
