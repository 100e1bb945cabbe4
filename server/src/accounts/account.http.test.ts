import * as argon2 from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../test/app.ts';
import { makeBuyer, makeServiceAccount, makeMerchant, PASSWORD } from '../../test/make.ts';
import { createLimiter } from '../platform/limiter.ts';
import { transaction } from '../platform/db/transaction.ts';
import { revokeServiceAccount, rotateServiceAccount } from './service-accounts/save-service-account.ts';
import { createPasswords } from './credentials/passwords.ts';
import { openServiceAccountSession } from './service-accounts/session.ts';
import { signIn } from './buyers/sign-in.ts';
import { findServiceAccount } from './service-accounts/store.ts';
import { tokenHash } from './credentials/token.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const SIGN_IN = 'POST /v1/TokenBuyer/Authenticate';
const SIGN_UP = 'POST /v1/SecurityBuyer/InsertAsync';

describe('signing in', () => {
  test('a buyer gets a token and her profile, with the status inside', async () => {
    const ana = await makeBuyer(server.db, { userName: 'Ana' });
    const { status, body } = await server.ask(SIGN_IN, { body: { user: ana.email, password: PASSWORD } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      isSuccess: true,
      status: 200,
      data: { id: ana.id, user: ana.email, userName: 'Ana', name: 'Ana', phone: '5512345678' },
    });
    const me = await server.ask(`GET /v1/UserBuyerClient/GetByUserIdAsync/${ana.id}`, {
      token: body.data.token,
    });
    expect(me.status).toBe(200);
  });

  test('capitals and spaces around the email address do not matter', async () => {
    const ana = await makeBuyer(server.db);
    const user = ` ${ana.email.toUpperCase()} `;
    expect((await server.ask(SIGN_IN, { body: { user, password: PASSWORD } })).status).toBe(200);
  });

  test('a wrong password, an unknown account and empty fields read exactly alike', async () => {
    const ana = await makeBuyer(server.db);
    const answers = await Promise.all(
      [
        { user: ana.email, password: 'otra-clave-larga' },
        { user: 'nobody@example.mx', password: 'otra-clave-larga' },
        { user: '', password: '' },
        {},
      ].map((body) => server.ask(SIGN_IN, { body })),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(answers[0]!.body);
    }
    expect(answers[0]!.body).toMatchObject({ isSuccess: false, code: 'WRONG_CREDENTIALS', data: null });
  });

  test('whether an account exists cannot be told from the work it takes', async () => {
    const ana = await makeBuyer(server.db, { passwordHash: await createPasswords().hash(PASSWORD) });
    const costs: string[] = [];
    const passwords = createPasswords({
      hash: argon2.hash,
      verify: (hashed, ...rest) => {
        costs.push(String(hashed).split('$').slice(1, 4).join(' '));
        return argon2.verify(hashed, ...rest);
      },
    });
    const { db, settings } = server;
    const inBackground = () => {};
    const deps = { db, passwords, limiter: createLimiter(db), limits: settings.accountLimits, inBackground };
    for (const user of [ana.email, 'nobody@example.mx', '']) {
      const wrong = { user, password: 'otra-clave-larga', address: '203.0.113.19' };
      await expect(signIn(deps, wrong)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
    }
    expect(costs).toEqual(Array(3).fill('argon2id v=19 m=19456,t=2,p=1'));
  });

  test('only the hash of a token is kept', async () => {
    const ana = await makeBuyer(server.db);
    const rows = await server.db.selectFrom('sessions').selectAll().where('buyer_id', '=', ana.id).execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]!.token_hash.equals(tokenHash(ana.token))).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(ana.token);
  });
});

describe('guessing passwords', () => {
  const limits = {
    signInPerPair: { times: 5, seconds: 900 },
    signInPerAccount: { times: 20, seconds: 900 },
    signInPerAddress: { times: 30, seconds: 900 },
  };
  const guess = { password: 'otra-clave-larga' };

  test('a thousand from many addresses are stopped, and the owner still enters from where she always does', async () => {
    const guarded = await startTestApp({ env: { TEST_CLOCKS: JSON.stringify(limits) } });
    try {
      const ana = await makeBuyer(guarded.db);
      const home = '203.0.113.50';
      const right = { user: ana.email, password: PASSWORD };
      expect((await guarded.ask(SIGN_IN, { body: right, address: home })).status).toBe(200);

      const statuses = new Map<number, number>();
      for (let turn = 0; turn < 1_000; turn += 50) {
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, at) =>
            guarded.ask(SIGN_IN, {
              body: { user: ana.email, ...guess },
              address: `10.${turn % 250}.${at}.${Math.floor(turn / 250)}`,
            }),
          ),
        );
        for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      expect(statuses.get(401)).toBe(20);
      expect(statuses.get(429)).toBe(980);
      expect((await guarded.ask(SIGN_IN, { body: right, address: home })).status).toBe(200);
      const elsewhere = await guarded.ask(SIGN_IN, { body: right, address: '203.0.113.99' });
      expect(elsewhere.status).toBe(429);
      expect(Number(elsewhere.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await guarded.close();
    }
  });

  test('a stranger beside her, or all over the world, keeps neither her phone nor her address out', async () => {
    const guarded = await startTestApp({ env: { TEST_CLOCKS: JSON.stringify(limits) } });
    try {
      const [ana, eva, newcomer] = [
        await makeBuyer(guarded.db),
        await makeBuyer(guarded.db),
        await makeBuyer(guarded.db),
      ];
      const shared = '203.0.113.50';
      const enter = async (who: typeof ana, headers = {}, address = shared) =>
        (await guarded.ask(SIGN_IN, { body: { user: who.email, password: PASSWORD }, headers, address }))
          .status;
      const phone = { 'x-device-id': '0f0e0d0c-0b0a-4908-8706-050403020100' };
      expect([await enter(ana, phone), await enter(eva)]).toEqual([200, 200]);

      for (let turn = 0; turn < 40; turn += 1) {
        const user = turn < 8 ? ana.email : `nobody-${turn}@example.mx`;
        await guarded.ask(SIGN_IN, { body: { user, ...guess }, address: shared });
        await guarded.ask(SIGN_IN, { body: { user: ana.email, ...guess }, address: `192.0.2.${turn}` });
      }
      // No device, one that says what anybody could, another one, and one of theirs for another account: strangers.
      expect([await enter(ana), await enter(ana, { 'x-device-id': 'x' })]).toEqual([429, 429]);
      expect(await enter(ana, { 'x-device-id': phone['x-device-id'].replace('0f', '1f') })).toBe(429);
      expect(await enter(newcomer, phone)).toBe(429);
      expect([await enter(ana, phone), await enter(ana, phone, '198.51.100.1'), await enter(eva)]).toEqual([
        200, 200, 200,
      ]);
      // Whoever holds that phone guesses no faster than a stranger.
      const tries = await Promise.all(
        Array.from({ length: 20 }, () =>
          guarded.ask(SIGN_IN, { body: { user: ana.email, ...guess }, headers: phone, address: shared }),
        ),
      );
      expect(tries.filter(({ status }) => status === 401)).toHaveLength(5);
    } finally {
      await guarded.close();
    }
  });

  test.each(['till', 'integrator'] as const)(
    'a %s with a wrong secret keeps no other at its address out',
    async (kind) => {
      const guarded = await startTestApp({ env: { TEST_CLOCKS: JSON.stringify(limits) } });
      try {
        const merchantId = await makeMerchant(guarded.db);
        const scope = kind === 'till' ? { kind, chain: 'oxxo' } : { kind, merchantId };
        const broken = await makeServiceAccount(guarded.db, scope);
        const fine = await makeServiceAccount(guarded.db, scope);
        const call = kind === 'till' ? 'POST /User/authenticate' : 'POST /v1/Users/Authenticate';
        const enter = async ({ userName: User }: typeof fine, Password: string) =>
          (await guarded.ask(call, { body: { User, Password }, address: '203.0.113.60' })).status;
        for (let turn = 0; turn < 40; turn += 1) await enter(broken, 'wrong');
        expect([await enter(broken, 'wrong'), await enter(fine, PASSWORD)]).toEqual([429, 200]);
      } finally {
        await guarded.close();
      }
    },
  );

  test.each([
    ['till', 'POST /User/authenticate'],
    ['integrator', 'POST /v1/Users/Authenticate'],
  ] as const)(
    'one address cannot invent %ss without end, and those that have signed in there still do',
    async (kind, call) => {
      const guarded = await startTestApp({ env: { TEST_CLOCKS: JSON.stringify(limits) } });
      try {
        const merchantId = await makeMerchant(guarded.db);
        const scope = kind === 'till' ? { kind, chain: 'oxxo' } : { kind, merchantId };
        const [known, fresh] = [
          await makeServiceAccount(guarded.db, scope),
          await makeServiceAccount(guarded.db, scope),
        ];
        const enter = async (User: string, Password: string, address = '2001:db8:1:2::1') =>
          (await guarded.ask(call, { body: { User, Password }, address })).status;
        expect(await enter(known.userName, PASSWORD)).toBe(200);
        const rows = async () =>
          (await guarded.db.selectFrom('rate_counters').select('key').execute()).length;
        const statuses: number[] = [];
        for (let turn = 0; turn < 30; turn += 1)
          statuses.push(await enter(`nobody-${turn}`, 'wrong', `2001:db8:1:2::${turn}`));
        const before = await rows();
        for (let turn = 30; turn < 40; turn += 1) statuses.push(await enter(`nobody-${turn}`, 'wrong'));
        expect(statuses).toEqual([...Array(30).fill(401), ...Array(10).fill(429)]);
        expect(await rows()).toBe(before);
        // Whether a new one exists shows neither with a wrong secret nor with the right one.
        expect([await enter(fresh.userName, 'wrong'), await enter(fresh.userName, PASSWORD)]).toEqual([
          429, 429,
        ]);
        expect([await enter(known.userName, 'wrong'), await enter(known.userName, PASSWORD)]).toEqual([
          401, 200,
        ]);
        expect(await enter(fresh.userName, PASSWORD, '2001:db8:1:3::1')).toBe(200);
        // A buyer in the shop's network is not in it.
        const body = { user: 'nobody@example.mx', ...guess };
        expect((await guarded.ask(SIGN_IN, { body, address: '2001:db8:1:2::1' })).status).toBe(401);
      } finally {
        await guarded.close();
      }
    },
  );

  test('right passwords count for nothing, of many buyers or tills at one address and of one buyer at many', async () => {
    const one = { times: 1, seconds: 900 };
    const narrow = { signInPerPair: limits.signInPerPair, signInPerAccount: one, signInPerAddress: one };
    const guarded = await startTestApp({ env: { TEST_CLOCKS: JSON.stringify(narrow) } });
    try {
      const buyers = [await makeBuyer(guarded.db), await makeBuyer(guarded.db), await makeBuyer(guarded.db)];
      const enter = async ({ email: user }: (typeof buyers)[0], address: string) =>
        (await guarded.ask(SIGN_IN, { body: { user, password: PASSWORD }, address })).status;
      for (const buyer of buyers) expect(await enter(buyer, '203.0.113.70')).toBe(200);
      // Nor for the place where they are known, however often.
      for (let times = 0; times < 8; times += 1) expect(await enter(buyers[0]!, '203.0.113.70')).toBe(200);
      for (const at of [71, 72, 73]) expect(await enter(buyers[0]!, `203.0.113.${at}`)).toBe(200);
      for (let till = 0; till < 3; till += 1) {
        const { userName: User } = await makeServiceAccount(guarded.db, { kind: 'till', chain: 'oxxo' });
        const body = { User, Password: PASSWORD };
        expect((await guarded.ask('POST /User/authenticate', { body, address: '203.0.113.70' })).status).toBe(
          200,
        );
      }
    } finally {
      await guarded.close();
    }
  });

  test('one address cannot try many accounts, and a forged X-Forwarded-For changes nothing', async () => {
    const guarded = await startTestApp({ env: { TEST_CLOCKS: JSON.stringify(limits) } });
    try {
      const statuses: number[] = [];
      for (let turn = 0; turn < 40; turn += 1) {
        const { status } = await guarded.ask(SIGN_IN, {
          body: { user: `buyer-${turn}@example.mx`, ...guess },
          headers: { 'x-forwarded-for': `192.0.2.${turn}`, forwarded: `for=192.0.2.${turn}` },
        });
        statuses.push(status);
      }
      expect(statuses.filter((status) => status === 401)).toHaveLength(30);
      expect(statuses.at(-1)).toBe(429);
    } finally {
      await guarded.close();
    }
  });

  test("a trusted proxy's word about the caller is believed", async () => {
    const behind = await startTestApp({ env: { TRUSTED_PROXIES: '10.0.0.1' } });
    try {
      const headers = { 'x-forwarded-for': '203.0.113.9' };
      expect((await behind.ask('GET /ip', { headers, address: '10.0.0.1' })).body).toEqual({
        ip: '203.0.113.9',
      });
      expect((await behind.ask('GET /ip', { headers, address: '10.0.0.2' })).body).toEqual({
        ip: '10.0.0.2',
      });
      expect((await server.ask('GET /ip', { headers, address: '10.0.0.1' })).body).toEqual({
        ip: '10.0.0.1',
      });
    } finally {
      await behind.close();
    }
  });
});

describe('a session', () => {
  test('ends with logout, and with it alone', async () => {
    const ana = await makeBuyer(server.db);
    const eva = await makeBuyer(server.db);
    const profile = (who: typeof ana) =>
      server.ask(`GET /v1/UserBuyerClient/GetByUserIdAsync/${who.id}`, { token: who.token });
    expect((await server.ask('POST /v1/TokenBuyer/Logout', { token: ana.token })).body).toEqual({
      isSuccess: true,
      message: '',
      data: null,
    });
    expect((await profile(ana)).status).toBe(401);
    expect((await profile(eva)).status).toBe(200);
  });

  test('ends later by what a browser kept of it, which signs nobody in, and ends no other', async () => {
    const [ana, eva] = [await makeBuyer(server.db), await makeBuyer(server.db)];
    const profile = (who: typeof ana, token = who.token) =>
      server.ask(`GET /v1/UserBuyerClient/GetByUserIdAsync/${who.id}`, { token });
    const hash = tokenHash(ana.token).toString('base64');
    const end = (kept: string) =>
      server.ask('POST /v1/TokenBuyer/LogoutLater', { body: { tokenHash: kept } });
    for (const token of [hash, `apb_${hash.slice(0, 43)}`])
      expect((await profile(ana, token)).status).toBe(401);
    for (const spoilt of ['', ana.token, hash.slice(1), `${hash}=`])
      expect((await end(spoilt)).status).toBe(422);
    expect([(await end(hash)).status, (await end(hash)).status]).toEqual([200, 200]);
    expect([(await profile(ana)).status, (await profile(eva)).status]).toEqual([401, 200]);
    const acts = await server.db
      .selectFrom('account_acts')
      .select('act')
      .where('buyer_id', '=', ana.id)
      .where('act', '=', 'signed_out')
      .execute();
    expect(acts.length).toBe(1);
  });

  test('is over after 12 hours', async () => {
    const ana = await makeBuyer(server.db);
    const { created_at, expires_at } = await server.db
      .selectFrom('sessions')
      .select(['created_at', 'expires_at'])
      .where('buyer_id', '=', ana.id)
      .executeTakeFirstOrThrow();
    expect(expires_at.getTime() - created_at.getTime()).toBe(12 * 3_600_000);
    await server.db
      .updateTable('sessions')
      .set({ expires_at: created_at })
      .where('buyer_id', '=', ana.id)
      .execute();
    const { status, body } = await server.ask(`GET /v1/UserBuyerClient/GetByUserIdAsync/${ana.id}`, {
      token: ana.token,
    });
    expect(status).toBe(401);
    expect(body.code).toBe('SESSION_DEAD');
  });

  test('is listed with the others of its buyer, newest first, and a lost phone’s can be ended, by its owner alone', async () => {
    const [ana, eva] = [await makeBuyer(server.db), await makeBuyer(server.db)];
    const long = `Teléfono ${'x'.repeat(300)}`;
    const enter = async (device: string) => {
      const body = { user: ana.email, password: PASSWORD };
      const { body: signedIn } = await server.ask(SIGN_IN, { body, headers: { 'user-agent': device } });
      return String(signedIn.data.token);
    };
    const [old, lost, over] = [await enter('old'), await enter(long), await enter('over')];
    await server.ask('POST /v1/TokenBuyer/Logout', { token: old });
    await server.db
      .updateTable('sessions')
      .set({ expires_at: new Date() })
      .where('token_hash', '=', tokenHash(over))
      .execute();
    const list = async () =>
      (await server.ask('GET /v1/TokenBuyer/Sessions', { token: ana.token })).body.data;
    const [phone, here, ...others] = await list();
    expect(others).toEqual([]);
    expect(phone).toMatchObject({ isThis: false, device: `Telfono ${'x'.repeat(192)}` });
    expect(here).toMatchObject({ isThis: true, device: '' });
    expect(Date.parse(phone.expiresAt) - Date.parse(phone.openedAt)).toBe(12 * 3_600_000);

    const end = async (token: string, id: number) =>
      (await server.ask(`POST /v1/TokenBuyer/Sessions/${id}/Close`, { token })).status;
    expect([await end(eva.token, phone.id), await end(ana.token, phone.id + 1)]).toEqual([404, 404]);
    expect([await end(ana.token, phone.id), await end(ana.token, phone.id)]).toEqual([200, 404]);
    expect((await server.ask('POST /v1/TokenBuyer/Logout', { token: lost })).status).toBe(401);
    expect(await list()).toEqual([here]);
  });

  test.each(['', 'apb_', `apb_${'A'.repeat(43)}`, `apm_${'A'.repeat(43)}`, 'undefined', "' or 1=1 --"])(
    'the token %j is nobody',
    async (token) => {
      expect((await server.ask('POST /v1/TokenBuyer/Logout', { token })).status).toBe(401);
    },
  );

  test('does not open for a cookie or a token in the address', async () => {
    const ana = await makeBuyer(server.db);
    const path = `/v1/UserBuyerClient/GetByUserIdAsync/${ana.id}`;
    const headers = { cookie: `token=${ana.token}; session=${ana.token}`, origin: 'https://evil.example' };
    expect((await server.ask(`GET ${path}`, { headers })).status).toBe(401);
    expect((await server.ask(`GET ${path}?token=${ana.token}&access_token=${ana.token}`)).status).toBe(401);
  });
});

describe('looking an email address up', () => {
  const lookUp = (email: string, from: TestApp = server) =>
    from.ask(`GET /v1/SecurityBuyer/GetByEmailAsync/${encodeURIComponent(email)}`);

  test('says taken or free, and never whose it is', async () => {
    const ana = await makeBuyer(server.db);
    expect((await lookUp(ana.email)).body.data).toEqual({ id: 1 });
    expect((await lookUp(ana.email.toUpperCase())).body.data).toEqual({ id: 1 });
    expect((await lookUp('free@example.mx')).body.data).toEqual({ id: 0 });
  });

  test('is limited per address', async () => {
    const limited = await startTestApp({
      env: { TEST_CLOCKS: JSON.stringify({ lookUpPerAddress: { times: 3, seconds: 60 } }) },
    });
    try {
      const statuses: number[] = [];
      for (let turn = 0; turn < 5; turn += 1)
        statuses.push((await lookUp(`x${turn}@example.mx`, limited)).status);
      expect(statuses).toEqual([200, 200, 200, 429, 429]);
    } finally {
      await limited.close();
    }
  });
});

describe('signing up', () => {
  const form = { user: 'nueva@example.mx', userName: 'Nueva', phone: '55 1234 5678', password: PASSWORD };

  test('opens an account that can sign in, its email address in one spelling', async () => {
    const { status, body } = await server.ask(SIGN_UP, { body: { ...form, user: ' Nueva.Una@Example.MX' } });
    expect(status).toBe(200);
    expect(body.data.id).toBeGreaterThan(0);
    const signedIn = await server.ask(SIGN_IN, {
      body: { user: 'nueva.una@example.mx', password: PASSWORD },
    });
    expect(signedIn.body.data).toMatchObject({ id: body.data.id, user: 'nueva.una@example.mx' });
  });

  test('twice at once makes one account', async () => {
    const body = { ...form, user: 'doble@example.mx' };
    const answers = await Promise.all(
      [body, { ...body, user: 'DOBLE@example.mx' }, body].map((each) => server.ask(SIGN_UP, { body: each })),
    );
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409']);
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('EMAIL_TAKEN');
  });

  test.each([
    [{ user: 'abc' }, 'INVALID_INPUT', 'user'],
    [{ user: 'sin-arroba' }, 'INVALID_INPUT', 'user'],
    [{ user: '<nueva@example.mx>' }, 'INVALID_INPUT', 'user'],
    [{ user: '<nueva@example.mx' }, 'INVALID_INPUT', 'user'],
    [{ user: 'nueva@example.mx.' }, 'INVALID_INPUT', 'user'],
    [{ user: undefined }, 'INVALID_INPUT', 'user'],
    [{ user: `${'a'.repeat(250)}@example.mx` }, 'INVALID_INPUT', 'user'],
    [{ user: 'a@example.mx\r\nBcc: b@example.mx' }, 'INVALID_INPUT', 'user'],
    [{ userName: 'Ana\u0000' }, 'INVALID_INPUT', 'userName'],
    [{ userName: '\u202eAna Ruiz' }, 'INVALID_INPUT', 'userName'],
    [{ userName: '\u200b' }, 'INVALID_INPUT', 'userName'],
    [{ userName: 'http://evil.example/gana' }, 'INVALID_INPUT', 'userName'],
    [{ userName: 'x'.repeat(81) }, 'INVALID_INPUT', 'userName'],
    [{ userName: '\u0958'.repeat(80) }, 'INVALID_INPUT', 'userName'], // twice as long once composed
    [{ password: 'corta' }, 'PASSWORD_TOO_SHORT', 'password'],
    [{ password: 'x9'.repeat(65) }, 'PASSWORD_TOO_LONG', 'password'],
    [{ password: 'password1' }, 'PASSWORD_TOO_COMMON', 'password'],
    [{ password: 12345678 }, 'INVALID_INPUT', 'password'],
  ])('with %j is refused, naming the field', async (wrong, code, field) => {
    const { status, body } = await server.ask(SIGN_UP, {
      body: { ...form, user: 'otra@example.mx', ...wrong },
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({ isSuccess: false, code, fields: { [field]: expect.any(String) } });
  });

  test('needs neither a name nor a phone, as the spec asks for none', async () => {
    const { body } = await server.ask(SIGN_UP, {
      body: { user: 'sola@example.mx', userName: '', phone: '', password: PASSWORD },
    });
    const signedIn = await server.ask(SIGN_IN, { body: { user: 'sola@example.mx', password: PASSWORD } });
    expect(signedIn.body.data).toMatchObject({ id: body.data.id, userName: 'sola' });
  });

  test('takes nothing that the form does not have', async () => {
    const { body } = await server.ask(SIGN_UP, {
      body: {
        ...form,
        user: 'masa@example.mx',
        id: 7,
        ssoId: '00000000-0000-4000-8000-000000000000',
        token: 'mine',
        password_hash: 'x',
        terms_accepted_at: '2020-01-01',
        created_at: '2020-01-01',
        ['__proto__']: { termsAccepted: true },
      },
    });
    const row = await server.db
      .selectFrom('buyers')
      .selectAll()
      .where('id', '=', body.data.id)
      .executeTakeFirstOrThrow();
    expect(row.id).not.toBe(7);
    expect(row.sso_id).not.toBe('00000000-0000-4000-8000-000000000000');
    expect(row.terms_accepted_at).toBeNull();
    expect(row.created_at.getFullYear()).toBeGreaterThan(2024);
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('records which terms were accepted, and enforces them where the operator says so', async () => {
    const accepted = { termsAccepted: true, termsVersion: '2026-01' };
    const { body } = await server.ask(SIGN_UP, { body: { ...form, user: 'con@example.mx', ...accepted } });
    const row = await server.db
      .selectFrom('buyers')
      .select(['terms_accepted_at', 'terms_version'])
      .where('id', '=', body.data.id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ terms_accepted_at: expect.any(Date), terms_version: '2026-01' });

    const strict = await startTestApp({ env: { REQUIRE_TERMS: 'true' } });
    try {
      const refused = await strict.ask(SIGN_UP, { body: form });
      expect(refused.status).toBe(422);
      expect(refused.body.code).toBe('TERMS_NOT_ACCEPTED');
      expect((await strict.ask(SIGN_UP, { body: { ...form, ...accepted } })).status).toBe(200);
    } finally {
      await strict.close();
    }
  });

  test('is limited per address', async () => {
    const limited = await startTestApp({
      env: { TEST_CLOCKS: JSON.stringify({ signUpPerAddress: { times: 1, seconds: 60 } }) },
    });
    try {
      const one = await limited.ask(SIGN_UP, { body: form });
      const two = await limited.ask(SIGN_UP, { body: { ...form, user: 'segunda@example.mx' } });
      expect([one.status, two.status]).toEqual([200, 429]);
    } finally {
      await limited.close();
    }
  });
});

describe('service accounts', () => {
  test('a till gets a bare token that reaches no call of buyers', async () => {
    const { userName } = await makeServiceAccount(server.db, { kind: 'till', chain: 'ELEKTRA' });
    const { status, body } = await server.ask('POST /User/authenticate', {
      body: { User: userName, Password: PASSWORD },
    });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['token']);
    const refused = await server.ask('POST /v1/TokenBuyer/Logout', { token: body.token });
    expect(refused.status).toBe(403);
    expect(refused.body.code).toBe('NOT_ALLOWED');
  });

  test('an integrator finds its token in either nesting', async () => {
    const merchantId = await makeMerchant(server.db);
    const { userName } = await makeServiceAccount(server.db, { kind: 'integrator', merchantId });
    const { body } = await server.ask('POST /v1/Users/Authenticate', {
      body: { Id: 0, User: userName, Password: PASSWORD, Token: '' },
    });
    expect(body.data.token).toMatch(/^apm_/);
    expect(body.data.data.token).toBe(body.data.token);
  });

  test("neither enters through the other's call, nor with a wrong password", async () => {
    const till = await makeServiceAccount(server.db, { kind: 'till', chain: 'ELEKTRA' });
    const integrator = await makeServiceAccount(server.db, {
      kind: 'integrator',
      merchantId: await makeMerchant(server.db),
    });
    const attempts = [
      ['POST /v1/Users/Authenticate', till.userName, PASSWORD],
      ['POST /User/authenticate', integrator.userName, PASSWORD],
      ['POST /User/authenticate', till.userName, 'otra-clave-larga'],
      ['POST /User/authenticate', 'nobody', PASSWORD],
    ] as const;
    for (const [call, User, Password] of attempts) {
      const { status, body } = await server.ask(call, { body: { User, Password } });
      expect([status, body.code]).toEqual([401, 'WRONG_CREDENTIALS']);
    }
  });

  test('a sign-in that was under way when its secret was changed opens no more than that secret does', async () => {
    const { id, userName } = await makeServiceAccount(server.db, { kind: 'till', chain: 'ELEKTRA' });
    const name = { kind: 'till', userName } as const;
    const { secret_hash: secretHash } = (await findServiceAccount(server.db, 'till', userName))!;
    const until = new Date(Date.now() + 60_000);
    await transaction(server.db, (tx) => rotateServiceAccount(tx, name, { secretHash: 'another', until }));
    const token = await openServiceAccountSession(server.db, id, { secretHash });
    const session = await server.db
      .selectFrom('service_account_sessions')
      .select('expires_at')
      .where('token_hash', '=', tokenHash(token))
      .executeTakeFirstOrThrow();
    expect(session.expires_at).toEqual(until);

    let opening: Promise<string> | undefined;
    await transaction(server.db, async (tx) => {
      await rotateServiceAccount(tx, name, { secretHash: 'a third', until: undefined });
      opening = openServiceAccountSession(server.db, id, { secretHash });
      opening.catch(() => {});
    });
    await expect(opening).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
    await transaction(server.db, (tx) => revokeServiceAccount(tx, name));
    await expect(openServiceAccountSession(server.db, id, { secretHash: 'a third' })).rejects.toMatchObject({
      code: 'WRONG_CREDENTIALS',
    });
  });

  test('a revoked till is out at once, with the token it has', async () => {
    const till = await makeServiceAccount(server.db, { kind: 'till', chain: 'ELEKTRA' });
    const credentials = { body: { User: till.userName, Password: PASSWORD } };
    const { token } = (await server.ask('POST /User/authenticate', credentials)).body;
    expect((await server.ask('POST /v1/TokenBuyer/Logout', { token })).status).toBe(403);
    await server.db
      .updateTable('service_accounts')
      .set({ revoked_at: new Date() })
      .where('id', '=', till.id)
      .execute();
    expect((await server.ask('POST /v1/TokenBuyer/Logout', { token })).status).toBe(401);
    expect((await server.ask('POST /User/authenticate', credentials)).status).toBe(401);
  });
});
