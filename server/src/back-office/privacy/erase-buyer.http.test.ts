import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { answer3ds, DAY, MINUTE, till } from '../../../test/card-acts.ts';
import { help, makeLink } from '../../../test/help-acts.ts';
import { makeBranch, makeBuyer, makeProduct, makeStaff, PASSWORD } from '../../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { payPurchase } from '../../../test/purchases.ts';
import { buy, storeNumber } from '../../../test/store-acts.ts';
import { proveBooks } from '../../ledger/books/proofs.read-model.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { createLog } from '../../platform/logging.ts';
import { forgetBuyerInvoices } from '../../invoicing/invoices/retention.ts';
import { deliverEmail } from '../../platform/email/deliver-email.ts';
import { sendEmailTo } from '../../platform/email/outbox.ts';
import { markRefundPaid } from '../../payments/refunds/decide-refund.ts';
import { eraseBuyer } from './erase-buyer.ts';
import { readEverything } from './read-model.ts';

/** What must be nowhere afterwards. */
const CANARIES = ['canary', '5598765432', '90210', '198.51.100.77'];

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close()); // and proves the books

const erase = (id: number, delivered = false) =>
  transaction(shop.db, (tx) => eraseBuyer(tx, id, { passwordHash: 'nobody knows', delivered }));

/** Tables and columns in which a text can be found, whatever the column's type. */
async function whereIsIt(text: string): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    select table_name as "table" from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(shop.db);
  const found = await Promise.all(
    rows.map(async ({ table }) => {
      const { rows: hits } = await sql<{ row: string }>`
        select to_jsonb(t)::text as row from ${sql.table(table)} t where to_jsonb(t)::text ilike ${`%${text}%`}`.execute(
        shop.db,
      );
      return hits.map(() => table);
    }),
  );
  return [...new Set(found.flat())].toSorted();
}

/** A buyer whose name is in every place that takes one, with a purchase that was paid by card. */
async function someBuyer(
  email = 'canary@example.mx',
): Promise<{ id: number; email: string; token: string; purchaseId: number }> {
  const buyer = await makeBuyer(shop.db, { email, userName: 'Canary' });
  const as = { token: buyer.token };
  await shop.ask(`PUT /v1/SecurityBuyer/Update2Async/${buyer.id}`, {
    ...as,
    body: {
      name: 'Canary Ruiz',
      phone: '5598765432',
      streetAddress: 'Calle Canary',
      numberAddress: '5',
      postalCodeAddress: '90210',
    },
  });
  await sql`insert into fiscal_clients (buyer_id, rfc, name, email, postal_code, tax_regime, cfdi_use, street)
    values (${buyer.id}, 'CACX7605101P8', 'CANARY RUIZ', 'canary@example.mx', '90210', '616', 'S01', 'Calle Canary')`.execute(
    shop.db,
  );
  const paid = await shop.pay(await shop.reference(as), CARDS.approved, as);
  // An invoice that SAT refused with the name in its message, and that was never stamped.
  await sql`insert into invoices (instalment_id, purchase_id, buyer_id, merchant_id, fiscal_client_id, state, payment_form,
      amount_centavos, iva_basis_points, receiver, receiver_revision, detail_message, closed_at)
    select i.id, p.id, p.buyer_id, p.merchant_id, f.id, 'refused', '04', i.amount_centavos, 1600,
      '{"rfc": "CACX7605101P8", "name": "CANARY RUIZ"}', 1, 'El nombre CANARY RUIZ no es el del RFC', app_now()
    from purchases p join instalments i on i.purchase_id = p.id and i.number = 1 join fiscal_clients f on f.buyer_id = p.buyer_id
    where p.buyer_id = ${buyer.id}`.execute(shop.db);
  await transaction(shop.db, (tx) => sendEmailTo(tx, 'password_reset', buyer.email));
  await sql`update card_attempts set source_address = '198.51.100.77', source_ip_prefix = '198.51.100.77' where buyer_id = ${buyer.id}`.execute(
    shop.db,
  );
  return { ...buyer, purchaseId: paid.body.data.ventaId };
}

describe('a buyer who leaves', () => {
  test('is kept while money or goods are owed, and is then nowhere, while the books hold', async () => {
    const buyer = await someBuyer();
    const as = { token: buyer.token };
    expect(await whereIsIt('canary')).not.toEqual([]);

    expect(await erase(buyer.id)).toMatchObject({
      kind: 'tied',
      ties: { activePurchases: [buyer.purchaseId], openRefunds: [], paidOffPurchases: [] },
    });

    const { body } = await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${buyer.purchaseId}`, {
      ...as,
      body: { id: buyer.purchaseId, saleStatusId: 2, cancelNotes: 'soy Canary', refundShown: 615 },
    });
    const [refund] = body.data.refunds;
    expect(await erase(buyer.id)).toMatchObject({ kind: 'tied', ties: { openRefunds: [refund.id] } });
    await shop.job.refund_card({ refundId: refund.id }, createLog('silent'));

    const open = await shop.reference(as);
    // An account with a guessable address of an erased buyer is not in the way.
    await makeBuyer(shop.db, { email: `erased-${buyer.id}@erased.invalid` });
    expect(await erase(buyer.id)).toEqual({ kind: 'erased' });
    expect((await till(shop, open)).body).toMatchObject({ error: 5 }); // nobody is left to pay it
    for (const canary of CANARIES) expect(await whereIsIt(canary), canary).toEqual([]);
    expect(await whereIsIt('CACX7605101P8')).toEqual([]);

    // The money is still on record.
    const { rows } = await sql<{ amount: number }>`
      select amount_centavos as amount from receipts where buyer_id = ${buyer.id}`.execute(shop.db);
    expect(rows).toEqual([{ amount: 61_500 }]);
    expect((await shop.ask(`GET /v1/SecurityBuyer/GetAsync/${buyer.id}`, as)).status).toBe(401);
    expect(await erase(buyer.id)).toEqual({ kind: 'unknown' });
  });

  test('is kept while a bank may still approve, or a store take cash, what they left', async () => {
    const { id, token } = await makeBuyer(shop.db);
    const intentId = randomUUID();
    await shop.pay(await shop.reference({ token }), CARDS.threeDs, { token, intentId });
    await shop.age(intentId, 31 * MINUTE);
    await shop.poll(intentId);
    const attempt = await shop.attempt(intentId);
    expect([attempt.state, await erase(id)]).toMatchObject([
      'abandoned',
      { ties: { openAttempts: [attempt.id] } },
    ]);
    await shop.age(intentId, 9 * DAY);
    expect((await erase(id)).kind).toBe('erased');

    const bought = await buy(shop);
    const { body } = await storeNumber(shop, bought);
    const number = body.data.references[0].value;
    const cancelled = await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${bought.id}`, {
      token: bought.buyer.token,
      body: {},
    });
    const [refund] = cancelled.body.data.refunds;
    await transaction(shop.db, (tx) =>
      markRefundPaid(tx, refund.id, { paidBy: 'merchant', evidence: 'Vale firmado' }),
    );
    expect(await erase(bought.buyer.id)).toMatchObject({ ties: { payableCash: [number] } });
    await sql`update cash_references set valid = tstzrange(lower(valid) - interval '9 days', upper(valid) - interval '9 days')
      where purchase_id = ${bought.id}`.execute(shop.db);
    expect((await erase(bought.buyer.id)).kind).toBe('erased');
  });

  test('leaves the unit that was kept for their reservation to the next buyer', async () => {
    const { db, merchantId } = shop;
    await sql`update merchants set holds_references = true where id = ${merchantId}`.execute(db);
    onTestFinished(async () => {
      await sql`update merchants set holds_references = false where id = ${merchantId}`.execute(db);
    });
    const productId = await makeProduct(db, { merchantId });
    const owner = (await makeStaff(db, { merchantId, role: 'owner' })).token;
    const body = { branchId: await makeBranch(db, merchantId), free: 1, was: 0 };
    await shop.ask(`POST /v1/counter/products/${productId}/units`, { token: owner, body });
    const reserve = async ({ token }: { token: string }) =>
      shop.ask('POST /v1/PullApartReference', {
        token,
        body: { Referencia: `1|${merchantId}|${productId}|0||||0` },
      });
    const [first, next] = [await makeBuyer(db), await makeBuyer(db)];
    expect((await reserve(first)).status).toBe(200);
    expect((await reserve(next)).body.code).toBe('SOLD_OUT');
    expect(await erase(first.id)).toEqual({ kind: 'erased' });
    expect((await reserve(next)).status).toBe(200);
  });

  test('may come back with the same email address, as somebody new', async () => {
    const again = await makeBuyer(shop.db, { email: 'canary@example.mx' });
    const list = await shop.ask(`GET /v1/Cxc/ByBuyerIdH/${again.id}`, { token: again.token });
    expect(list.body.data).toEqual([]);
  });

  test('is not erased before the goods that they paid for whole are said to be delivered', async () => {
    const buyer = await makeBuyer(shop.db);
    const paid = await shop.pay(await shop.reference({ token: buyer.token }), CARDS.approved, {
      token: buyer.token,
    });
    const id: number = paid.body.data.ventaId;
    const plan = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${id}`, { token: buyer.token });
    for (const { id: instalment } of plan.body.data.slice(1)) {
      const one = await shop.ask(`GET /v1/Cxc/ByIdWithBalance/${instalment}`, { token: buyer.token });
      await shop.pay({ ...one.body.data, productName: 'x' }, CARDS.approved, { token: buyer.token });
    }
    expect(await erase(buyer.id)).toMatchObject({ kind: 'tied', ties: { paidOffPurchases: [id] } });
    await shop.db
      .insertInto('claims')
      .values({
        purchase_id: id,
        buyer_id: buyer.id,
        merchant_id: shop.merchantId,
        folio: 'K7Q2M9XW4T',
        notes: 'No ha llegado',
        due_at: sql<Date>`app_now() + interval '5 days'`,
      })
      .execute();
    // Whatever is said of the goods: they say that they have none.
    expect(await erase(buyer.id, true)).toMatchObject({ kind: 'tied', ties: { openClaims: ['K7Q2M9XW4T'] } });
    await sql`update claims set state = 'withdrawn', ended_at = app_now()`.execute(shop.db);
    expect(await erase(buyer.id, true)).toEqual({ kind: 'erased' });
    const [claim] = await shop.db.selectFrom('claims').select(['notes', 'state']).execute();
    expect(claim).toEqual({ notes: '', state: 'withdrawn' });
  });
});

describe('a call under way while its buyer is erased', () => {
  const fiscalData = {
    rfc: 'CACX7605101P8',
    name: 'LATECOMER RUIZ',
    email: 'latecomer@example.mx',
    regime: '616',
    cfdiUse: 'S01',
    zip: '90210',
  };

  /** Erases a buyer, and says yes to it once a call of theirs waits for that. */
  async function during(
    { id }: { readonly id: number },
    call: () => Promise<{ readonly status: number }>,
  ): Promise<number> {
    const called = Promise.withResolvers<number>();
    await transaction(shop.db, async (tx) => {
      expect(await eraseBuyer(tx, id, { passwordHash: 'nobody knows', delivered: false })).toEqual({
        kind: 'erased',
      });
      await sql`select 1`.execute(tx); // sends what was deferred
      call().then(({ status }) => called.resolve(status), called.reject);
      const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await waiting.execute(shop.db)).rows.length).toBeGreaterThan(0);
    });
    return called.promise;
  }

  const latecomer = () => makeBuyer(shop.db, { email: 'latecomer@example.mx', userName: 'Latecomer' });

  test('keeps no tax data of them', async () => {
    const { id, token } = await latecomer();
    const call = () => shop.ask('POST /v1/ClientSat/InsertAsync', { token, body: fiscalData });
    expect(await during({ id }, call)).toBe(401);
    expect(await whereIsIt('latecomer')).toEqual([]);
  });

  test('makes no reference for which a till would take money of nobody', async () => {
    const { id, token } = await latecomer();
    const body = { Referencia: `1|${shop.merchantId}|${shop.productId}|0||||0` };
    const call = () => shop.ask('POST /v1/PullApartReference', { token, body });
    expect(await during({ id }, call)).toBe(401);
    const open = sql`select 1 from layaway_references where buyer_id = ${id} and state = 'open'`;
    expect((await open.execute(shop.db)).rows).toEqual([]);
  });

  test('writes no email to them', async () => {
    const { id, token } = await latecomer();
    const call = () => shop.ask('POST /v1/SecurityBuyer/SendConfirmationAsync', { token, body: {} });
    await during({ id }, call);
    expect(await whereIsIt('latecomer')).toEqual([]);
  });

  test('tells nothing of the browser that made it', async () => {
    const { id, token } = await latecomer();
    const headers = { 'user-agent': 'Latecomer/1.0' };
    const call = () =>
      shop.ask(`PUT /v1/SecurityBuyer/Update2Async/${id}`, {
        token,
        headers,
        body: { name: 'Latecomer Ruiz' },
      });
    await during({ id }, call);
    expect(await whereIsIt('latecomer')).toEqual([]);
  });
});

test('an erased buyer who helped others, or has a shop, still reads what waits for them as that', async () => {
  const { id, email } = await makeBuyer(shop.db);
  await transaction(shop.db, async (tx) => {
    await sendEmailTo(tx, 'password_reset', email);
    await sendEmailTo(tx, 'help_refunded', email, { attemptId: randomUUID(), amountCentavos: 51_500 });
    await sendEmailTo(tx, 'staff_password_changed', email);
  });
  expect(await erase(id)).toEqual({ kind: 'erased' });
  const left = shop.db.selectFrom('outbox').select(['topic', 'state']).where('recipient', '=', email);
  expect(await left.orderBy('topic').execute()).toEqual([
    { topic: 'help_refunded', state: 'waiting' },
    { topic: 'staff_password_changed', state: 'waiting' },
  ]);
});

test('who helped an erased buyer is nowhere either, not in the emails that told them of it', async () => {
  const { id, buyer } = await buy(shop);
  const { helpCode } = await makeLink(shop, id, {}, buyer.token);
  const intentId = randomUUID();
  await help(shop, helpCode, CARDS.approved, { amount: 515, intentId });
  await answer3ds(shop, intentId, 'approve');
  await shop.poll(intentId);
  const emails = () =>
    shop.db
      .selectFrom('outbox')
      .select(['recipient', 'facts', 'state'])
      .where('topic', '=', 'help_received')
      .execute();
  const [waiting] = await shop.db
    .selectFrom('outbox')
    .select('id')
    .where('topic', '=', 'help_received')
    .execute();
  await deliverEmail(shop.jobs, waiting!.id);
  expect(await emails()).toMatchObject([{ recipient: 'marta@example.mx', state: 'sent' }]);
  await payPurchase(shop.db, id, 190_000);
  expect(await erase(buyer.id, true)).toEqual({ kind: 'erased' });
  expect(await whereIsIt('marta')).toEqual([]);
  expect(await emails()).toEqual([{ recipient: '', facts: {}, state: 'sent' }]);
});

test('is kept until who helped them has been mailed that their money went back', async () => {
  const { id, buyer } = await buy(shop);
  const { helpCode } = await makeLink(shop, id, {}, buyer.token);
  const intentId = randomUUID();
  await help(shop, helpCode, CARDS.approved, { amount: 515, intentId });
  await answer3ds(shop, intentId, 'approve');
  await shop.poll(intentId);
  await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${id}`, { token: buyer.token, body: {} });
  const owed = await shop.db
    .selectFrom('refunds')
    .select(['id', 'method'])
    .where('state', '=', 'owed')
    .execute();
  for (const { id: refundId, method } of owed) {
    if (method === 'card') await shop.job.refund_card({ refundId }, createLog('silent'));
    else
      await transaction(shop.db, (tx) =>
        markRefundPaid(tx, refundId, { paidBy: 'merchant', evidence: 'Vale firmado' }),
      );
  }
  const toHelper = shop.db
    .selectFrom('outbox')
    .select(['id', 'topic', 'state'])
    .where('recipient', '=', 'marta@example.mx')
    .orderBy('id');
  const waiting = await toHelper.execute();
  expect(waiting.map(({ topic }) => topic)).toContain('help_refunded');
  expect(await erase(buyer.id)).toMatchObject({
    kind: 'tied',
    ties: { openRefunds: [], helperEmails: waiting.map((email) => email.id) },
  });
  // A backup's were sent before the erasure that is repeated, and no server runs that would send them.
  const again = transaction(shop.db, async (tx) => {
    const erasure = await eraseBuyer(tx, buyer.id, { passwordHash: 'x', delivered: false, again: true });
    throw new Error(erasure.kind);
  });
  await expect(again).rejects.toThrow('erased');
  for (const email of waiting) await deliverEmail(shop.jobs, email.id);
  expect((await toHelper.execute()).filter(({ state }) => state !== 'sent')).toEqual([]);
  expect(await erase(buyer.id)).toEqual({ kind: 'erased' });
});

test('a help link of an erased buyer tells no more what they bought, as if it were invented', async () => {
  const { id, buyer } = await buy(shop);
  const { helpCode } = await makeLink(shop, id, {}, buyer.token);
  const read = async () => (await shop.ask('POST /v1/Help/ReadAsync', { body: { helpCode } })).status;
  await payPurchase(shop.db, id, 240_000);
  expect(await read()).toBe(200);
  expect(await erase(buyer.id, true)).toEqual({ kind: 'erased' });
  expect(await read()).toBe(404);
});

test('the shop’s unit of a purchase that an erased buyer was handed is kept no more, and is sold', async () => {
  const { db, merchantId } = shop;
  const productId = await makeProduct(db, { merchantId });
  const branchId = await makeBranch(db, merchantId);
  await db
    .insertInto('product_units')
    .values({
      product_id: productId,
      branch_id: branchId,
      merchant_id: merchantId,
      entered_units: 2,
      free_units: 2,
    })
    .execute();
  await db.updateTable('products').set({ counts_units: true }).where('id', '=', productId).execute();
  const { id, buyer } = await buy(shop, { productId });
  await payPurchase(db, id, 240_000);
  const standing = async () =>
    (
      await sql`select p.state, h.state as hold, u.free_units as free from purchases p
        join holds h using (layaway_reference_id) join product_units u on u.product_id = p.product_id
        where p.id = ${id}`.execute(db)
    ).rows;
  expect(await standing()).toEqual([{ state: 'active', hold: 'held', free: 1 }]);
  expect((await erase(buyer.id)).kind).toBe('tied');
  expect(await erase(buyer.id, true)).toEqual({ kind: 'erased' });
  expect(await standing()).toEqual([{ state: 'delivered', hold: 'delivered', free: 1 }]);
  expect(await proveBooks(db)).toEqual([]);
});

describe('what we have of a buyer', () => {
  test('is told whole, without secrets', async () => {
    const everything = JSON.stringify(await readEverything(shop.db, shop.buyer.id));
    expect(everything).toContain(shop.buyer.email);
    expect(everything).not.toContain(PASSWORD);
    expect(everything).not.toMatch(/argon2|token_hash|password_hash|webhook_nonce/);
  });
});

// After the others: this buyer is not erased whole.
test('a buyer who leaves is not named by what the provider once said of an invoice that was stamped after all', async () => {
  const { id } = await someBuyer('canary-2@example.mx');
  await sql`insert into invoices (instalment_id, purchase_id, buyer_id, merchant_id, fiscal_client_id, state, payment_form,
      amount_centavos, iva_basis_points, receiver, receiver_revision, detail_message, closed_at, fiscal_folio, provider_uuid, xml,
      issued_at)
    select instalment_id, purchase_id, buyer_id, merchant_id, fiscal_client_id, 'cancelled', payment_form, amount_centavos,
      iva_basis_points, receiver, 1, 'canary@example.mx does not exist', closed_at, gen_random_uuid(), gen_random_uuid(), '\\x00',
      app_now()
    from invoices where buyer_id = ${id}`.execute(shop.db);
  await transaction(shop.db, (tx) => forgetBuyerInvoices(tx, id));
  const { rows } =
    await sql`select detail_message as said, receiver ->> 'rfc' as rfc from invoices where buyer_id = ${id}
    order by id`.execute(shop.db);
  expect(rows).toEqual([
    { said: '', rfc: null },
    { said: '', rfc: 'CACX7605101P8' },
  ]);
});
