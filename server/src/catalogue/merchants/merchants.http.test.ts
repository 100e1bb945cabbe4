import { randomUUID } from 'node:crypto';

import { centavos } from '@aparta/domain/money';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { PICTURE_PRUNINGS } from '../pictures/retention.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import {
  LOGO,
  makeBuyer,
  makeCompany,
  makeMerchant,
  makeProduct,
  makeReference,
  makeStaff,
  type MadeBuyer,
} from '../../../test/make.ts';

let server: TestApp;
let ana: MadeBuyer;
beforeAll(async () => {
  server = await startTestApp();
  ana = await makeBuyer(server.db);
});
afterAll(() => server.close());

const get = (path: string, as: MadeBuyer = ana) => server.ask(`GET ${path}`, { token: as.token });

describe("a shop's rules", () => {
  test('are read by all of its people as they stand today, and by nobody of another shop', async () => {
    const merchantId = await makeMerchant(server.db);
    const other = await makeStaff(server.db, { merchantId: await makeMerchant(server.db), role: 'owner' });
    await server.db
      .updateTable('merchants')
      .set({
        deposit_basis_points: 1250,
        frequency_days: 7,
        plan_duration_days: 30,
        penalty_centavos: centavos(35_000),
        delivery_promise_days: 9,
        end_days_late: null,
        moves_allowed: 2,
        move_days: 10,
        service_fee_centavos: centavos(1_250),
        service_fee_methods: ['card', 'cash'],
      })
      .where('id', '=', merchantId)
      .execute();
    for (const role of ['cashier', 'manager', 'owner', 'accountant'] as const) {
      const { token } = await makeStaff(server.db, { merchantId, role });
      expect((await server.ask('GET /v1/counter/rules', { token })).body.data).toEqual({
        depositPercent: 12.5,
        everyDays: 7,
        payments: 6,
        penalty: 350,
        deliveryDays: 9,
        endDaysLate: null,
        movesAllowed: 2,
        moveDays: 10,
        acceptsCards: false,
        cardFee: 12.5,
        tillFee: 0,
        cashFee: 12.5,
      });
    }
    expect((await server.ask('GET /v1/counter/rules', { token: other.token })).body.data.penalty).not.toBe(
      350,
    );
  });
});

describe('what a shop has on sale', () => {
  test('is paged by number, found by a part of name or code, and offered as a buyer would be', async () => {
    const merchantId = await makeMerchant(server.db);
    const { token } = await makeStaff(server.db, { merchantId, role: 'accountant' });
    expect((await server.ask('GET /v1/counter/products', { token })).body.code).toBe('ROLE_NOT_ALLOWED');
    const owner = (await makeStaff(server.db, { merchantId, role: 'owner' })).token;
    const list = (query: string) => server.ask(`GET /v1/counter/products${query}`, { token: owner });
    expect((await list('')).body).toMatchObject({ data: [], next: null, total: 0 });
    const ids: number[] = [];
    for (let number = 0; number < 51; number += 1)
      ids.push(await makeProduct(server.db, { merchantId, name: `Silla 100% ${number}` }));
    await makeProduct(server.db, { merchantId: await makeMerchant(server.db), name: 'De otra tienda' });
    await server.db
      .updateTable('products')
      .set({ withdrawn_at: new Date(), name: 'Retirada' })
      .where('id', '=', ids[7]!)
      .execute();

    const first = (await list('')).body;
    expect([first.data.length, first.total]).toEqual([50, 50]);
    expect(first.data.map(({ id }: { id: number }) => id)).toEqual(ids.filter((id) => id !== ids[7]));
    expect(first.next).toBeNull();
    expect(first.data[0]).toMatchObject({
      name: 'Silla 100% 0',
      price: 3000,
      plan: { deposit: 600, payments: 3, each: 1200, last: 1200, everyDays: 30 },
    });
    expect(first.data[0].plan.link).toContain(`?ref=1%7C${merchantId}%7C${ids[0]}%7C`);

    await makeProduct(server.db, { merchantId, name: 'Mesa' });
    const more = (await list('')).body;
    const last = (await list(`?cursor=${more.next}`)).body;
    expect([last.data.map(({ name }: { name: string }) => name), last.next, last.total]).toEqual([
      ['Mesa'],
      null,
      null,
    ]);
    const found = async (search: string) => (await list(`?search=${encodeURIComponent(search)}`)).body.total;
    expect([await found('mESA'), await found('100%'), await found('1__%'), await found('Retirada')]).toEqual([
      1, 50, 0, 0,
    ]);
    expect((await list('?show=withdrawn')).body).toMatchObject({
      data: [{ id: ids[7], plan: null }],
      total: 1,
    });
  });

  test('is found as people type it: without its accents or with more, in small letters, by some of its words in any order', async () => {
    const merchantId = await makeMerchant(server.db);
    const { token } = await makeStaff(server.db, { merchantId, role: 'cashier' });
    for (const name of ['Lavadora Automática 18 kg', 'Cuna para bebé NIÑO'])
      await makeProduct(server.db, { merchantId, name });
    const found = async (search: string) =>
      (
        await server.ask(`GET /v1/counter/products?search=${encodeURIComponent(search)}`, { token })
      ).body.data.map(({ name }: { name: string }) => name.split(' ')[0]);
    for (const typed of ['automatica', 'AUTOMÁTICA', 'lavádora', 'automa\u0301tica', '18 kg  lava', 'matic'])
      expect([typed, await found(typed)]).toEqual([typed, ['Lavadora']]);
    for (const typed of ['nino', 'Niño', 'bebe cuna'])
      expect([typed, await found(typed)]).toEqual([typed, ['Cuna']]);
    for (const typed of ['automatica cuna', 'automatico', 'lava%18'])
      expect([typed, await found(typed)]).toEqual([typed, []]);
  });

  test('is not offered where its price makes no plan', async () => {
    const merchantId = await makeMerchant(server.db);
    const { token } = await makeStaff(server.db, { merchantId, role: 'owner' });
    const id = await makeProduct(server.db, { merchantId, priceCentavos: 1 });
    expect((await server.ask(`GET /v1/counter/products/${id}`, { token })).body.data.plan).toBeNull();
  });
});

describe('products that an owner keeps at the counter', () => {
  let photo: Buffer;
  const MESA = { name: 'Mesa', sku: 'M-1', description: '', price: 3000, ivaPercent: 16, invoicingKey: '' };
  let merchantId: number;
  let owner: string;
  beforeAll(async () => {
    merchantId = await makeMerchant(server.db);
    owner = (await makeStaff(server.db, { merchantId, role: 'owner' })).token;
    const create = { width: 40, height: 30, channels: 3, background: '#b5651d' } as const;
    photo = await sharp({ create }).jpeg().toBuffer();
  });
  const post = async (path: string, body: object) =>
    (await server.ask(`POST /v1/counter/products${path}`, { token: owner, body })).body;
  const acts = async (id: number) =>
    server.db
      .selectFrom('staff_acts')
      .select(['act', 'detail'])
      .where('merchant_id', '=', merchantId)
      .where('subject_id', '=', String(id))
      .orderBy('id')
      .execute();

  test('a product pressed twice is added once, on sale with its plan, and written down', async () => {
    const press = { pressId: randomUUID(), ...MESA };
    const [one, two] = await Promise.all([post('', press), post('', press)]);
    expect(one.data).toMatchObject({
      ...MESA,
      onSale: true,
      version: 1,
      plan: { deposit: 600, payments: 3 },
    });
    expect(two.data.id).toBe(one.data.id);
    expect((await acts(one.data.id)).map(({ act }) => act)).toEqual(['add_product']);
    expect((await post('', { pressId: randomUUID(), ...MESA, sku: 'm-1' })).code).toBe('SKU_TAKEN');
    expect((await post('', { pressId: randomUUID(), ...MESA, sku: '', price: 0.01 })).code).toBe(
      'PRICE_WITHOUT_PLAN',
    );
    const { data } = (await server.ask('GET /v1/counter/plan', { token: owner })).body;
    expect(data).toEqual({ depositPercent: 20, everyDays: 30, durationDays: 60 });
  });

  test('of two who change one product at once the second is told; a repeated press is no second', async () => {
    const { data } = await post('', { pressId: randomUUID(), ...MESA, sku: 'M-2' });
    const change = { ...MESA, sku: 'M-2', price: 3200, version: 1 };
    expect((await post(`/${data.id}`, change)).data).toMatchObject({ price: 3200, version: 2 });
    expect((await post(`/${data.id}`, change)).data).toMatchObject({ price: 3200, version: 2 });
    expect((await post(`/${data.id}`, { ...change, name: 'Mesa redonda' })).code).toBe('PRODUCT_CHANGED');
    expect((await post(`/${data.id}`, { ...change, version: 2, price: 0.01 })).code).toBe(
      'PRICE_WITHOUT_PLAN',
    );
    expect((await post(`/${data.id}`, { ...change, version: 2, sku: 'M-1' })).code).toBe('SKU_TAKEN');
    const all = await acts(data.id);
    expect(all.map(({ act }) => act)).toEqual(['add_product', 'edit_product']);
    expect(all[1]?.detail).toEqual({ before: { priceCentavos: 300_000 }, after: { priceCentavos: 320_000 } });
  });

  test('a new price changes nothing of what was reserved', async () => {
    const { data } = await post('', { pressId: randomUUID(), ...MESA, sku: 'M-3' });
    const id = await makeReference(server.db, { buyerId: ana.id, merchantId, productId: data.id });
    const read = () =>
      server.db.selectFrom('layaway_references').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const before = await read();
    await post(`/${data.id}`, { ...MESA, sku: 'M-3', price: 9000, version: 1 });
    expect(await read()).toEqual(before);
  });

  test('a product taken off sale can be put back, unless its price makes no plan any more', async () => {
    const { data } = await post('', { pressId: randomUUID(), ...MESA, sku: 'M-4' });
    const sale = (onSale: boolean) => post(`/${data.id}/sale`, { onSale });
    expect((await sale(false)).data).toMatchObject({ onSale: false, plan: null });
    await sale(false);
    expect((await get(`/v1/BusinessProduct/GetAsync/${data.id}`)).status).toBe(404);
    expect((await sale(true)).data.onSale).toBe(true);
    expect((await acts(data.id)).map(({ act }) => act)).toEqual([
      'add_product',
      'withdraw_product',
      'restore_product',
    ]);
    await sale(false);
    await server.db
      .updateTable('products')
      .set({ sale_price_centavos: centavos(1) })
      .where('id', '=', data.id)
      .execute();
    expect((await sale(true)).code).toBe('PRICE_WITHOUT_PLAN');
    const stranger = await makeProduct(server.db, { merchantId: await makeMerchant(server.db) });
    expect((await post(`/${stranger}`, { ...MESA, version: 1 })).code).toBe('NOT_FOUND');
    expect((await post(`/${stranger}/sale`, { onSale: false })).code).toBe('NOT_FOUND');
  });

  test('a product’s picture is served drawn anew, for ever by its content, and gone with another or none', async () => {
    const { data } = await post('', { pressId: randomUUID(), ...MESA, sku: 'M-5' });
    const set = (picture: Buffer | null, id = data.id) =>
      post(`/${id}/picture`, { picture: picture?.toString('base64') ?? null });
    expect(data.pictures).toBeNull();
    const { pictures } = (await set(photo)).data;
    expect((await set(photo)).data.pictures).toEqual(pictures);
    for (const address of [pictures.small, pictures.large]) {
      const { statusCode, headers, rawPayload } = await server.app.inject({ url: address });
      expect([statusCode, headers]).toMatchObject([
        200,
        {
          'content-type': 'image/webp',
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          'content-security-policy': expect.stringContaining("default-src 'none'"),
        },
      ]);
      expect(rawPayload.subarray(8, 12).toString()).toBe('WEBP');
    }
    expect((await set(Buffer.from('<svg/>'))).code).toBe('PICTURE_UNREADABLE');
    expect((await set(Buffer.alloc(8 * 1024 * 1024 + 1))).code).toBe('PICTURE_TOO_LARGE');
    const stranger = await makeProduct(server.db, { merchantId: await makeMerchant(server.db) });
    expect((await set(photo, stranger)).code).toBe('NOT_FOUND');

    expect((await set(null)).data.pictures).toBeNull();
    expect((await server.app.inject({ url: pictures.large })).statusCode).toBe(404);
    expect((await server.app.inject({ url: '/pictures/..%2fpackage.json' })).statusCode).toBe(404);
    expect((await acts(data.id)).map(({ act }) => act)).toEqual([
      'add_product',
      'set_picture',
      'remove_picture',
    ]);
  });

  test('the picture of a product is forgotten half a year after it went off sale', async () => {
    const { data } = await post('', { pressId: randomUUID(), ...MESA, sku: 'M-6' });
    await post(`/${data.id}/picture`, { picture: photo.toString('base64') });
    const withdrawnFor = async (days: number) => {
      const at = new Date(Date.now() - days * 86_400_000);
      await server.db.updateTable('products').set({ withdrawn_at: at }).where('id', '=', data.id).execute();
      for (const { prune } of PICTURE_PRUNINGS) await prune(server.db, 10);
      return (await server.ask(`GET /v1/counter/products/${data.id}`, { token: owner })).body.data.pictures;
    };
    expect(await withdrawnFor(179)).not.toBeNull();
    expect(await withdrawnFor(181)).toBeNull();
  });
});

describe('a merchant', () => {
  test('shows its plan and its fees in pesos and percent', async () => {
    const id = await makeMerchant(server.db, { depositBasisPoints: 1_250, penaltyCentavos: 20_050 });
    const { status, body } = await get(`/v1/Business/GetAsync/${id}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id,
      tradeName: 'Muebles del Centro',
      percentDeposit: 12.5,
      fracuencyPay: 30,
      planPaymentDuration: 60,
      ammountoCancel: 200.5,
      cardFee: 15,
      tillFee: 0,
      clipApiKey: '',
      acceptsCards: false,
    });
  });

  test("hands the card frame's key to nobody who has nothing open there", async () => {
    const cards = {
      keyRing: server.settings.keyRing,
      publicKey: 'test_public-key',
      secret: 'the-secret-key',
    };
    const ids = await Promise.all([1, 2, 3].map(() => makeMerchant(server.db, { cards })));
    const stranger = await makeBuyer(server.db);
    for (const id of ids) {
      const { body } = await get(`/v1/Business/GetAsync/${id}`, stranger);
      expect(body.data).toMatchObject({ clipApiKey: '', acceptsCards: true });
      expect(JSON.stringify(body)).not.toContain('key-');
      expect(JSON.stringify(body)).not.toContain('test_public-key');
    }
  });

  test('hands it to a buyer with an open reference there, while it lasts, and never the secret', async () => {
    const cards = {
      keyRing: server.settings.keyRing,
      publicKey: 'test_public-key',
      secret: 'the-secret-key',
    };
    const merchantId = await makeMerchant(server.db, { cards });
    const otherId = await makeMerchant(server.db, { cards });
    const productId = await makeProduct(server.db, { merchantId });
    const eva = await makeBuyer(server.db);
    await makeReference(server.db, { buyerId: eva.id, merchantId, productId });

    const { body } = await get(`/v1/Business/GetAsync/${merchantId}`, eva);
    expect(body.data.clipApiKey).toBe('test_public-key');
    expect(JSON.stringify(body)).not.toContain('the-secret-key');
    expect((await get(`/v1/Business/GetAsync/${otherId}`, eva)).body.data.clipApiKey).toBe('');
    expect((await get(`/v1/Business/GetAsync/${merchantId}`, ana)).body.data.clipApiKey).toBe('');

    await server.db
      .updateTable('layaway_references')
      .set({ state: 'cancelled', closed_at: new Date() })
      .where('buyer_id', '=', eva.id)
      .execute();
    expect((await get(`/v1/Business/GetAsync/${merchantId}`, eva)).body.data.clipApiKey).toBe('');
  });
});

describe('a product', () => {
  test('shows its price of today', async () => {
    const merchantId = await makeMerchant(server.db);
    const id = await makeProduct(server.db, { merchantId, priceCentavos: 123_456 });
    expect((await get(`/v1/BusinessProduct/GetAsync/${id}`)).body.data).toMatchObject({
      id,
      businessId: merchantId,
      name: 'Sala Nórdica',
      salePrice: 1234.56,
    });
  });

  test('is gone once it is withdrawn', async () => {
    const id = await makeProduct(server.db, { merchantId: await makeMerchant(server.db) });
    await server.db.updateTable('products').set({ withdrawn_at: new Date() }).where('id', '=', id).execute();
    expect((await get(`/v1/BusinessProduct/GetAsync/${id}`)).status).toBe(404);
  });
});

describe('a logo', () => {
  test('comes under the name that its company gives', async () => {
    const id = await makeCompany(server.db, { logoFileName: 'grupo-mueblero.jpg' });
    const company = await get(`/v1/Company/GetAsync/${id}`);
    expect(company.body.data).toMatchObject({
      id,
      name: 'Grupo Mueblero',
      logofileName: 'grupo-mueblero.jpg',
    });
    const logo = await get(`/v1/AzureBlobStorage/Download/${company.body.data.logofileName}`);
    expect(logo.body.data).toEqual({ contentByteArray: LOGO.toString('base64'), contentType: 'image/jpeg' });
  });

  test.each([
    '..%2f..%2fetc%2fpasswd',
    '%2fetc%2fpasswd',
    'logo.jpg%00.png',
    'LOGO.JPG',
    'logo.jp',
    '%',
    'no-such-logo.jpg',
    `${'a'.repeat(250)}.jpg`,
  ])('is not found under the name %s', async (name) => {
    await makeCompany(server.db, { logoFileName: `logo-${Math.random()}.jpg` });
    const { status } = await get(`/v1/AzureBlobStorage/Download/${name}`);
    expect([404, 422]).toContain(status);
  });

  test('that is no image is not served, whatever it is called', async () => {
    const logo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    await makeCompany(server.db, { logoFileName: 'script.jpg', logo });
    expect((await get('/v1/AzureBlobStorage/Download/script.jpg')).status).toBe(404);
  });
});

test.each(['/v1/Business/GetAsync/', '/v1/BusinessProduct/GetAsync/', '/v1/Company/GetAsync/'])(
  '%s answers 404 for what does not exist and 422 for what is no id',
  async (path) => {
    expect((await get(`${path}999999`)).status).toBe(404);
    for (const id of ['0', '-1', '1.5', 'abc', '1e3', '99999999999999999999']) {
      expect((await get(`${path}${id}`)).status).toBe(422);
    }
  },
);
