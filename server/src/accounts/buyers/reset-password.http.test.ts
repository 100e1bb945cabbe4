import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { makeBuyer, PASSWORD, type MadeBuyer } from '../../../test/make.ts';
import { deliverEmails } from '../../../test/mailbox.ts';
import { openShop, type Shop } from '../../../test/shop.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { createLimiter } from '../../platform/limiter.ts';
import { deliverEmail } from '../../platform/email/deliver-email.ts';
import { smtp } from '../../platform/email/smtp.ts';
import { askForReset } from './reset-password.ts';
import { openSession } from '../sessions/session.ts';
import { findBuyer, setPassword } from './store.ts';

const NEW_PASSWORD = 'otra-clave-larga-8';
const ASK = 'POST /v1/Notifications/SendResetPasswordBuyerEmail';

let shop: Shop;
let ana: MadeBuyer;
beforeAll(async () => {
  // Each test breaks its own limits; nobody else's count.
  const wide = { times: 10_000, seconds: 60 };
  shop = await openShop({ clocks: { resetPerAddress: wide, resetCodePerAddress: wide } });
});
afterAll(() => shop.close());
beforeEach(async () => {
  ana = await makeBuyer(shop.db);
});

const ask = (email: string, more: object = {}) => shop.ask(ASK, { body: { email, ...more } });

const deliver = () => deliverEmails(shop);

const emailsTo = async (email: string): Promise<{ subject: string; text: string; id: string }[]> =>
  (await shop.control('GET /control/emails')).emails.filter(({ to }: { to: string[] }) => to[0] === email);

/** The code of the newest email to an email address. */
async function codeFor(email: string): Promise<string> {
  await ask(email);
  await deliver();
  return linksOf(await emailsTo(email)).at(-1)!.code;
}

function linksOf(emails: readonly { text: string }[]): { url: URL; code: string }[] {
  return emails.flatMap(({ text }) => {
    const found = /\S+refChangePass\S+/.exec(text)?.[0];
    if (found === undefined) return [];
    const url = new URL(found);
    return [{ url, code: new URLSearchParams(url.hash.slice(1)).get('code')! }];
  });
}

const change = (id: number, body: object) =>
  shop.ask(`PUT /v1/SecurityBuyer/UpdateAsync/${id}`, { body: { password: NEW_PASSWORD, ...body } });
const lookUp = (email: string, code: string) =>
  shop.ask(`GET /v1/SecurityBuyer/GetByEmailAsync/${encodeURIComponent(email)}`, {
    headers: { 'x-reset-code': code },
  });
const signIn = async (email: string, password: string) =>
  (await shop.ask('POST /v1/TokenBuyer/Authenticate', { body: { user: email, password } })).status;
const isAlive = async (token: string) =>
  (await shop.ask('GET /v1/TokenBuyer/Sessions', { token })).status === 200;

describe('who forgot her password', () => {
  test('gets an email, sets a new one, and every session that there was is over', async () => {
    const elsewhere = await openSession(shop.db, ana.id);
    const code = await codeFor(ana.email);
    const found = await lookUp(ana.email, code);
    expect([found.status, found.body.data]).toEqual([
      200,
      { id: ana.id, businessName: '', userName: 'Ana', name: 'Ana' },
    ]);

    const changed = await change(ana.id, { ...found.body.data, code });
    expect([changed.status, changed.body]).toEqual([200, { isSuccess: true, message: '', data: null }]);
    expect(await isAlive(ana.token)).toBe(false);
    expect(await isAlive(elsewhere)).toBe(false);
    expect(await signIn(ana.email, PASSWORD)).toBe(401);
    expect(await signIn(ana.email, NEW_PASSWORD)).toBe(200);

    await deliver();
    const emails = await emailsTo(ana.email);
    expect(emails.map(({ subject }) => subject)).toEqual([
      'Cambia tu password de Aparta',
      'Tu password de Aparta cambió',
    ]);
  });

  test('gets the link of our own origin, whatever link the request names, and the code in its fragment alone', async () => {
    await ask(ana.email, { link: 'https://evil.example/?refChangePass=', dateHourCreate: '2026-11-20' });
    await deliver();
    const [email, ...others] = await emailsTo(ana.email);
    expect(others).toEqual([]);
    expect(email!.text).not.toContain('evil');
    const [{ url, code } = { url: new URL('none:'), code: '' }] = linksOf([email!]);
    expect(url.origin).toBe(shop.settings.publicOrigin);
    expect([...url.searchParams.keys()]).toEqual(['refChangePass']);
    expect(Buffer.from(url.searchParams.get('refChangePass')!, 'base64').toString()).toBe(ana.email);
    expect(code).toMatch(/^[\w-]{22}$/);
    expect(url.search).not.toContain(code);
  });

  test('may write her email address in capitals', async () => {
    await ask(` ${ana.email.toUpperCase()} `);
    await deliver();
    expect(await emailsTo(ana.email)).toHaveLength(1);
  });

  test('may choose again after a password that is too weak: the code is still good', async () => {
    const code = await codeFor(ana.email);
    for (const [password, refused] of [
      ['corta', 'PASSWORD_TOO_SHORT'],
      ['password1', 'PASSWORD_TOO_COMMON'],
      [ana.email, 'PASSWORD_TOO_COMMON'],
      ['x9'.repeat(65), 'PASSWORD_TOO_LONG'],
    ] as const) {
      const { status, body } = await change(ana.id, { code, password });
      expect([status, body.code, Object.keys(body.fields)]).toEqual([422, refused, ['password']]);
    }
    expect((await change(ana.id, { code })).status).toBe(200);
  });

  test('enters at once from where she changed it, however many guess elsewhere', async () => {
    const limits = { signInPerAccount: { times: 1, seconds: 900 } };
    const guarded = await openShop({ clocks: limits });
    try {
      const user = guarded.buyer.email;
      const body = { user, password: 'wrong-wrong' };
      for (const address of ['192.0.2.1', '192.0.2.2'])
        await guarded.ask('POST /v1/TokenBuyer/Authenticate', { body, address });
      const right = { user, password: NEW_PASSWORD };
      const link = await guarded.jobs.resetLink(user);
      await guarded.ask(`PUT /v1/SecurityBuyer/UpdateAsync/${guarded.buyer.id}`, {
        body: { password: NEW_PASSWORD, code: link!.split('code=')[1] },
      });
      const statuses = await Promise.all(
        ['198.51.100.7', '192.0.2.3'].map(
          async (address) =>
            (await guarded.ask('POST /v1/TokenBuyer/Authenticate', { body: right, address })).status,
        ),
      );
      expect(statuses).toEqual([200, 429]);
    } finally {
      await guarded.close();
    }
  });
});

describe('without the live code', () => {
  /** Whatever was tried: the old password is still the one, and their session lives. */
  async function nothingChanged() {
    expect(await signIn(ana.email, PASSWORD)).toBe(200);
    expect(await signIn(ana.email, NEW_PASSWORD)).toBe(401);
    expect(await isAlive(ana.token)).toBe(true);
  }

  test.each([
    ['no code', {}],
    ['an empty code', { code: '' }],
    ['a code of another kind', { code: 7 }],
    ['null', { code: null }],
    ['a list', { code: ['x'] }],
    ['a code too long', { code: 'x'.repeat(101) }],
  ])('%s is refused by name', async (_kind, body) => {
    await codeFor(ana.email);
    const { status, body: refused } = await change(ana.id, body);
    expect([status, refused.code, Object.keys(refused.fields)]).toEqual([422, 'INVALID_INPUT', ['code']]);
    await nothingChanged();
  });

  test('a guess, and a guess where nobody asked for an email, are refused alike', async () => {
    const eva = await makeBuyer(shop.db);
    await codeFor(ana.email);
    const guesses = await Promise.all(
      [ana.id, eva.id, 999_999].map((id) => change(id, { code: 'AAAAAAAAAAAAAAAAAAAAAA' })),
    );
    for (const { status, body } of guesses) {
      expect([status, body.code]).toEqual([422, 'RESET_CODE_DEAD']);
      expect(body).toEqual(guesses[0]!.body);
    }
    await nothingChanged();
  });

  test("another buyer's code is refused, and stays good for its owner", async () => {
    const eva = await makeBuyer(shop.db);
    await codeFor(ana.email);
    const evas = await codeFor(eva.email);
    expect((await change(ana.id, { code: evas })).body.code).toBe('RESET_CODE_DEAD');
    expect((await lookUp(ana.email, evas)).body.code).toBe('RESET_CODE_DEAD');
    await nothingChanged();
    expect((await change(eva.id, { code: evas })).status).toBe(200);
  });

  test('a used code is refused', async () => {
    const code = await codeFor(ana.email);
    expect((await change(ana.id, { code })).status).toBe(200);
    const again = await change(ana.id, { code, password: 'tercera-clave-9' });
    expect([again.status, again.body.code]).toEqual([422, 'RESET_CODE_DEAD']);
    expect((await lookUp(ana.email, code)).body.code).toBe('RESET_CODE_DEAD');
    expect(await signIn(ana.email, NEW_PASSWORD)).toBe(200);
  });

  test('a code older than 30 minutes is refused', async () => {
    const code = await codeFor(ana.email);
    const { created_at, expires_at } = await shop.db
      .selectFrom('password_resets')
      .select(['created_at', 'expires_at'])
      .where('buyer_id', '=', ana.id)
      .executeTakeFirstOrThrow();
    expect(expires_at.getTime() - created_at.getTime()).toBe(30 * 60_000);
    await shop.db
      .updateTable('password_resets')
      .set({ expires_at: created_at })
      .where('buyer_id', '=', ana.id)
      .execute();
    expect((await lookUp(ana.email, code)).body.code).toBe('RESET_CODE_DEAD');
    expect((await change(ana.id, { code })).body.code).toBe('RESET_CODE_DEAD');
    await nothingChanged();
  });

  test('a stranger who asks for another email leaves the link of hers good; one that is used ends all', async () => {
    const first = await codeFor(ana.email);
    const second = await codeFor(ana.email);
    expect(first).not.toBe(second);
    expect((await lookUp(ana.email, first)).status).toBe(200);
    expect((await change(ana.id, { code: first })).status).toBe(200);
    expect((await change(ana.id, { code: second })).body.code).toBe('RESET_CODE_DEAD');
  });

  test.each(['change', 'lookup'] as const)('wrong codes leave the right one good: by %s', async (how) => {
    const code = await codeFor(ana.email);
    const guess = (turn: number) =>
      how === 'change' ? change(ana.id, { code: `guess-${turn}` }) : lookUp(ana.email, `guess-${turn}`);
    const guesses = await Promise.all(Array.from({ length: 40 }, (_, turn) => guess(turn)));
    expect(guesses.map(({ body }) => body.code)).toEqual(Array(40).fill('RESET_CODE_DEAD'));
    await nothingChanged();
    expect((await change(ana.id, { code })).status).toBe(200);
  });

  test('one address may not guess for ever', async () => {
    const limited = await openShop({ clocks: { resetCodePerAddress: { times: 3, seconds: 60 } } });
    try {
      const statuses: number[] = [];
      for (let turn = 0; turn < 5; turn += 1) {
        const body = { password: NEW_PASSWORD, code: 'guess' };
        statuses.push((await limited.ask(`PUT /v1/SecurityBuyer/UpdateAsync/${turn + 1}`, { body })).status);
      }
      expect(statuses).toEqual([422, 422, 422, 429, 429]);
      // Their neighbour's right one passes.
      const [, code] = (await limited.jobs.resetLink(limited.buyer.email))!.split('code=');
      const body = { password: NEW_PASSWORD, code };
      expect(
        (await limited.ask(`PUT /v1/SecurityBuyer/UpdateAsync/${limited.buyer.id}`, { body })).status,
      ).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

test('looking at the link consumes nothing, however often it is done', async () => {
  const code = await codeFor(ana.email);
  for (let turn = 0; turn < 10; turn += 1) expect((await lookUp(ana.email, code)).status).toBe(200);
  expect((await change(ana.id, { code })).status).toBe(200);
});

test('one code used twice at once changes the password once', async () => {
  const code = await codeFor(ana.email);
  const passwords = ['primera-clave-1', 'segunda-clave-2', 'tercera-clave-3'];
  const answers = await Promise.all(passwords.map((password) => change(ana.id, { code, password })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'RESET_CODE_DEAD')).toHaveLength(2);
  const won = answers.findIndex(({ status }) => status === 200);
  for (const [at, password] of passwords.entries())
    expect((await signIn(ana.email, password)) === 200, password).toBe(at === won);
});

test('a sign-in with the old password that was under way opens nothing once it is changed', async () => {
  const { password_hash: passwordHash } = (await findBuyer(shop.db, ana.id))!;
  let opening: Promise<string> | undefined;
  await transaction(shop.db, async (tx) => {
    await setPassword(tx, ana.id, 'changed');
    // It waits for the change to be committed, and then finds another password.
    opening = openSession(shop.db, ana.id, { passwordHash });
    opening.catch(() => {});
    await sleep(100);
  });
  await expect(opening).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
});

describe('who asks for a stranger', () => {
  test('is answered alike, and the same statements are run, whether or not there is an account', async () => {
    const nobody = 'nobody@example.mx';
    const [hers, nobodys] = [await ask(ana.email), await ask(nobody)];
    expect([hers.status, hers.body]).toEqual([200, { isSuccess: true, message: '', data: null }]);
    expect([nobodys.status, nobodys.body]).toEqual([hers.status, hers.body]);

    const work = async (email: string) => {
      const statements: string[] = [];
      const db = shop.db.withPlugin({
        transformQuery: ({ node }) => {
          statements.push(node.kind);
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const deps = { db, limiter: createLimiter(db), limits: shop.settings.accountLimits };
      await askForReset(deps, { email, address: '203.0.113.19' });
      return statements;
    };
    const statements = await work(ana.email);
    expect(statements.length).toBeGreaterThan(2);
    expect(await work(nobody)).toEqual(statements);
  });

  test('learns nothing later either: no email goes to a stranger, and their address is not kept', async () => {
    const nobody = 'nobody-at-all@example.mx';
    await ask(nobody);
    await ask('');
    await ask('not an email address\u202e <b>');
    await deliver();
    const emails: { to: string[] }[] = (await shop.control('GET /control/emails')).emails;
    expect(emails.filter(({ to }) => !to[0]?.startsWith('buyer-'))).toEqual([]);
    const rows = await shop.db.selectFrom('outbox').selectAll().where('state', '=', 'dropped').execute();
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(rows)).not.toContain('nobody-at-all');
  });

  test('cannot fill her mailbox: of a hundred requests from everywhere two emails arrive, whose links are good', async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 100; turn += 10) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          shop.ask(ASK, {
            body: { email: at % 2 === 0 ? ana.email : ana.email.toUpperCase() },
            address: `10.0.${turn}.${at}`,
          }),
        ),
      );
      statuses.push(...answers.map(({ status }) => status));
    }
    await deliver();
    // No answer tells that somebody else asks: what the owner asked for is in the mailbox.
    expect(statuses).toEqual(Array(100).fill(200));
    const links = linksOf(await emailsTo(ana.email));
    expect(links).toHaveLength(2);
    for (const { code } of links) expect((await lookUp(ana.email, code)).status).toBe(200);
  });

  test('cannot fill many mailboxes from one address', async () => {
    const limited = await openShop({ clocks: { resetPerAddress: { times: 2, seconds: 60 } } });
    try {
      const statuses: number[] = [];
      for (let turn = 0; turn < 4; turn += 1)
        statuses.push((await limited.ask(ASK, { body: { email: `x${turn}@example.mx` } })).status);
      expect(statuses).toEqual([200, 200, 429, 429]);
      // Who has signed in on this device may ask all the same.
      const headers = { 'x-device-id': '0f0e0d0c-0b0a-4908-8706-050403020100' };
      const { email } = limited.buyer;
      await limited.ask('POST /v1/TokenBuyer/Authenticate', {
        body: { user: email, password: PASSWORD },
        headers,
      });
      expect((await limited.ask(ASK, { body: { email }, headers })).status).toBe(200);
      expect((await limited.ask(ASK, { body: { email } })).status).toBe(429);
    } finally {
      await limited.close();
    }
  });

  test.each([
    'a@example.mx\r\nBcc: b@example.mx',
    'a\u0000@example.mx',
    'a'.repeat(255),
    7,
    ['a@example.mx'],
  ])('with %j is refused', async (email) => {
    const { status, body } = await shop.ask(ASK, { body: { email } });
    expect([status, body.code, Object.keys(body.fields)[0]]).toEqual([422, 'INVALID_INPUT', 'email']);
  });
});

test('whoever signed up with another person’s email address is out once its owner resets, and was emailed nothing of theirs', async () => {
  const squatter = await makeBuyer(shop.db, { userName: 'Impostor' });
  const code = await codeFor(squatter.email);
  await change(squatter.id, { code });
  await deliver();
  expect(await isAlive(squatter.token)).toBe(false);
  expect(await signIn(squatter.email, PASSWORD)).toBe(401);
  const emails = await emailsTo(squatter.email);
  expect(emails).toHaveLength(2);
  expect(JSON.stringify(emails.map(({ text, subject }) => [text, subject]))).not.toMatch(
    /Impostor|5512345678/,
  );
});

describe('the code', () => {
  test('is in the email alone: not in the database, not in a job, not in the log', async () => {
    await ask(ana.email);
    const before = await everything();
    await deliver();
    const code = linksOf(await emailsTo(ana.email))[0]!.code;
    await lookUp(ana.email, code);
    await change(ana.id, { code: `${code}x` });
    const during = (await everything()) + shop.logged();
    await change(ana.id, { code });
    const received = before + during + (await everything()) + shop.logged();
    expect(received).toContain(ana.email); // it would be found
    for (const form of ['base64url', 'hex'] as const)
      expect(received).not.toContain(Buffer.from(code, 'base64url').toString(form));
  });

  test('of an email that the provider did not take is replaced by that of the next try', async () => {
    await ask(ana.email);
    const { id } = await shop.db
      .selectFrom('outbox')
      .select('id')
      .where('recipient', '=', ana.email)
      .executeTakeFirstOrThrow();
    const mailer = smtp({ url: 'smtp://127.0.0.1:9', from: shop.settings.mailFrom });
    await expect(deliverEmail({ ...shop.jobs, mailer }, id)).rejects.toThrow('not taken over');
    mailer.close();
    await deliver();
    const [{ code } = { code: '' }] = linksOf(await emailsTo(ana.email));
    expect((await change(ana.id, { code })).status).toBe(200);
  });

  test('of an email that nobody waits for any more is not even made', async () => {
    await ask(ana.email);
    await shop.db
      .updateTable('outbox')
      .set({ created_at: new Date(Date.now() - 31 * 60_000) })
      .where('recipient', '=', ana.email)
      .execute();
    await deliver();
    expect(await emailsTo(ana.email)).toEqual([]);
    const codes = await shop.db
      .selectFrom('password_resets')
      .selectAll()
      .where('buyer_id', '=', ana.id)
      .execute();
    expect(codes).toEqual([]);
  });
});

/** Every row of every table, as text. */
async function everything(): Promise<string> {
  const owner = new pg.Client({ connectionString: shop.ownerUrl });
  await owner.connect();
  try {
    const { rows: tables } = await owner.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('public', 'graphile_worker')`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await owner.query(`select t::text as row from ${name} t`);
      texts.push(...rows.map(({ row }) => row as string));
    }
    return texts.join('\n');
  } finally {
    await owner.end();
  }
}
