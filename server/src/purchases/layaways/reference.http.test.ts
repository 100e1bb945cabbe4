import { randomUUID } from 'node:crypto';
import { mexicoCityDate, addDays } from '@aparta/domain/calendar';
import { parsePaymentReference } from '@aparta/domain/payment-reference';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeBuyer, makeMerchant, makeProduct } from '../../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop({ env: { REFERENCE_DAYS: '3' } });
});
afterEach(() => shop.close());

const qr = (given: { merchantId?: number; productId?: number } = {}) =>
  `1|${given.merchantId ?? shop.merchantId}|${given.productId ?? shop.productId}|0||||0`;

async function ask(body: unknown, token = shop.buyer.token) {
  return shop.ask('POST /v1/PullApartReference', { token, body });
}

async function read(id: number, token = shop.buyer.token) {
  return shop.ask(`GET /v1/PullApartReference/${id}`, { token });
}

const references = async () =>
  shop.db.selectFrom('layaway_references').selectAll().orderBy('created_at').execute();

/** Makes a reference expire an hour ago. */
const expire = (id: number) =>
  sql`update layaway_references set created_at = created_at - interval '4 days',
    expires_at = now() - interval '1 hour' where id = ${id}`.execute(shop.db);

const expiryJob = () => shop.job.expire_references({}, shop.jobs.log);

describe('a layaway reference', () => {
  test('says what will be paid, and its number is ready for a bar code', async () => {
    const { status, body } = await ask({ Referencia: qr() });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      Referencia: `1|${shop.merchantId}|${shop.productId}|${shop.buyer.id}|3000.00|3|600.00|0`,
      Estatus: 1,
      price: 3_000,
      deposit: 600,
      cardFee: 15,
      cardTotal: 615,
      tillFee: 0,
      tillTotal: 600,
      ventaId: null,
      attempt: null,
      acceptsCards: true,
    });
    expect(body.data.instalments.map((each: { amount: number }) => each.amount)).toEqual([600, 1_200, 1_200]);
    expect(parsePaymentReference(body.data.paymentReference)).toEqual({
      prefix: '1',
      id: String(body.data.id),
    });
  });

  test('is the same one while it is open, from any device', async () => {
    const first = (await ask({ Referencia: qr() })).body.data;
    const link = `https://aparta.example/?ref=${encodeURIComponent(qr())}`;
    expect((await ask({ Referencia: link })).body.data).toEqual(first);
    expect((await read(first.id)).body.data).toEqual(first);
    expect(await references()).toHaveLength(1);
  });

  test('is one for eight tabs at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask({ Referencia: qr() })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await references()).toHaveLength(1);
  });

  test('is one for eight tabs at once that all find the old one expired', async () => {
    const old = await shop.reference();
    await expire(old.id);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask({ Referencia: qr() })));
    const ids = new Set(answers.map(({ body }) => body.data?.id));
    expect(ids.size).toBe(1);
    expect(ids).not.toContain(old.id);
    expect((await references()).map(({ state }) => state)).toEqual(['expired', 'open']);
  });

  test('is of one buyer: another gets their own', async () => {
    const eva = await makeBuyer(shop.db);
    expect((await ask({ Referencia: qr() }, eva.token)).body.data.id).not.toBe((await shop.reference()).id);
  });

  test('believes nothing of the request but merchant and product', async () => {
    const eva = await makeBuyer(shop.db);
    const { body } = await ask({
      Referencia: `1|${shop.merchantId}|${shop.productId}|${eva.id}|0.01|99|0.01|0`,
      Id: 7,
      IpOrigen: '203.0.113.9',
      Fecha: '1999-01-01T00:00:00Z',
      Estatus: 2,
      price: 1,
      deposit: 1,
      buyerId: eva.id,
    });
    expect(body.data).toMatchObject({ Estatus: 1, IpOrigen: '198.51.100.7', price: 3_000, deposit: 600 });
    expect(body.data.id).not.toBe(7);
    expect(Math.abs(Date.parse(body.data.Fecha) - Date.now())).toBeLessThan(60_000);
    expect((await read(body.data.id)).status).toBe(200);
    expect((await read(body.data.id, eva.token)).status).toBe(404);
  });
});

describe('its terms are frozen', () => {
  test('when the catalogue changes, a buyer pays what they were shown, and the next buyer the new price', async () => {
    const shown = await shop.reference();
    await sql`update products set sale_price_centavos = 500000`.execute(shop.db);
    await sql`update merchants set deposit_basis_points = 5000, service_fee_centavos = 9900,
      frequency_days = 7, penalty_centavos = 1, delivery_promise_days = 30`.execute(shop.db);
    expect((await ask({ Referencia: qr() })).body.data).toEqual(shown);

    expect((await shop.pay(shown, CARDS.approved)).body.data).toMatchObject({ applied: true, amount: 615 });
    const purchase = await shop.db.selectFrom('purchases').selectAll().executeTakeFirstOrThrow();
    expect(purchase).toMatchObject({
      price_centavos: 300_000,
      deposit_centavos: 60_000,
      service_fee_centavos: 1_500,
      penalty_centavos: 20_000,
      delivery_promise_days: 15,
    });
    const eva = await makeBuyer(shop.db);
    expect((await ask({ Referencia: qr() }, eva.token)).body.data).toMatchObject({
      price: 5_000,
      deposit: 2_500,
      cardTotal: 2_599,
    });
  });

  test('a product that was withdrawn can still be paid by who reserved it, and nobody else can reserve it', async () => {
    const shown = await shop.reference();
    await sql`update products set withdrawn_at = now()`.execute(shop.db);
    expect((await ask({ Referencia: qr() })).body.data).toEqual(shown);
    const eva = await makeBuyer(shop.db);
    const { status, body } = await ask({ Referencia: qr() }, eva.token);
    expect([status, body.code]).toEqual([409, 'NOT_ON_SALE']);
    expect((await shop.pay(shown, CARDS.approved)).body.data).toMatchObject({ applied: true });
  });

  test('a price that no plan can be made of is not offered', async () => {
    const productId = await makeProduct(shop.db, { merchantId: shop.merchantId, priceCentavos: 1 });
    const { status, body } = await ask({ Referencia: qr({ productId }) });
    expect([status, body.code]).toEqual([409, 'NOT_ON_SALE']);
  });
});

describe('it expires', () => {
  test('at 23:59 in Mexico City, as many days on as the setting says', async () => {
    const { Fecha, expiresAt } = await shop.reference();
    const end = new Date(expiresAt);
    expect(mexicoCityDate(end)).toBe(addDays(mexicoCityDate(new Date(Fecha)), 3));
    const clock = new Intl.DateTimeFormat('es-MX', {
      timeZone: 'America/Mexico_City',
      timeStyle: 'short',
      hourCycle: 'h23',
    });
    expect(clock.format(end)).toBe('23:59');
  });

  test('and from then on it is shown as expired, cannot be paid, and the next one is new', async () => {
    const old = await shop.reference();
    await expire(old.id);
    expect((await read(old.id)).body.data.Estatus).toBe(3);
    const paying = await shop.pay(old, CARDS.approved);
    expect([paying.status, paying.body.code]).toEqual([409, 'REFERENCE_EXPIRED']);
    const next = (await ask({ Referencia: qr() })).body.data;
    expect(next.id).not.toBe(old.id);
    expect(next.Estatus).toBe(1);
    expect((await references()).map(({ state }) => state)).toEqual(['expired', 'open']);
    expect(await shop.charges()).toEqual([]);
  });

  test('by the job, which leaves open ones and those that are being paid alone', async () => {
    const products = await Promise.all(
      [1, 2].map(() => makeProduct(shop.db, { merchantId: shop.merchantId })),
    );
    const [living, over, paying] = [
      await shop.reference(),
      await shop.reference({ productId: products[0]! }),
      await shop.reference({ productId: products[1]! }),
    ];
    const intentId = randomUUID();
    const { body } = await shop.pay(paying, CARDS.threeDs, { intentId });
    await expire(over.id);
    await sql`update layaway_references set expires_at = now() - interval '1 second',
      created_at = created_at - interval '1 hour' where id = ${paying.id}`.execute(shop.db);
    await expiryJob();
    const states = async () => Object.fromEntries((await references()).map(({ id, state }) => [id, state]));
    expect(await states()).toEqual({ [living.id]: 'open', [over.id]: 'expired', [paying.id]: 'open' });

    // While it is being paid, a second one of the product could become a second purchase.
    expect((await ask({ Referencia: qr({ productId: products[1]! }) })).body.data.id).toBe(paying.id);
    await fetch(body.data.pending_action.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: shop.sandbox.threeDsOrigin },
      body: JSON.stringify({ answer: 'reject' }),
    });
    await shop.poll(intentId);
    await expiryJob();
    expect(await states()).toMatchObject({ [paying.id]: 'expired' });
  });

  test('by the job, many at once', async () => {
    const buyers = await sql<{ id: number }>`insert into buyers (email, user_name, name, password_hash)
      select 'many-' || n || '@example.mx', 'x', '', 'x' from generate_series(1, 450) as n returning id`.execute(
      shop.db,
    );
    expect(buyers.rows).toHaveLength(450);
    await shop.reference();
    await sql`with numbers as (
        insert into payment_references (id, kind, prefix)
        select 2000000000 + id, 'layaway', '1' from buyers where email like 'many-%' returning id)
      insert into layaway_references (id, buyer_id, merchant_id, product_id, price_centavos, deposit_centavos,
        deposit_basis_points, frequency_days, plan_duration_days, service_fee_centavos, service_fee_methods,
        penalty_centavos, created_at, expires_at)
      select n.id, n.id - 2000000000, l.merchant_id, l.product_id, l.price_centavos, l.deposit_centavos,
        l.deposit_basis_points, l.frequency_days, l.plan_duration_days, l.service_fee_centavos, l.service_fee_methods,
        l.penalty_centavos, now() - interval '3 days', now() - interval '1 day'
      from numbers n, layaway_references l`.execute(shop.db);
    await Promise.all([expiryJob(), expiryJob()]);
    const left = (await references()).filter(({ state }) => state === 'open');
    expect(left).toHaveLength(1);
  });
});

describe('a product reserved today', () => {
  test('is reserved again only when the buyer confirms it', async () => {
    const first = (await ask({ Referencia: qr() })).body.data;
    await shop.pay(first, CARDS.approved);
    const { status, body } = await ask({ Referencia: qr() });
    expect([status, body.code]).toEqual([409, 'RECENTLY_RESERVED']);
    expect(await references()).toHaveLength(1);
    const again = await ask({ Referencia: qr(), repeat: true });
    expect(again.status).toBe(200);
    expect(again.body.data.id).not.toBe(first.id);
    // Confirmed once is enough: the open one is theirs.
    expect((await ask({ Referencia: qr() })).body.data.id).toBe(again.body.data.id);
  });

  test('is a day later a product like any other', async () => {
    await shop.pay(await shop.reference(), CARDS.approved);
    await sql`update purchases set created_at = created_at - interval '25 hours'`.execute(shop.db);
    expect((await ask({ Referencia: qr() })).status).toBe(200);
  });
});

describe('it is refused', () => {
  test('when the text is not a layaway’s', async () => {
    for (const text of [
      '',
      'null',
      'hola',
      '2|1|1|0||||0',
      '1|1|1',
      '1|x|1|0||||0',
      '1|1|1|0||||1',
      '1|-1|1|0||||0',
    ]) {
      const { status, body } = await ask({ Referencia: text });
      expect([text, status, body.code]).toEqual([text, 422, 'NOT_A_LAYAWAY']);
    }
  });

  test('when the request is not one', async () => {
    for (const body of [
      {},
      { Referencia: 1 },
      { Referencia: 'x'.repeat(301) },
      { Referencia: 'a\r\nb' },
      { Referencia: qr(), repeat: 'yes' },
    ]) {
      const answer = await ask(body);
      expect([answer.status, answer.body.code]).toEqual([422, 'INVALID_INPUT']);
    }
  });

  test('when there is no such product of that merchant', async () => {
    const merchantId = await makeMerchant(shop.db);
    for (const text of [qr({ productId: 999_999 }), qr({ merchantId: 999_999 }), qr({ merchantId })]) {
      const { status, body } = await ask({ Referencia: text });
      expect([text, status, body.code]).toEqual([text, 404, 'NOT_FOUND']);
    }
    expect(await references()).toEqual([]);
  });

  test('after thirty in an hour, though the open one is still given', async () => {
    for (let n = 0; n < 30; n += 1) {
      expect((await ask({ Referencia: qr() })).status).toBe(200);
      if (n < 29)
        await sql`update layaway_references set state = 'expired', closed_at = now() where state = 'open'`.execute(
          shop.db,
        );
    }
    expect((await ask({ Referencia: qr() })).status).toBe(200);
    const productId = await makeProduct(shop.db, { merchantId: shop.merchantId });
    const { status, body, headers } = await ask({ Referencia: qr({ productId }) });
    expect([status, body.code, headers['retry-after']]).toEqual([429, 'TOO_MANY', '3600']);
    const eva = await makeBuyer(shop.db);
    expect((await ask({ Referencia: qr({ productId }) }, eva.token)).status).toBe(200);
  });

  test('another buyer’s looks exactly like one that does not exist', async () => {
    const { id } = await shop.reference();
    const eva = await makeBuyer(shop.db);
    const [hers, none] = [await read(id, eva.token), await read(9_999_999_999, eva.token)];
    expect(hers.status).toBe(404);
    expect(hers.body).toEqual(none.body);
  });
});
