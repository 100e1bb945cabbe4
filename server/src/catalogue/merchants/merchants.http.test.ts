import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import {
  LOGO,
  makeBuyer,
  makeCompany,
  makeMerchant,
  makeProduct,
  makeReference,
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
