import { randomUUID } from 'node:crypto';
import { referenceExpiry } from '@aparta/domain/calendar';
import { WAITING_AT_STORES } from '@aparta/domain/help';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { answer3ds } from '../../../test/card-acts.ts';
import { help, helpAtStore, makeLink, noWork } from '../../../test/help-acts.ts';
import { makeStaff } from '../../../test/make.ts';
import { mailsTo } from '../../../test/mailbox.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import {
  booksAreFinal,
  type Bought,
  buy,
  letEndIn,
  mustBalance,
  standing,
  storeNumber,
} from '../../../test/store-acts.ts';
import { bookStoreReversal } from '../../back-office/operations/book-store-reversal.ts';
import { forgetHelper } from '../../back-office/privacy/forget-helper.ts';
import { putPicture } from '../../catalogue/pictures/store.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { createLog } from '../../platform/logging.ts';
import { markRefundBounced, markRefundPaid } from '../refunds/decide-refund.ts';

const log = createLog('silent');
let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ merchant: { penaltyCentavos: 80_000, feeMethods: ['card', 'cash'] } });
});
afterAll(() => shop.close());
afterEach(() => mustBalance(shop));

interface Helped {
  readonly bought: Bought;
  readonly code: string;
  readonly linkId: string;
}
async function ready(): Promise<Helped> {
  const bought = await buy(shop);
  const { helpCode: code, linkId } = await makeLink(shop, bought.id, {}, bought.buyer.token);
  return { bought, code, linkId };
}

const see = async (intentId: string) =>
  (await shop.ask('POST /v1/Help/StorePaymentAsync', { body: { intentoId: intentId } })).body;

/** Somebody takes a number to a store; answers it. */
async function numberOf(code: string, amount: number, given: { name?: string; email?: string } = {}) {
  const intentId = randomUUID();
  const { status, body } = await helpAtStore(shop, code, { amount, intentId, ...given });
  expect(status).toBe(200);
  return { intentId, number: body.data.reference as string, data: body.data };
}

/** A store takes cash for a number, and we hear of it. */
async function pay(reference: string, amount?: number): Promise<string> {
  const { operationId } = await shop.control('POST /control/cash/pay', {
    reference,
    notice: { drop: true },
    ...(amount !== undefined && { amount }),
  });
  await shop.job.check_cash_operation({ operationId }, log);
  return operationId;
}

const asBuyer = ({ bought }: Helped) => ({ token: bought.buyer.token });

async function cancel(of: Helped): Promise<any> {
  await sql`update purchases set penalty_free_until = '1970-01-01' where id = ${of.bought.id}`.execute(
    shop.db,
  );
  const { body } = await shop.ask(`GET /v1/Sales/CancelQuoteAsync/${of.bought.id}`, asBuyer(of));
  await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${of.bought.id}`, {
    ...asBuyer(of),
    body: { refundShown: body.data.refund },
  });
  return body.data;
}

test('a helper takes a number to a store: it is booked with their name, oldest first, and they get a receipt by email', async () => {
  const of = await ready();
  const email = 'tomas@example.mx';
  const { intentId, number, data } = await numberOf(of.code, 1_315, { name: 'Tomás', email });
  expect(data).toMatchObject({
    storeState: 'waiting',
    reference: number,
    barcode: number,
    amount: 1_315,
    fee: 15,
    tooMuch: false,
    tradeName: 'Muebles del Centro',
    given: 0,
    folio: null,
    owedBack: 0,
  });
  expect(data.stores).toHaveLength(8);
  expect(JSON.stringify(data)).not.toContain(of.bought.buyer.email);
  expect(JSON.stringify(data)).not.toMatch(/ventaId|fechaVencimiento|saldo/i);
  await pay(number);
  expect((await standing(shop, of.bought.id)).parts).toEqual([60_000, 120_000, 10_000]);
  expect((await see(intentId)).data).toMatchObject({
    storeState: 'paid',
    given: 1_315,
    owedBack: 0,
    folio: expect.stringMatching(/^[0-9A-Z]{10}$/),
  });
  const { folio } = (await see(intentId)).data;
  const links = await shop.ask(`GET /v1/Sales/HelpLinksAsync/${of.bought.id}`, asBuyer(of));
  expect(links.body.data[0]).toMatchObject({
    helped: 1_300,
    helps: [{ helperName: 'Tomás', amount: 1_300 }],
  });
  const receipt = await shop.ask(`GET /v1/Receipts/GetAsync/${folio}`, asBuyer(of));
  expect(receipt.body.data).toMatchObject({ payerName: 'Tomás' });
  const plan = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${of.bought.id}`, asBuyer(of));
  expect(plan.body.data[1].cxcPagos[0]).toMatchObject({ monto: 1_200, payerName: 'Tomás' });
  const days = 'from=2000-01-01&to=2000-12-31'.replaceAll('2000', String(new Date().getFullYear()));
  const statement = await shop.ask(`GET /v1/Statements/GetAsync?${days}`, asBuyer(of));
  expect(statement.body.data.lines).toContainEqual(
    expect.objectContaining({ amount: 1_315, credit: 1_300, payerName: 'Tomás' }),
  );
  const activity = await shop.ask('GET /v1/SecurityBuyer/ActivityAsync', asBuyer(of));
  expect(activity.body.data).toContainEqual(
    expect.objectContaining({ activityKind: 'paid', actor: 'helper', personName: 'Tomás' }),
  );
  const [mail, ...more] = await mailsTo(shop, email);
  expect([mail.subject, more]).toEqual(['Tu ayuda llegó: $1,315.00 MXN', []]);
  expect(mail.text).toContain('te entrega en efectivo, en su caja, lo que diste');
  expect(mail.text).toContain('Cargo por servicio: $15.00 MXN');
  expect(mail.text).not.toContain('tarjeta terminada');
  expect((await mailsTo(shop, of.bought.buyer.email)).map(({ subject }) => subject)).toContain(
    'Tomás te ayudó: recibimos tu abono de $1,315.00 MXN',
  );
});

test('cash of a helper is not told as the buyer’s own to a mailbox that nobody confirmed', async () => {
  const of = await ready();
  const { id, email } = of.bought.buyer;
  await shop.db.updateTable('buyers').set({ email_confirmed_at: null }).where('id', '=', id).execute();
  const { number } = await numberOf(of.code, 515, { name: 'Tomás', email: 'tomas-otro@example.mx' });
  await pay(number);
  const mail = (await mailsTo(shop, email)).at(-1);
  expect(mail.subject).toBe('Recibimos un abono de $515.00 MXN de quien te ayudó');
  expect(mail.text).toContain('Te dieron: $515.00 MXN');
  expect(`${mail.text}${mail.html}`).not.toContain('Tomás');
});

test('helpers’ numbers stand beside each other and beside the buyer’s, and what none of them needs is owed back to whose it is', async () => {
  const of = await ready();
  const own = await storeNumber(shop, of.bought, 2);
  const luis = await numberOf(of.code, 2_415, { name: 'Luis', email: 'luis@example.mx' });
  const rosa = await numberOf(of.code, 1_515, { name: 'Rosa', email: 'rosa@example.mx' });
  expect(new Set([own.body.data.barcode, luis.number, rosa.number]).size).toBe(3);
  expect((await storeNumber(shop, of.bought, 2)).body.data.barcode).toBe(own.body.data.barcode);
  await pay(rosa.number);
  expect((await see(luis.intentId)).data).toMatchObject({ storeState: 'waiting', tooMuch: true });
  await pay(luis.number);
  expect((await standing(shop, of.bought.id)).paid).toBe(300_000);
  expect((await see(luis.intentId)).data).toMatchObject({
    storeState: 'paid',
    given: 2_415,
    owedBack: 1_500,
    handedOver: false,
  });
  // Paid whole: the buyer's number is over, and what comes by it is theirs.
  await pay(own.body.data.barcode);
  const mails = await mailsTo(shop, 'luis@example.mx');
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    'Tienes $1,500.00 MXN por recoger',
    'Tu ayuda llegó: $915.00 MXN',
  ]);
  expect(mails.find(({ subject }) => subject.startsWith('Tienes')).text).toContain(
    'Muebles del Centro te lo entrega en efectivo, en su caja: lleva este folio y tu ticket',
  );
  const theirs = (await mailsTo(shop, of.bought.buyer.email)).map(({ subject }) => subject);
  expect(theirs.filter((subject) => subject.startsWith('Tienes'))).toEqual([
    'Tienes $1,215.00 MXN por recoger',
  ]);
  const refunds = await shop.ask(`GET /v1/Sales/RefundsAsync/${of.bought.id}`, asBuyer(of));
  expect(refunds.body.data.map(({ payerName, amount }: any) => [payerName, amount])).toEqual([
    [null, 1_215],
    ['Luis', 1_500],
  ]);
  // Who hands it over at the shop reads whose it is.
  const { token, email } = await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' });
  const listed = await shop.ask('GET /v1/counter/refunds', { token });
  expect(listed.body.data.map(({ payerName, amount }: any) => [payerName, amount])).toEqual([
    ['Luis', 1_500],
    [null, 1_215],
  ]);
  await booksAreFinal(shop);
  await shop.job.queue_shop_mails({}, shop.jobs.log);
  const named = (await mailsTo(shop, email)).map(({ subject, text }) => [
    /\$[\d,.]+/.exec(subject)?.[0],
    /^Cliente: (.*)$/m.exec(text)?.[1],
    /^Para: (.*)$/m.exec(text)?.[1],
  ]);
  expect(named.toSorted()).toEqual([
    ['$1,215.00', 'Ana', undefined],
    ['$1,500.00', 'Ana', 'Luis, que ayudó a pagar'],
  ]);
  const owed = await sql<{ id: number }>`select id from refunds where amount_centavos = 150000`.execute(
    shop.db,
  );
  await transaction(shop.db, (tx) =>
    markRefundPaid(tx, owed.rows[0]?.id ?? 0, { paidBy: 'merchant', evidence: 'Vale 7' }),
  );
  expect((await see(luis.intentId)).data).toMatchObject({ owedBack: 1_500, handedOver: true });
  expect((await mailsTo(shop, 'luis@example.mx')).at(-1).subject).toBe(
    'Te entregaron $1,500.00 MXN en efectivo',
  );
  await transaction(shop.db, (tx) => markRefundBounced(tx, owed.rows[0]?.id ?? 0));
  expect((await see(luis.intentId)).data).toMatchObject({ owedBack: 1_500, handedOver: false });
  expect((await mailsTo(shop, 'luis@example.mx')).at(-1).subject).toBe(
    'Tu devolución de $1,500.00 MXN se te debe otra vez',
  );
  expect((await mailsTo(shop, of.bought.buyer.email)).map(({ subject }) => subject).join()).not.toContain(
    '1,500.00',
  );
});

test('on a cancel cash of helpers is owed back in cash and each card gets its own; the penalty is the buyer’s first', async () => {
  const of = await ready();
  const cash = await numberOf(of.code, 515, { name: 'Efrén', email: 'efren@example.mx' });
  await pay(cash.number);
  const intentId = randomUUID();
  await help(shop, of.code, CARDS.approved, { amount: 315, intentId, name: 'Carla' });
  await answer3ds(shop, intentId, 'approve');
  await shop.ask('POST /v1/Help/PaymentAsync', { body: { intentoId: intentId } });
  const quote = await cancel(of);
  // 800 of penalty: the buyer's 600, then 200 of who helped first.
  expect(quote.returns.map(({ amount, payerName }: any) => [payerName, amount])).toEqual([
    ['Efrén', 300],
    ['Carla', 300],
  ]);
  const refunds = await shop.ask(`GET /v1/Sales/RefundsAsync/${of.bought.id}`, asBuyer(of));
  const returned = refunds.body.data.map((refund: any) =>
    [refund.way, refund.payerName, refund.amount].join(' '),
  );
  expect(returned.toSorted()).toEqual(['card Carla 300', 'cash Efrén 300']);
  expect((await mailsTo(shop, 'efren@example.mx')).map(({ subject }) => subject)).toEqual([
    'Tu ayuda llegó: $515.00 MXN',
    'El cargo por cancelar tomó $200.00 MXN de tu ayuda',
    'Tienes $300.00 MXN por recoger',
  ]);
  expect((await see(cash.intentId)).data).toMatchObject({ storeState: 'paid', owedBack: 300 });
});

test('helpers whose money a penalty takes are told how much of it, also where nothing is left to give back', async () => {
  const of = await ready();
  const all = await numberOf(of.code, 115, { name: 'Olga', email: 'olga@example.mx' });
  await pay(all.number);
  const intentId = randomUUID();
  await help(shop, of.code, CARDS.approved, { amount: 315, intentId, email: 'raul@example.mx' });
  await answer3ds(shop, intentId, 'approve');
  await shop.ask('POST /v1/Help/PaymentAsync', { body: { intentoId: intentId } });
  await cancel(of);
  // 800 of penalty: the buyer's 600, all of Olga's 100, and 100 of Raúl's 300.
  const [, olga] = await mailsTo(shop, 'olga@example.mx');
  expect(olga?.subject).toBe('El cargo por cancelar tomó $100.00 MXN de tu ayuda');
  expect(olga.text).toContain('De lo que diste no queda nada por devolverte.');
  const [, raul] = await mailsTo(shop, 'raul@example.mx');
  expect(raul?.subject).toBe('El cargo por cancelar tomó $100.00 MXN de tu ayuda');
  expect(raul.text).toContain('Lo demás, $200.00 MXN, sí vuelve: te escribimos aparte.');
  expect(raul.text).toContain('El cargo por servicio de $15.00 MXN tampoco vuelve.');
});

test('the email of a cancel tells its buyer apart what goes back to them and what to who helped', async () => {
  const both = await ready();
  await sql`update purchases set penalty_centavos = 10000 where id = ${both.bought.id}`.execute(shop.db);
  await sql`update layaway_references set penalty_centavos = 10000
    where id = (select layaway_reference_id from purchases where id = ${both.bought.id})`.execute(shop.db);
  const none = await ready();
  for (const of of [both, none]) {
    await pay((await numberOf(of.code, 315, { email: 'sara@example.mx' })).number);
    await cancel(of);
  }
  const mailOf = async ({ bought }: Helped) =>
    (await mailsTo(shop, bought.buyer.email)).find(
      ({ subject }) => subject === `Cancelaste tu compra ${bought.id}`,
    ).text;
  const helped = (sum: string) => `${sum} MXN vuelven a quien te ayudó`;
  expect(await mailOf(both)).toContain('Te devolvemos: $500.00 MXN');
  expect(await mailOf(both)).toContain(helped('$300.00'));
  // 800 of penalty: the buyer's 600, and 200 of who helped.
  expect(await mailOf(none)).toContain('De tu dinero no queda nada por devolverte.');
  expect(await mailOf(none)).toContain(helped('$100.00'));
  expect(await mailOf(none)).not.toContain('Te devolvemos');
});

test('money for a number whose link was revoked, or whose purchase was cancelled, is never lost', async () => {
  const of = await ready();
  const late = await numberOf(of.code, 515, { email: 'late@example.mx' });
  const later = await numberOf(of.code, 615, { email: 'late@example.mx' });
  const path = `PUT /v1/Sales/HelpLinkRevokeAsync/${of.bought.id}`;
  await shop.ask(path, { ...asBuyer(of), body: { linkId: of.linkId } });
  expect((await see(late.intentId)).data.storeState).toBe('over');
  const again = await helpAtStore(shop, of.code, { amount: 515 });
  expect([again.status, again.body.code]).toEqual([404, 'NOT_FOUND']);
  // No notice comes: the network is asked.
  await shop.control('POST /control/cash/pay', { reference: late.number, notice: { drop: true } });
  await shop.job.poll_cash_references({ before: new Date(Date.now() + 60_000).toISOString() }, log);
  expect((await see(late.intentId)).data.storeState).toBe('paid');
  expect((await standing(shop, of.bought.id)).paid).toBe(110_000);
  await cancel(of);
  expect((await see(later.intentId)).data.storeState).toBe('over');
  const waiting = async () =>
    (await shop.ask(`GET /v1/Cxc/ByBuyerIdH/${of.bought.buyer.id}?status=2`, asBuyer(of))).body.waiting;
  const ofBuyer = await waiting();
  await pay(later.number);
  // What is a helper's never waits for the buyer.
  expect(await waiting()).toEqual(ofBuyer);
  expect((await see(later.intentId)).data).toMatchObject({
    storeState: 'owed_back',
    given: 615,
    owedBack: 615,
  });
  expect((await mailsTo(shop, 'late@example.mx')).at(-1).subject).toBe('Tienes $615.00 MXN por recoger');
});

test('what a store takes back is the helper’s again: the plan owes it, and both read so', async () => {
  const of = await ready();
  const { intentId, number } = await numberOf(of.code, 515, { email: 'back@example.mx' });
  const operationId = await pay(number);
  const back = await shop.control(`POST /control/cash/operations/${operationId}`, {
    move: 'reverse',
    notice: { drop: true },
  });
  await shop.job.check_cash_operation({ operationId: back.operationId }, log);
  expect((await standing(shop, of.bought.id)).paid).toBe(60_000);
  expect((await see(intentId)).data.storeState).toBe('reversed');
  const links = await shop.ask(`GET /v1/Sales/HelpLinksAsync/${of.bought.id}`, asBuyer(of));
  expect(links.body.data[0]).toMatchObject({ helped: 0, helps: [] });
  expect((await mailsTo(shop, 'back@example.mx')).at(-1).subject).toBe(
    'La tienda revirtió tu pago de $515.00 MXN',
  );
  expect((await mailsTo(shop, of.bought.buyer.email)).at(-1).subject).toBe(
    'La tienda revirtió un pago de $515.00 MXN de quien te ayudó',
  );
});

test('what a store gives back after a cancel is told as that, and no more as money that the shop hands over', async () => {
  const reversed = async (handsOver: boolean) => {
    const of = await ready();
    const { intentId, number } = await numberOf(of.code, 515, { email: 'vuelve@example.mx' });
    const operationId = await pay(number);
    await cancel(of);
    expect((await see(intentId)).data).toMatchObject({
      storeState: 'paid',
      owedBack: 300,
      handedOver: false,
    });
    const [refund] = (await shop.ask(`GET /v1/Sales/RefundsAsync/${of.bought.id}`, asBuyer(of))).body.data;
    if (handsOver)
      await transaction(shop.db, (tx) =>
        markRefundPaid(tx, refund.id, { paidBy: 'merchant', evidence: 'Vale 9' }),
      );
    const back = await shop.control(`POST /control/cash/operations/${operationId}`, {
      move: 'reverse',
      notice: { drop: true },
    });
    await shop.job.check_cash_operation({ operationId: back.operationId }, log);
    await transaction(shop.db, (tx) => bookStoreReversal(tx, back.operationId));
    return (await see(intentId)).data;
  };
  for (const handsOver of [false, true])
    expect(await reversed(handsOver)).toMatchObject({
      storeState: 'reversed',
      given: 0,
      owedBack: 0,
      handedOver: false,
      payments: [],
    });
});

test('a number shows what it is for, as its link does', async () => {
  const of = await ready();
  const { product_id: id } = await shop.db
    .selectFrom('purchases')
    .select('product_id')
    .where('id', '=', of.bought.id)
    .executeTakeFirstOrThrow();
  const picture = { content: 'a1'.repeat(16), large: Buffer.from('large'), small: Buffer.from('small') };
  await transaction(shop.db, (tx) => putPicture(tx, id, picture));
  const { intentId, data } = await numberOf(of.code, 1_315);
  const { pictures } = (await shop.ask('POST /v1/Help/ReadAsync', { body: { helpCode: of.code } })).body.data;
  expect(pictures.small).toBe(`/pictures/${id}-${picture.content}-small.webp`);
  expect([data.pictures, (await see(intentId)).data.pictures]).toEqual([pictures, pictures]);
});

test('a number that was paid again tells helper and buyer of each payment, and of all that goes back', async () => {
  const of = await ready();
  const { intentId, number } = await numberOf(of.code, 1_315, { name: 'Tomás', email: 'dos@example.mx' });
  for (let times = 0; times < 3; times += 1) await pay(number);
  const { data } = await see(intentId);
  expect(data).toMatchObject({ storeState: 'paid', given: 3_945, owedBack: 1_515, handedOver: false });
  expect(
    data.payments.map(({ amount, owedBack, handedOver }: any) => [amount, owedBack, handedOver]),
  ).toEqual([
    [1_315, 0, false],
    [1_315, 200, false],
    [1_315, 1_315, false],
  ]);
  const folios = data.payments.map(({ folio }: any) => folio);
  expect([new Set(folios).size, data.folio]).toEqual([3, folios[2]]);
  expect((await mailsTo(shop, 'dos@example.mx')).map(({ subject }) => subject).toSorted()).toEqual([
    'Tienes $1,315.00 MXN por recoger',
    'Tienes $200.00 MXN por recoger',
    'Tu ayuda llegó: $1,115.00 MXN',
    'Tu ayuda llegó: $1,315.00 MXN',
  ]);
  const read = async (path: string) =>
    (await shop.ask(`GET /v1/Sales/${path}/${of.bought.id}`, asBuyer(of))).body;
  expect((await read('HelpLinksAsync')).data[0].helps.map(({ amount }: any) => amount)).toEqual([
    1_100, 1_300,
  ]);
  const refunds = (await read('RefundsAsync')).data;
  expect(refunds.map(({ payerName, amount, folio }: any) => [payerName, amount, folio])).toEqual([
    ['Tomás', 1_315, folios[2]],
    ['Tomás', 200, folios[1]],
  ]);
  await transaction(shop.db, (tx) =>
    markRefundPaid(tx, refunds[1].id, { paidBy: 'merchant', evidence: 'Vale 8' }),
  );
  expect((await see(intentId)).data).toMatchObject({
    owedBack: 1_515,
    handedOver: false,
    payments: [{}, { handedOver: true }, { handedOver: false }],
  });
});

test('the same asked twice is one number, also where the network’s answer was lost; another sum by its id is refused', async () => {
  const { code } = await ready();
  const intentId = randomUUID();
  await shop.control('POST /control/faults', { call: 'createReference', kind: 'lost', times: 1 });
  const lost = await helpAtStore(shop, code, { amount: 515, intentId });
  expect([lost.status, lost.body.code]).toEqual([503, 'PROVIDER_DOWN']);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => helpAtStore(shop, code, { amount: 515, intentId })),
  );
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.data.reference}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  const other = await helpAtStore(shop, code, { amount: 615, intentId });
  expect([other.status, other.body.code]).toEqual([409, 'INTENT_CONFLICT']);
  expect((await see(randomUUID())).code).toBe('NOT_FOUND');
});

test('a number that Tapi gave to somebody else is not believed, and another may be asked for', async () => {
  const [one, other] = [await ready(), await ready()];
  const { data } = await numberOf(one.code, 515);
  await shop.control('POST /control/faults', {
    call: 'createReference',
    kind: 'status',
    status: 200,
    body: { references: [{ value: data.barcode }] },
  });
  const refused = await helpAtStore(shop, other.code, { amount: 515 });
  expect([refused.status, refused.body.code]).toEqual([409, 'CASH_REFERENCE_REFUSED']);
  await numberOf(other.code, 515);
});

test('a helper’s number does not outlive the plan that it is for: it is good until the day before its end, and not given on that day', async () => {
  const [before, that] = [await ready(), await ready()];
  const undo = [await letEndIn(shop, before.bought.id, 1), await letEndIn(shop, that.bought.id, 0)];
  const { data } = await numberOf(before.code, 515);
  expect(data.expiresAt).toBe(referenceExpiry(new Date(), 0).toISOString());
  const late = await helpAtStore(shop, that.code, { amount: 515 });
  expect([late.status, late.body.code]).toEqual([409, 'TOO_LATE_FOR_STORES']);
  for (const each of undo) await each();
});

test('what may not be given is refused before the network is asked', async () => {
  const of = await ready();
  const before = (await shop.control('GET /control/cash')).references.length;
  for (const amount of [64.99, 2_415.01, 15]) {
    const { status, body } = await helpAtStore(shop, of.code, { amount });
    expect([status, body.code, body.facts]).toEqual([409, 'AMOUNT_CHANGED', { amount: 2_415 }]);
  }
  const intentId = randomUUID();
  const idle = await shop.ask('POST /v1/Help/StoreReferenceAsync', {
    body: {
      helpCode: of.code,
      amount: 515,
      helperName: 'Nadie',
      helperEmail: 'nadie@example.mx',
      intentoId: intentId,
      workProof: noWork(of.code, intentId),
    },
  });
  expect([idle.status, idle.body.fields]).toEqual([422, { workProof: 'no work' }]);
  expect((await shop.control('GET /control/cash')).references).toHaveLength(before);
  await pay((await storeNumber(shop, of.bought, 3, 2_400)).body.data.barcode);
  expect((await helpAtStore(shop, of.code, { amount: 65 })).body.code).toBe('PURCHASE_SETTLED');
});

test('nobody floods the network by a link, and the buyer and who helps by card are not in the way of it', async () => {
  const of = await ready();
  for (let n = 0; n < WAITING_AT_STORES; n += 1)
    expect((await helpAtStore(shop, of.code, { amount: 65, address: `203.0.113.${n}` })).status).toBe(200);
  const more = await helpAtStore(shop, of.code, { amount: 65, address: '203.0.113.99' });
  expect([more.status, more.body.code, more.headers['retry-after']]).toEqual([429, 'TOO_MANY', '3600']);
  expect((await storeNumber(shop, of.bought, 2)).status).toBe(200);
  expect((await help(shop, of.code, CARDS.approved, { amount: 515 })).status).toBe(200);
  // From one address, whatever the links.
  const codes: string[] = [];
  for (let n = 0; n < 11; n += 1) {
    const { code } = n % 4 === 0 ? await ready() : { code: codes.at(-1) ?? '' };
    codes.push(code);
    const { status } = await helpAtStore(shop, code, { amount: 65, address: '198.51.100.7' });
    expect([n, status]).toEqual([n, n < 10 ? 200 : 429]);
  }
});

test('a helper at a store is forgotten when they ask for it, once nothing of theirs can still be paid or is owed', async () => {
  const of = await ready();
  const { number } = await numberOf(of.code, 515, { name: 'Olvido', email: 'olvido@example.mx' });
  const forget = () => transaction(shop.db, (tx) => forgetHelper(tx, 'olvido@example.mx'));
  expect((await forget()).kind).toBe('tied');
  await pay(number);
  await sql`update cash_references set valid = tstzrange(lower(valid) - interval '9 days', upper(valid) - interval '9 days')
    where provider_reference = ${number}`.execute(shop.db);
  expect((await forget()).kind).toBe('forgotten');
  expect((await forget()).kind).toBe('unknown');
  const links = await shop.ask(`GET /v1/Sales/HelpLinksAsync/${of.bought.id}`, asBuyer(of));
  expect(links.body.data[0].helps).toEqual([expect.objectContaining({ helperName: '···', amount: 500 })]);
  expect((await mailsTo(shop, 'olvido@example.mx')).length).toBe(0);
});
