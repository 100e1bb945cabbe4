import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeBuyer, PASSWORD, type MadeBuyer } from '../../../test/make.ts';

let server: TestApp;
let ana: MadeBuyer;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  ana = await makeBuyer(server.db);
});

const row = (id: number) =>
  server.db.selectFrom('buyers').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const read = () => server.ask(`GET /v1/SecurityBuyer/GetAsync/${ana.id}`, { token: ana.token });
const save = (body: unknown, id = ana.id) =>
  server.ask(`PUT /v1/SecurityBuyer/Update2Async/${id}`, { token: ana.token, body });

describe("a buyer's profile", () => {
  test('is saved, told back, and there the next time', async () => {
    const address = { numberAddress: '512 B', postalCodeAddress: '72000', streetAddress: 'Av. Reforma' };
    const saved = await save({ phone: '222 184 9037', ...address });
    expect(saved.status).toBe(200);
    expect(saved.body.data).toMatchObject({ id: ana.id, phone: '222 184 9037', ...address });
    expect((await read()).body.data).toEqual(saved.body.data);
  });

  test('keeps what the call does not name, and an empty field empties', async () => {
    await save({ phone: '222 184 9037', streetAddress: 'Av. Reforma' });
    await save({ streetAddress: '' });
    await save({});
    expect((await read()).body.data).toMatchObject({ phone: '222 184 9037', streetAddress: '', name: 'Ana' });
  });

  test('takes a new name, and userName stays what it was', async () => {
    expect((await save({ name: ' Ana  Torres ' })).body.data).toMatchObject({
      name: 'Ana  Torres',
      userName: 'Ana',
    });
  });

  test('lets nothing else be changed, whatever the whole profile that is sent says', async () => {
    const before = await row(ana.id);
    const { status } = await save({
      id: 7,
      user: 'otra@example.mx',
      email: 'otra@example.mx',
      userName: 'Otra',
      ssoId: '00000000-0000-4000-8000-000000000000',
      password: 'una-clave-nueva-1',
      password_hash: 'x',
      token: 'mine',
      terms_accepted_at: '2020-01-01',
      created_at: '2020-01-01',
      saleStatusId: 1,
      phone: '5599999999',
      ['__proto__']: { name: 'Otra' },
    });
    expect(status).toBe(200);
    expect(await row(ana.id)).toEqual({ ...before, phone: '5599999999' });
    expect(
      (
        await server.ask('POST /v1/TokenBuyer/Authenticate', {
          body: { user: ana.email, password: PASSWORD },
        })
      ).status,
    ).toBe(200);
  });

  test.each([
    ['phone', '5'.repeat(31)],
    ['phone', 'tel\u0000'],
    ['phone', 5512345678],
    ['numberAddress', 'x'.repeat(31)],
    ['postalCodeAddress', '7'.repeat(11)],
    ['streetAddress', 'x'.repeat(201)],
    ['streetAddress', 'Reforma\r\nBcc: x'],
    ['streetAddress', '\u202Etxt.exe'],
    ['streetAddress', '\u0958'.repeat(200)],
    ['streetAddress', null],
    ['name', ''],
    ['name', '   '],
    ['name', 'x'.repeat(81)],
    ['name', { toString: 'x' }],
  ])('%s may not be %j', async (field, value) => {
    const before = await row(ana.id);
    const { status, body } = await save({ phone: '5500000000', [field]: value });
    expect([status, body.code, Object.keys(body.fields)]).toEqual([422, 'INVALID_INPUT', [field]]);
    expect(await row(ana.id)).toEqual(before);
  });

  test.each(['🛋️ Sala', "O'Hara", '<img src=x onerror=alert(1)>', 'مرحبا', 'Zoë', '=1+1'])(
    'keeps %j as it was typed',
    async (streetAddress) => {
      expect((await save({ streetAddress })).body.data.streetAddress).toBe(streetAddress);
    },
  );

  test('is nobody else’s to change', async () => {
    const eva = await makeBuyer(server.db);
    const before = await row(eva.id);
    expect((await save({ phone: '5599999999' }, eva.id)).status).toBe(404);
    expect(await row(eva.id)).toEqual(before);
  });
});

describe('the sessions of a buyer', () => {
  const SIGN_IN = 'POST /v1/TokenBuyer/Authenticate';
  const list = (token: string) => server.ask('GET /v1/TokenBuyer/Sessions', { token });

  test('are listed newest first, with what each browser called itself, and can be closed one by one', async () => {
    const phone = await server.ask(SIGN_IN, {
      body: { user: ana.email, password: PASSWORD },
      headers: { 'user-agent': `Mozilla/5.0 (Android 14) Chrome/142\u00a0${'x'.repeat(300)}` },
    });
    const token = phone.body.data.token as string;
    const { body } = await list(ana.token);
    expect(body.data).toHaveLength(2);
    const [newest, older] = body.data;
    expect(newest).toMatchObject({ isThis: false, device: expect.stringContaining('Android 14') });
    expect(newest.device.length).toBeLessThanOrEqual(200);
    expect(older).toMatchObject({ isThis: true, device: '' });
    expect(JSON.stringify(body)).not.toContain(token);

    const close = (who: string) =>
      server.ask(`POST /v1/TokenBuyer/Sessions/${newest.id}/Close`, { token: who });
    const eva = await makeBuyer(server.db);
    expect((await close(eva.token)).status).toBe(404);
    expect((await list(token)).status).toBe(200);
    expect((await close(ana.token)).status).toBe(200);
    expect((await list(token)).status).toBe(401);
    expect((await close(ana.token)).status).toBe(404);
    expect((await list(ana.token)).body.data).toHaveLength(1);
  });
});
