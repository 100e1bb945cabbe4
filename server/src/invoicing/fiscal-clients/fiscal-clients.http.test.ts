import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import { addFiscalClient, FISCAL_FORM } from '../../../test/invoice-acts.ts';
import { type MadeBuyer, makeBuyer, makeMerchant, makeProduct } from '../../../test/make.ts';
import { makePurchase } from '../../../test/purchases.ts';

let server: TestApp;
let ana: MadeBuyer;
let eva: MadeBuyer;
beforeAll(async () => {
  // Nothing listens there: who asks the provider for what needs none would be found out.
  server = await startTestApp({ env: { FACTURA_GREEN_BASE: 'http://127.0.0.1:9' } });
  [ana, eva] = await Promise.all([makeBuyer(server.db), makeBuyer(server.db)]);
});
afterAll(() => server.close());

const ask = (call: string, body?: object, { token } = ana) =>
  server.ask(call, { token, ...(body && { body }) });
const insert = (changes: object, buyer = ana) =>
  ask('POST /v1/ClientSat/InsertAsync', { ...FISCAL_FORM, ...changes }, buyer);
const list = async (buyer = ana) =>
  (await ask(`GET /v1/ClientSat/GetAllBySecurityBuyerIdAsync/${buyer.id}`, undefined, buyer)).body.data;

describe('a tax identity', () => {
  test('is saved as SAT writes it, and sent twice it is saved once', async () => {
    const { status, body } = await insert({ rfc: 'cosc-800113 7na', regime: '605', cfdiUse: 'S01' });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...FISCAL_FORM,
      id: expect.any(Number),
      name: 'CECILIA MIRANDA SÁNCHEZ',
      rfc: 'COSC8001137NA',
      regime: '605',
      cfdiUse: 'S01',
      fGecustomeruuid: '',
      regimeDescription: 'Sueldos y Salarios e Ingresos Asimilados a Salarios',
      personType: 'fisica',
    });
    const taps = Array.from({ length: 5 }, () =>
      insert({ rfc: 'COSC8001137NA', regime: '605', cfdiUse: 'S01' }),
    );
    for (const tap of await Promise.all(taps)) expect(tap.body.data).toEqual(body.data);
    const other = await insert({ rfc: 'COSC8001137NA', name: 'Otra' });
    expect([other.status, other.body.code]).toEqual([409, 'FISCAL_CLIENT_EXISTS']);
    expect(await list()).toEqual([body.data]);
    // Another buyer may have the same RFC.
    expect((await insert({ rfc: 'COSC8001137NA' }, eva)).status).toBe(200);
  });

  test('is corrected, taken off the list, and registered anew', async () => {
    const id = await addFiscalClient(server, ana, { rfc: 'URE180429TM6', regime: '601' });
    const update = (changes: object) =>
      ask(`PUT /v1/ClientSat/UpdateAsync/${id}`, {
        ...FISCAL_FORM,
        rfc: 'URE180429TM6',
        regime: '601',
        ...changes,
      });
    const corrected = await update({ name: 'Universidad Robótica Española', zip: '86991' });
    expect(corrected.body.data).toMatchObject({ id, zip: '86991', personType: 'moral' });
    const twin = await update({ rfc: 'COSC8001137NA', regime: '612' });
    expect([twin.status, twin.body.code]).toEqual([409, 'FISCAL_CLIENT_EXISTS']);
    const revision = async () =>
      (
        await server.db
          .selectFrom('fiscal_clients')
          .select('revision')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).revision;
    expect(await revision()).toBe(2);
    await update({ name: 'Universidad Robótica Española', zip: '86991' });
    expect(await revision()).toBe(2); // nothing to correct

    const confirmed = await ask(`PUT /v1/ClientSat/UpdateFGecustomeruuidasync/${id}`, {
      fGecustomeruuid: 'forged',
    });
    expect(confirmed.body.data).toEqual(corrected.body.data);

    expect((await ask(`DELETE /v1/ClientSat/DeleteAsync/${id}`)).status).toBe(200);
    expect((await ask(`DELETE /v1/ClientSat/DeleteAsync/${id}`)).status).toBe(404);
    expect((await update({})).status).toBe(404);
    expect((await list()).map((client: { id: number }) => client.id)).not.toContain(id);
    expect(await addFiscalClient(server, ana, { rfc: 'URE180429TM6', regime: '601' })).toBeGreaterThan(id);
  });

  test('that SAT would not take is refused with every wrong field', async () => {
    const { status, body } = await insert({ rfc: 'XAXX010101000', name: ' ', zip: '720', email: 'ana' });
    expect([status, body.code, body.fields]).toEqual([
      422,
      'FISCAL_DATA_WRONG',
      { rfc: 'generic', name: 'empty', zip: 'shape', email: 'shape' },
    ]);
    expect((await insert({ regime: '601' })).body.fields).toEqual({ regime: 'not_permitted' });
    expect((await insert({ regime: '616' })).body.fields).toEqual({ cfdiUse: 'not_permitted' });
    // A correction to it is refused too, and what was registered stays.
    const id = await addFiscalClient(server, ana, { rfc: 'FUNK671228PH6' });
    const update = { ...FISCAL_FORM, rfc: 'FUNK671228PH6', zip: '720' };
    const corrected = await ask(`PUT /v1/ClientSat/UpdateAsync/${id}`, update);
    expect([corrected.status, corrected.body.code, corrected.body.fields]).toEqual([
      422,
      'FISCAL_DATA_WRONG',
      { zip: 'shape' },
    ]);
    expect((await list()).find((client: { id: number }) => client.id === id).zip).toBe(FISCAL_FORM.zip);
  });

  test.each([
    'name',
    'rfc',
    'alias',
    'email',
    'phone',
    'regime',
    'cfdiUse',
    'street',
    'suburb',
    'zip',
  ] as const)(
    'bears whatever is typed as %s: it is refused, or comes back as it was typed',
    async (field) => {
      const odd = [
        'x'.repeat(5_000),
        '<img src=x onerror=alert(1)>',
        '\u202etxet\u202c',
        '\ud800',
        'a\u0000b',
        'a\r\nBcc: b@c.mx',
        '𝕬𝖓𝖆 👩‍👩‍👧',
        "'; drop table invoices; --",
        'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢'.repeat(3),
        null,
        7,
        ['a'],
      ];
      for (const value of odd) {
        const { status, body } = await insert({ rfc: 'CACX7605101P8', [field]: value });
        if (status === 200) {
          const given = String(value).normalize('NFC').trim();
          expect([given, given.toUpperCase(), given.toWellFormed()].map(bare)).toContain(
            bare(body.data[field]),
          );
          await ask(`DELETE /v1/ClientSat/DeleteAsync/${body.data.id}`);
        } else {
          expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]]);
        }
      }
    },
  );
});

test('a buyer has at most twenty; the next one is told so, and deleting one makes room', async () => {
  const pia = await makeBuyer(server.db);
  const rfcs = Array.from({ length: 21 }, (_, n) => `CACX7605${String(n + 1).padStart(2, '0')}1P8`);
  for (const rfc of rfcs.slice(0, 20)) expect((await insert({ rfc }, pia)).status, rfc).toBe(200);
  const full = await insert({ rfc: rfcs[20] }, pia);
  expect([full.status, full.body.code, full.body.facts]).toEqual([409, 'FISCAL_CLIENTS_FULL', { most: 20 }]);
  // What is there already needs no place.
  const [first] = await list(pia);
  expect((await insert({ rfc: first.rfc }, pia)).body.data).toEqual(first);
  await ask(`DELETE /v1/ClientSat/DeleteAsync/${first.id}`, undefined, pia);
  expect((await insert({ rfc: rfcs[20] }, pia)).status).toBe(200);
  // Taking off and adding again has its end too.
  await server.db
    .insertInto('fiscal_clients')
    .columns(['buyer_id', 'rfc', 'name', 'email', 'postal_code', 'tax_regime', 'cfdi_use', 'deleted_at'])
    .expression(
      sql`select ${pia.id}::bigint, ${rfcs[0]}, 'X', 'x@x.mx', '72000', '612', 'G03', now() from generate_series(1, 79)`,
    )
    .execute();
  const [newest] = await list(pia);
  await ask(`DELETE /v1/ClientSat/DeleteAsync/${newest.id}`, undefined, pia);
  expect((await insert({ rfc: rfcs[20] }, pia)).status).toBe(429);
});

/** Without what nobody sees. */
const bare = (text: string) => text.replace(/\p{Cf}/gu, '').toUpperCase();

test('regimes come with the uses that SAT permits in each, and a use to begin with', async () => {
  const codes = async (call: string) =>
    (await ask(`GET /v1/fiscalregime/${call}`)).body.data.map(
      (one: { regimeFiscal: string }) => one.regimeFiscal,
    );
  expect(await codes('GetAllMoralAsync')).toEqual(expect.arrayContaining(['601', '603', '626']));
  expect(await codes('GetAllFisicaAsync')).not.toContain('601');
  expect((await ask('GET /v1/fiscalregime/GetfiscalRegimeByIdAsync/616')).body.data).toEqual({
    regimeFiscal: '616',
    description: 'Sin obligaciones fiscales',
    cfdiUses: [
      { cfdiUse: 'G02', description: 'Devoluciones, descuentos o bonificaciones' },
      { cfdiUse: 'S01', description: expect.stringContaining('Sin efectos fiscales') },
    ],
    defaultUse: 'S01',
  });
  expect((await ask('GET /v1/fiscalregime/GetfiscalRegimeByIdAsync/999')).status).toBe(404);
});

test('a customer is registered only where the buyer buys, and an unreachable provider is reported', async () => {
  const merchantId = await makeMerchant(server.db, { invoices: true });
  await addFiscalClient(server, eva, { rfc: 'KAHO641101B39' });
  const add = (buyer: MadeBuyer, taxid = 'KAHO641101B39') =>
    ask('POST /v1/FacturaGreen/CustomerAddAsync', { businessId: merchantId, customer: { taxid } }, buyer);
  expect((await add(eva)).status).toBe(404);
  await makePurchase(server.db, {
    buyerId: eva.id,
    merchantId,
    productId: await makeProduct(server.db, { merchantId }),
  });
  expect((await add(eva)).status).toBe(503);
  expect((await add(eva, 'JUFA7608212V6')).status).toBe(404);
  expect((await add(eva, 'nonsense')).status).toBe(404);
  expect((await add(ana)).status).toBe(404);
  // The twentieth that the provider is asked for within the hour is the last.
  for (let n = 1; n < 20; n += 1) expect((await add(eva)).status).toBe(503);
  const { status, headers } = await add(eva);
  expect([status, Number(headers['retry-after']) > 3_000]).toEqual([429, true]);
});
