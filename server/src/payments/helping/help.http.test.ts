import { randomUUID } from 'node:crypto';

import { addDays, mexicoCityDate } from '@aparta/domain/calendar';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { answer3ds, fault } from '../../../test/card-acts.ts';
import { help, helpAtStore, makeLink, noWork } from '../../../test/help-acts.ts';
import { makeBuyer, makeProduct } from '../../../test/make.ts';
import { mailsTo } from '../../../test/mailbox.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { WORKED, WORKED_LINK, workedCode } from '../../../test/worked.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { createLog } from '../../platform/logging.ts';
import { decideHeld } from '../cards/decide-held.ts';

let shop: Shop;
let purchaseId: number;
beforeEach(async () => {
  shop = await openShop();
  purchaseId = (await shop.pay(await shop.reference(), CARDS.approved)).body.data.ventaId;
});
afterEach(() => shop.close());

const asBuyer = () => ({ token: shop.buyer.token });
const read = (code: string) => shop.ask('POST /v1/Help/ReadAsync', { body: { helpCode: code } });
const seePayment = (intentId: string) =>
  shop.ask('POST /v1/Help/PaymentAsync', { body: { intentoId: intentId } });
const links = async () => (await shop.ask(`GET /v1/Sales/HelpLinksAsync/${purchaseId}`, asBuyer())).body.data;
const paidCentavos = async () =>
  (await shop.db.selectFrom('purchases').select('paid_centavos as paid').executeTakeFirstOrThrow()).paid;

/** A helper pays, and the bank approves it in its window. */
async function helped(code: string, given: { amount: number; name?: string }): Promise<any> {
  const intentId = randomUUID();
  await help(shop, code, CARDS.approved, { ...given, intentId });
  await answer3ds(shop, intentId, 'approve');
  return (await seePayment(intentId)).body.data;
}

describe('a help link', () => {
  test('shows who asks and for what, and nothing else of the buyer', async () => {
    const { helpCode } = await makeLink(shop, purchaseId, { helpMessage: 'Es para la escuela', goal: 800 });
    const { status, body } = await read(helpCode);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      firstName: expect.any(String),
      productName: expect.any(String),
      pictures: null,
      tradeName: expect.any(String),
      helpMessage: 'Es para la escuela',
      goal: 800,
      goalLeft: 800,
      helped: 0,
      least: 50,
      most: 2400,
      cardFee: 15,
      storeFee: 0,
      storeMost: 10_000,
      penalty: 200,
      acceptsCards: true,
      cardKey: expect.any(String),
    });
    expect(body.data.firstName).not.toContain(' ');
    expect(JSON.stringify(body)).not.toContain(shop.buyer.email);
  });

  test('keeps the email address of a buyer who typed it as their name', async () => {
    const { db, buyer } = shop;
    await db.updateTable('buyers').set({ name: buyer.email }).where('id', '=', buyer.id).execute();
    const { helpCode } = await makeLink(shop, purchaseId);
    expect(JSON.stringify((await read(helpCode)).body)).not.toContain(buyer.email);
    await helped(helpCode, { amount: 515 });
    const [email] = await mailsTo(shop, 'marta@example.mx');
    expect(email.subject).toContain('Tu ayuda llegó');
    expect(JSON.stringify(email)).not.toContain(buyer.email);
  });

  test('is paid under no address of the web, and a name that was one before is no link in an email', async () => {
    const { helpCode } = await makeLink(shop, purchaseId);
    const named = (name: string) => help(shop, helpCode, CARDS.approved, { amount: 515, name });
    for (const name of ['http://evil.example/gana', 'www.evil.example']) {
      const { status, body } = await named(name);
      expect([status, body.code, body.fields]).toEqual([
        422,
        'INVALID_INPUT',
        { helperName: 'a web address' },
      ]);
    }
    await helped(helpCode, { amount: 515 });
    const name = 'http://evil.example/gana';
    await shop.db
      .updateTable('card_attempts')
      .set({ payer_name: name })
      .where('help_link_id', 'is not', null)
      .execute();
    await shop.db.updateTable('buyers').set({ name, email_confirmed_at: new Date() }).execute();
    for (const address of [shop.buyer.email, 'marta@example.mx']) {
      const mails = await mailsTo(shop, address);
      expect(mails.some(({ subject }) => /te ayudó|Tu ayuda llegó/.test(subject))).toBe(true);
      expect(JSON.stringify(mails)).not.toContain('evil.example');
    }
    expect((await links())[0].helps).toMatchObject([{ helperName: name }]);
  });

  test('tells the buyer nothing of a helper’s card, by whatever number they ask', async () => {
    const { helpCode } = await makeLink(shop, purchaseId);
    const intentId = randomUUID();
    await help(shop, helpCode, CARDS.approved, { amount: 515, intentId });
    await answer3ds(shop, intentId, 'approve');
    const { provider_payment_id: paymentId } = await shop.db
      .selectFrom('card_attempts')
      .select('provider_payment_id')
      .where('intent_id', '=', intentId)
      .executeTakeFirstOrThrow();
    for (const path of [`GetAttemptAsync/${intentId}`, `GetPaymentsAsync/${paymentId}/${shop.merchantId}`]) {
      const { status, body } = await shop.ask(`GET /v1/Clib/${path}`, asBuyer());
      expect([status, body.code, body.data]).toEqual([404, 'NOT_FOUND', null]);
    }
    // The id stays taken, and the helper reads their own.
    const again = await shop.pay(await shop.reference(), CARDS.approved, { intentId });
    expect(again.body.code).toBe('INTENT_CONFLICT');
    expect((await seePayment(intentId)).status).toBe(200);
  });

  test('is one of three at most, for a purchase that owes something, and of its buyer alone', async () => {
    const eva = await makeBuyer(shop.db);
    const path = `/v1/Sales/HelpLinkAsync/${purchaseId}`;
    expect((await shop.ask(`POST ${path}`, { token: eva.token, body: {} })).body.code).toBe('NOT_FOUND');
    expect((await shop.ask(`GET /v1/Sales/HelpLinksAsync/${purchaseId}`, eva)).body.code).toBe('NOT_FOUND');
    const first = await makeLink(shop, purchaseId);
    await makeLink(shop, purchaseId);
    await makeLink(shop, purchaseId);
    const fourth = () => shop.ask(`POST ${path}`, { ...asBuyer(), body: {} });
    expect((await fourth()).body.code).toBe('TOO_MANY_LINKS');
    const revoke = (token: string, linkId: string) =>
      shop.ask(`PUT /v1/Sales/HelpLinkRevokeAsync/${purchaseId}`, { token, body: { linkId } });
    expect((await revoke(eva.token, first.linkId)).body.code).toBe('NOT_FOUND');
    expect((await revoke(shop.buyer.token, randomUUID())).body.code).toBe('NOT_FOUND');
    expect((await revoke(shop.buyer.token, first.linkId)).status).toBe(200);
    expect((await revoke(shop.buyer.token, first.linkId)).status).toBe(200);
    expect((await fourth()).status).toBe(200);
    await helped((await links())[0].helpCode, { amount: 2415 });
    expect((await fourth()).body.code).toBe('PURCHASE_SETTLED');
    await shop.db.updateTable('purchases').set({ state: 'active' }).execute();
  });

  test('that was revoked, expired, or invented answers the same, byte for byte but for the request’s id', async () => {
    const [revoked, expired, closed] = [
      await makeLink(shop, purchaseId),
      await makeLink(shop, purchaseId),
      await makeLink(shop, purchaseId),
    ];
    await shop.ask(`PUT /v1/Sales/HelpLinkRevokeAsync/${purchaseId}`, {
      ...asBuyer(),
      body: { linkId: revoked.linkId },
    });
    await shop.db
      .updateTable('help_links')
      .set({ created_at: new Date(0), expires_at: new Date(1_000) })
      .where('id', '=', expired.linkId)
      .execute();
    await shop.db
      .updateTable('help_links')
      .set({ state: 'closed', ended_at: new Date() })
      .where('id', '=', closed.linkId)
      .execute();
    const codes = [revoked, expired, closed].map(({ helpCode }) => helpCode);
    const answers = await Promise.all([...codes, `${codes[0].slice(0, -2)}AA`, 'x'].map(read));
    const bytes = answers.map(({ status, body }) => JSON.stringify([status, { ...body, requestId: '' }]));
    expect(answers[0]?.status).toBe(404);
    expect(new Set(bytes).size).toBe(1);
    const asked = [...codes, `${codes[0].slice(0, -2)}AA`, 'x'].flatMap((code) => [
      help(shop, code, CARDS.approved, { amount: 515 }),
      helpAtStore(shop, code, { amount: 515 }),
    ]);
    const refused = (await Promise.all(asked)).map(({ status, body }) =>
      JSON.stringify([status, { ...body, requestId: '' }]),
    );
    expect([...new Set(refused)]).toEqual([bytes[0]]);
  });
});

describe('a helper', () => {
  test('pays by card, always with 3DS, and the buyer sees who gave what', async () => {
    const { helpCode } = await makeLink(shop, purchaseId, { goal: 800 });
    const intentId = randomUUID();
    const begun = await help(shop, helpCode, CARDS.approved, { amount: 515, intentId });
    expect(begun.body.data).toMatchObject({ state: 'pending_3ds', amount: 515 });
    await answer3ds(shop, intentId, 'approve');
    const { body } = await seePayment(intentId);
    expect(body.data).toMatchObject({ state: 'applied', folio: expect.stringMatching(/^[0-9A-Z]{10}$/) });
    expect(await paidCentavos()).toBe(110_000);
    const [link] = await links();
    expect(link).toMatchObject({ helped: 500, helps: [{ helperName: 'Tía Marta', amount: 500 }] });
    expect((await read(helpCode)).body.data).toMatchObject({ helped: 500, goalLeft: 300, most: 1900 });
    expect(JSON.stringify(body)).not.toMatch(/ventaId|referencia|plan/);
    // So does the buyer's statement, without the helper's card.
    const days = `from=${addDays(mexicoCityDate(new Date()), -1)}&to=${addDays(mexicoCityDate(new Date()), 1)}`;
    const statement = await shop.ask(`GET /v1/Statements/GetAsync?${days}`, asBuyer());
    const given = { method: 'card', amount: 515, fee: 15, credit: 500, payerName: 'Tía Marta', last4: null };
    expect(statement.body.data.lines).toContainEqual(expect.objectContaining(given));
    const receipt = await shop.ask(
      `GET /v1/Receipts/GetAsync/${begun.body.data.folio ?? body.data.folio}`,
      asBuyer(),
    );
    expect(receipt.body.data).toMatchObject({ payerName: 'Tía Marta', last4: null });
    const plan = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${purchaseId}`, asBuyer());
    expect(plan.body.data[1].cxcPagos).toEqual([
      expect.objectContaining({ monto: 500, payerName: 'Tía Marta', last4: null }),
    ]);
  });

  test('gets a receipt by email that names the buyer by their first name and nothing else of them; the buyer reads who helped', async () => {
    await shop.db.updateTable('buyers').set({ name: 'Ana María Torres Luna', phone: '5587654321' }).execute();
    const { helpCode } = await makeLink(shop, purchaseId);
    const { folio } = await helped(helpCode, { amount: 515 });
    const [mail, ...more] = await mailsTo(shop, 'marta@example.mx');
    expect([mail.subject, more]).toEqual(['Tu ayuda llegó: $515.00 MXN', []]);
    for (const said of [
      'Gracias, Tía Marta.',
      'Para: Ana\n',
      'Sala Nórdica',
      'Si Ana cancela',
      'Cargo por servicio: $15.00 MXN',
    ])
      expect(mail.text).toContain(said);
    expect(mail.text.replaceAll(' ', '')).toContain(folio);
    expect(`${mail.subject}${mail.text}${mail.html}`).not.toMatch(
      /Torres|5587654321|saleCxcList|recibo\/|buyer-|Pago \d|vence/,
    );
    const own = (await mailsTo(shop, shop.buyer.email)).map(({ subject }) => subject);
    expect(own).toContain('Tía Marta te ayudó: recibimos tu abono de $515.00 MXN');
  });

  test('gives money of which a mailbox that nobody confirmed is not told that it is the buyer’s own', async () => {
    await shop.db
      .updateTable('buyers')
      .set({ email_confirmed_at: null })
      .where('id', '=', shop.buyer.id)
      .execute();
    const { helpCode } = await makeLink(shop, purchaseId);
    await helped(helpCode, { amount: 515 });
    await helped(helpCode, { amount: 1915 });
    const [first, last] = (await mailsTo(shop, shop.buyer.email)).slice(-2);
    expect([first.subject, last.subject]).toEqual([
      'Recibimos un abono de $515.00 MXN de quien te ayudó',
      '¡Ya es tuyo! Recibimos un abono de $1,915.00 MXN de quien te ayudó',
    ]);
    expect(first.text).toContain('Recibimos un abono de quien te ayudó\n');
    for (const { text, html } of [first, last]) {
      expect(text).toContain('Te dieron: $');
      expect(`${text}${html}`).not.toMatch(/Pagaste|Marta/);
    }
  });

  test('reads by email when what they gave goes back whole, and the buyer hears nothing of it', async () => {
    const { helpCode } = await makeLink(shop, purchaseId);
    const intentId = randomUUID();
    await help(shop, helpCode, CARDS.approved, { amount: 2415, intentId });
    const plan = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${purchaseId}`, asBuyer());
    const second = await shop.ask(`GET /v1/Cxc/ByIdWithBalance/${plan.body.data[1].id}`, asBuyer());
    await shop.pay(second.body.data, CARDS.approved);
    await answer3ds(shop, intentId, 'approve');
    expect((await seePayment(intentId)).body.data.state).toBe('returned');
    const [mail] = await mailsTo(shop, 'marta@example.mx');
    expect(mail.subject).toBe('Te devolvemos $2,415.00 MXN');
    expect(mail.text).toContain('Vuelve completo a tu tarjeta terminada en 7669');
    expect((await mailsTo(shop, shop.buyer.email)).map(({ subject }) => subject).join()).not.toContain(
      'Te devolvemos',
    );
  });

  test('whose bank says no in its window pays nothing, and the buyer’s debt stays', async () => {
    const { helpCode } = await makeLink(shop, purchaseId);
    const intentId = randomUUID();
    await help(shop, helpCode, CARDS.threeDsRejected, { amount: 515, intentId });
    await answer3ds(shop, intentId, 'reject');
    expect((await seePayment(intentId)).body.data).toMatchObject({ state: 'rejected', folio: null });
    expect(await paidCentavos()).toBe(60_000);
    expect((await read(helpCode)).body.data).toMatchObject({ helped: 0, most: 2400 });
    expect(await mailsTo(shop, 'marta@example.mx')).toEqual([]);
  });

  test('whose charge is not what was asked is in review: neither applied nor given back, and nothing leaks of why', async () => {
    const { helpCode } = await makeLink(shop, purchaseId);
    const intentId = randomUUID();
    await help(shop, helpCode, CARDS.oneMore, { amount: 515, intentId });
    expect((await shop.attempt(intentId)).state).toBe('held');
    const { intentoId, createdAt, ...shown } = (await seePayment(intentId)).body.data;
    expect([intentoId, createdAt]).toEqual([intentId, expect.any(String)]);
    expect(shown).toMatchObject({ state: 'held', amount: 515, refund: null });
    expect(JSON.stringify(shown)).not.toContain('516');
    expect(await paidCentavos()).toBe(60_000);
    expect((await links())[0]).toMatchObject({ helped: 0, helps: [] });
  });

  test('charged another sum than they gave hears that it goes back for that, not that it came too late', async () => {
    const { helpCode } = await makeLink(shop, purchaseId);
    const intentId = randomUUID();
    await help(shop, helpCode, CARDS.oneMore, { amount: 515, intentId });
    const { id } = await shop.attempt(intentId);
    await transaction(shop.db, (tx) => decideHeld(tx, id, 'return'));
    const mail = (await mailsTo(shop, 'marta@example.mx')).at(-1);
    expect(mail.text).toContain(
      'Tu banco cobró otro monto que el acordado, por eso no se aplicó a esa compra.',
    );
    expect(mail.text).not.toContain('ya no se podía');
  });

  test('in review hears by email when an operator finds that the money stands', async () => {
    const { helpCode } = await makeLink(shop, purchaseId);
    const intentId = randomUUID();
    await help(shop, helpCode, CARDS.oddDetail, { amount: 315, intentId });
    const { id, state } = await shop.attempt(intentId);
    expect(state).toBe('held');
    await transaction(shop.db, (tx) => decideHeld(tx, id, 'apply'));
    expect((await seePayment(intentId)).body.data.state).toBe('applied');
    const sent = await shop.db
      .selectFrom('outbox')
      .select('topic')
      .where('topic', '=', 'help_received')
      .execute();
    expect(sent).toHaveLength(1);
  });

  test('is told what may be given now, and is not charged, when the sum does not stand any more', async () => {
    const { helpCode } = await makeLink(shop, purchaseId);
    for (const amount of [2416, 64.99, 15, 0.01]) {
      const { status, body } = await help(shop, helpCode, CARDS.approved, { amount });
      expect([status, body.code, body.facts]).toEqual([409, 'AMOUNT_CHANGED', { amount: 2415 }]);
    }
    await helped(helpCode, { amount: 2415 });
    const settled = await help(shop, helpCode, CARDS.approved, { amount: 65 });
    expect([settled.status, settled.body.code]).toEqual([409, 'PURCHASE_SETTLED']);
    expect((await read(helpCode)).body.data).toMatchObject({ least: 0, most: 0, goal: null, goalLeft: null });
    expect(await shop.charges()).toHaveLength(2);
  });

  test('who sends the same twice is charged once; the id of another payment is refused', async () => {
    const { helpCode } = await makeLink(shop, purchaseId);
    const intentId = randomUUID();
    const given = { amount: 515, intentId, token: await shop.cardToken(CARDS.approved) };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => help(shop, helpCode, CARDS.approved, given)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await shop.charges()).toHaveLength(2);
    const other = await help(shop, helpCode, CARDS.approved, { ...given, amount: 615 });
    expect([other.status, other.body.code]).toEqual([409, 'INTENT_CONFLICT']);
    expect((await seePayment(randomUUID())).body.code).toBe('NOT_FOUND');
  });

  test('without the work of their browser reaches nobody', async () => {
    const { helpCode } = await makeLink(shop, purchaseId);
    const intentId = randomUUID();
    const { status, body } = await shop.ask('POST /v1/Help/PayAsync', {
      body: {
        helpCode,
        amount: 515,
        helperName: 'Tía Marta',
        helperEmail: 'marta@example.mx',
        payment_method: { token: await shop.cardToken(CARDS.approved) },
        intentoId: intentId,
        workProof: noWork(helpCode, intentId),
      },
    });
    expect([status, body.code, body.fields]).toEqual([422, 'INVALID_INPUT', { workProof: 'no work' }]);
    expect(await shop.charges()).toHaveLength(1);
  });

  test('does not stand in the buyer’s path: eight of them and the buyer never pay too much, and what was too much goes back whole', async () => {
    const made = [await makeLink(shop, purchaseId), await makeLink(shop, purchaseId)];
    const intents = Array.from({ length: 8 }, () => randomUUID());
    await Promise.all(
      intents.map((intentId, index) =>
        help(shop, made[index % 2].helpCode, CARDS.approved, {
          amount: 515,
          intentId,
          name: `Amigo ${index}`,
        }),
      ),
    );
    const plan = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${purchaseId}`, asBuyer());
    const second = await shop.ask(`GET /v1/Cxc/ByIdWithBalance/${plan.body.data[1].id}`, asBuyer());
    const [own] = await Promise.all([
      shop.pay(second.body.data, CARDS.approved),
      ...intents.map((intentId) => answer3ds(shop, intentId, 'approve')),
    ]);
    expect(own.status).toBe(200);
    for (const intentId of intents) await seePayment(intentId);
    const states = await Promise.all(intents.map(async (id) => (await shop.attempt(id)).state));
    const applied = states.filter((state) => state === 'applied').length;
    // 2,400 were owed: the buyer's 1,200 and two helpers, or four helpers and nobody else.
    expect(await paidCentavos()).toBe(60_000 + applied * 50_000 + (own.body.data.applied ? 120_000 : 0));
    expect(await paidCentavos()).toBeLessThanOrEqual(300_000);
    expect(states.filter((state) => state === 'returned')).toHaveLength(8 - applied);
    const refunds = await shop.db.selectFrom('refunds').selectAll().execute();
    expect(refunds.map(({ amount_centavos: amount, method }) => [amount, method])).toEqual(
      Array(refunds.length).fill([expect.any(Number), 'card']),
    );
    expect(refunds.filter(({ amount_centavos: amount }) => amount === 51_500)).toHaveLength(8 - applied);

    // Then it is cancelled, for 800: the buyer's own money first, then that of who helped first; each card gets its own.
    await sql`update layaway_references set penalty_centavos = 80000`.execute(shop.db);
    await sql`update purchases set penalty_centavos = 80000, penalty_free_until = '1970-01-01'`.execute(
      shop.db,
    );
    const { body } = await shop.ask(`GET /v1/Sales/CancelQuoteAsync/${purchaseId}`, asBuyer());
    await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${purchaseId}`, {
      ...asBuyer(),
      body: { refundShown: body.data.refund },
    });
    const rows = await shop.db.selectFrom('refunds').select('id').execute();
    for (const { id } of rows) await shop.job.refund_card({ refundId: id }, createLog('silent'));
    const attempts = await sql<any>`
      select a.id, a.payer_name as name, a.state, a.principal_centavos + a.fee_centavos as total, a.principal_centavos as principal
      from card_attempts a left join receipts r on r.channel = 'card' and r.source_id = a.id::text
      order by coalesce(r.paid_at, r.received_at), r.id`.execute(shop.db);
    let penalty = 80_000;
    const kept = new Map<string, number>();
    const inOrder = attempts.rows.filter(({ state }) => state === 'applied');
    for (const { id, principal } of [
      ...inOrder.filter(({ name }) => name === null),
      ...inOrder.filter(({ name }) => name !== null),
    ]) {
      const part = Math.min(penalty, principal);
      penalty -= part;
      kept.set(id, part);
    }
    expect(penalty).toBe(0);
    const payments: any[] = await shop.charges();
    const back = new Map(
      payments.map((each) => [each.external_reference, Math.round(each.amount_refunded * 100)]),
    );
    for (const { id, state, total, principal } of attempts.rows)
      expect(back.get(id) ?? 0, `${state} ${id}`).toBe(
        state === 'returned' ? total : state === 'applied' ? principal - (kept.get(id) ?? 0) : 0,
      );
  });

  test('gets their own money back when the purchase is cancelled; the penalty is the buyer’s first', async () => {
    await shop.close();
    shop = await openShop({ merchant: { penaltyCentavos: 80_000 } });
    purchaseId = (await shop.pay(await shop.reference(), CARDS.approved)).body.data.ventaId;
    const { helpCode } = await makeLink(shop, purchaseId);
    const first = await helped(helpCode, { amount: 515, name: 'Marta' });
    await helped(helpCode, { amount: 315, name: 'Luis' });
    await shop.db
      .updateTable('purchases')
      .set({ penalty_free_until: new Date(0) })
      .execute();
    const { body } = await shop.ask(`GET /v1/Sales/CancelQuoteAsync/${purchaseId}`, asBuyer());
    await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${purchaseId}`, {
      ...asBuyer(),
      body: { refundShown: body.data.refund },
    });
    // 800 of penalty: all 600 of the buyer, then 200 of who helped first.
    const refunds = await shop.db
      .selectFrom('refunds as f')
      .innerJoin('card_attempts as a', 'a.id', 'f.attempt_id')
      .select(['a.payer_name as name', 'f.amount_centavos as amount'])
      .orderBy('f.id')
      .execute();
    expect(refunds).toEqual([
      { name: 'Marta', amount: 30_000 },
      { name: 'Luis', amount: 30_000 },
    ]);
    expect(body.data.returns).toEqual([
      expect.objectContaining({ amount: 300, payerName: 'Marta', last4: null }),
      expect.objectContaining({ amount: 300, payerName: 'Luis', last4: null }),
    ]);
    const rows = await shop.db.selectFrom('refunds').select('id').execute();
    for (const { id } of rows) await shop.job.refund_card({ refundId: id }, createLog('silent'));
    const news = (await mailsTo(shop, 'marta@example.mx')).filter(({ subject }) =>
      subject.startsWith('Devolución'),
    );
    expect(news.map(({ text }) => text)).toEqual([
      expect.stringContaining('Te devolvimos: $300.00 MXN'),
      expect.stringContaining('Te devolvimos: $300.00 MXN'),
    ]);
    expect((await mailsTo(shop, shop.buyer.email)).map(({ subject }) => subject).join()).not.toContain(
      'Devolución hecha',
    );
    const { body: seen } = await shop.ask(`GET /v1/Sales/RefundsAsync/${purchaseId}`, asBuyer());
    expect(seen.data.map(({ payerName, last4 }: any) => [payerName, last4])).toEqual([
      ['Luis', null],
      ['Marta', null],
    ]);
    expect((await seePayment(first.intentoId)).body.data.refund).toMatchObject({ amount: 300 });
    expect((await read(helpCode)).status).toBe(404);
    const path = `POST /v1/Sales/HelpLinkAsync/${purchaseId}`;
    expect((await shop.ask(path, { ...asBuyer(), body: {} })).body.code).toBe('PURCHASE_CANCELLED');
  });

  test('is told, and nothing is charged, where the provider is down or the merchant takes no cards any more', async () => {
    const shared = [await makeLink(shop, purchaseId), await makeLink(shop, purchaseId)];
    for (let n = 0; n < 5; n += 1) {
      const { helpCode } = shared[n % 2];
      const { body } = await help(shop, helpCode, CARDS.nothingHappened, {
        amount: 65,
        address: `198.51.100.${n}`,
      });
      expect(body.data.state).toBe('unknown');
    }
    const { helpCode } = shared[0];
    const give = () => help(shop, helpCode, CARDS.approved, { amount: 65 });
    const down = await give();
    expect([down.status, down.body.code]).toEqual([503, 'PROVIDER_DOWN']);
    const broken = { secret_ciphertext: Buffer.from('another merchant’s') };
    await shop.db.updateTable('provider_credentials').set(broken).execute();
    expect((await give()).body.code).toBe('MERCHANT_MISCONFIGURED');
    await shop.db.updateTable('provider_credentials').set({ retired_at: new Date() }).execute();
    expect((await read(helpCode)).body.data.acceptsCards).toBe(false);
    expect((await give()).body.code).toBe('CARDS_NOT_ACCEPTED');
  });
});

describe('a tester of cards', () => {
  test('is told to wait while five of their cards are under way, and one more is not tried', async () => {
    const { helpCode } = await makeLink(shop, purchaseId);
    await fault(shop, { call: 'createPayment', kind: 'hold', times: 5 });
    const give = (index: number) =>
      help(shop, helpCode, CARDS.insufficientFunds, { amount: 65, address: `203.0.113.${index}` });
    const five = Array.from({ length: 5 }, (_, index) => give(index));
    const submitting = () =>
      shop.db.selectFrom('card_attempts').select('id').where('state', '=', 'submitting').execute();
    await expect.poll(submitting, { timeout: 5_000 }).toHaveLength(5);
    const { status, body, headers } = await give(5);
    await shop.control('POST /control/release');
    expect([status, body.code, headers['retry-after']]).toEqual([429, 'TOO_MANY_REJECTIONS', '60']);
    const states = (await Promise.all(five)).map((answer) => answer.body.data.state);
    expect(states).toEqual(Array(5).fill('rejected'));
    expect(await shop.charges()).toHaveLength(6);
    expect((await give(6)).body.code).toBe('NOT_FOUND');
  });

  test('with 200 cards from 20 addresses tries five at a link, and then it is closed', async () => {
    await makeLink(shop, purchaseId);
    const linkId = WORKED_LINK;
    await shop.db.updateTable('help_links').set({ id: linkId }).execute();
    const helpCode = workedCode(shop.settings);
    expect((await read(helpCode)).status).toBe(200);
    const codes: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(
        WORKED.slice(round * 20, round * 20 + 20).map((work, index) =>
          help(shop, helpCode, CARDS.insufficientFunds, {
            ...work,
            amount: 65,
            address: `203.0.113.${index}`,
          }),
        ),
      );
      codes.push(...answers.map(({ body }) => body.code ?? body.data.state));
    }
    expect(codes).toHaveLength(200);
    expect(codes).not.toContain('INVALID_INPUT');
    expect((await shop.charges()).length - 1).toBe(5);
    expect(codes.filter((code) => code === 'rejected')).toHaveLength(5);
    expect(await shop.db.selectFrom('help_links').select(['id', 'state']).execute()).toEqual([
      { id: linkId, state: 'closed' },
    ]);
    // The buyer themselves may pay as before.
    expect((await read(helpCode)).status).toBe(404);
    const plan = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${purchaseId}`, asBuyer());
    const second = await shop.ask(`GET /v1/Cxc/ByIdWithBalance/${plan.body.data[1].id}`, asBuyer());
    expect((await shop.pay(second.body.data, CARDS.approved)).body.data.applied).toBe(true);
  });

  test('with fifteen cards under way at the links of one purchase tries no more at a link of another', async () => {
    const productId = await makeProduct(shop.db, { merchantId: shop.merchantId });
    const other = (await shop.pay(await shop.reference({ productId }), CARDS.approved)).body.data.ventaId;
    await fault(shop, { call: 'createPayment', kind: 'hold', times: 15 });
    const give = (helpCode: string, index: number) =>
      help(shop, helpCode, CARDS.insufficientFunds, { amount: 65, address: `203.0.113.${index}` });
    const given: Promise<unknown>[] = [];
    for (const round of [0, 1, 2]) {
      const { helpCode } = await makeLink(shop, purchaseId);
      for (let index = 0; index < 5; index += 1) given.push(give(helpCode, round * 5 + index));
    }
    const submitting = () =>
      shop.db.selectFrom('card_attempts').select('id').where('state', '=', 'submitting').execute();
    await expect.poll(submitting, { timeout: 5_000 }).toHaveLength(15);
    const { body } = await give((await makeLink(shop, other)).helpCode, 15);
    await shop.control('POST /control/release');
    await Promise.all(given);
    expect(body.code).toBe('TOO_MANY');
  });

  test('who makes a link anew each time that one is closed tries no more than three links let them', async () => {
    const codes: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const { helpCode } = await makeLink(shop, purchaseId);
      for (let index = 0; index < 5; index += 1) {
        const address = `203.0.113.${round * 5 + index}`;
        const { body } = await help(shop, helpCode, CARDS.insufficientFunds, { amount: 65, address });
        codes.push(body.code ?? body.data.state);
        // Each is another card.
        await shop.db.updateTable('card_attempts').set({ card_fingerprint: null }).execute();
      }
    }
    expect(codes).toEqual([...Array(15).fill('rejected'), ...Array(5).fill('TOO_MANY')]);
    expect((await shop.charges()).length - 1).toBe(15);
    // A day later their helpers' cards are tried again.
    await sql`update card_attempts set created_at = created_at - interval '25 hours'`.execute(shop.db);
    const { helpCode } = (await links())[0];
    const { body } = await help(shop, helpCode, CARDS.approved, { amount: 65, address: '203.0.113.99' });
    expect(body.data.state).toBe('pending_3ds');
  });
});

test('a caller who changes their IPv6 address within their own network asks no more often, and others are not in their way', async () => {
  const ask = async (address: string) =>
    (await shop.ask('POST /v1/Help/ReadAsync', { body: { helpCode: 'A'.repeat(38) }, address })).status;
  const from = (first: number) =>
    Promise.all(Array.from({ length: 60 }, (_, n) => ask(`2001:db8:1:2::${(first + n).toString(16)}`)));
  expect(new Set([...(await from(1)), ...(await from(61))])).not.toContain(429);
  expect([await ask('2001:db8:1:2::ffff'), await ask('2001:db8:1:3::1')]).toEqual([429, 404]);
});
