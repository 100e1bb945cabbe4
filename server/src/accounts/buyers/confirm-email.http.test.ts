import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { makeBuyer, PASSWORD, type MadeBuyer } from '../../../test/make.ts';
import { mailsTo } from '../../../test/mailbox.ts';
import { openShop, type Shop } from '../../../test/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const mailbox = (email: string) => mailsTo(shop, email);

const codeIn = (email: { text: string } | undefined) =>
  email?.text.match(
    new RegExp(`^${shop.settings.publicOrigin}/confirmarCorreo#code=([\\w-]{22})$`, 'm'),
  )?.[1];
const confirm = (code: unknown) => shop.ask('POST /v1/SecurityBuyer/ConfirmEmailAsync', { body: { code } });
const again = ({ token }: MadeBuyer) => shop.ask('POST /v1/SecurityBuyer/SendConfirmationAsync', { token });
const isConfirmed = async ({ id, token }: MadeBuyer) =>
  (await shop.ask(`GET /v1/SecurityBuyer/GetAsync/${id}`, { token })).body.data.emailConfirmed;
const DEAD = { status: 422, body: { code: 'CONFIRMATION_DEAD' } };

async function unconfirmed(): Promise<MadeBuyer & { code: string }> {
  const buyer = await makeBuyer(shop.db, { isConfirmed: false });
  expect((await again(buyer)).status).toBe(200);
  return { ...buyer, code: codeIn((await mailbox(buyer.email)).at(-1)) ?? '' };
}

test('who opens an account gets a welcome with a link, which confirms their email address once', async () => {
  const user = 'Nueva@Example.mx';
  const { body } = await shop.ask('POST /v1/SecurityBuyer/InsertAsync', {
    body: { user, password: PASSWORD },
  });
  const signedIn = await shop.ask('POST /v1/TokenBuyer/Authenticate', { body: { user, password: PASSWORD } });
  expect(signedIn.body.data.emailConfirmed).toBe(false);
  const buyer = { id: body.data.id, email: 'nueva@example.mx', token: signedIn.body.data.token };
  const [welcome, ...others] = await mailbox(buyer.email);
  expect([welcome?.subject, others]).toEqual(['Te damos la bienvenida a Aparta', []]);
  const code = codeIn(welcome);
  expect(await confirm(code)).toMatchObject({ status: 200, body: { data: null } });
  expect(await isConfirmed(buyer)).toBe(true);
  expect(await confirm(code)).toMatchObject(DEAD);
  // Only its hash was kept, and nothing of it is in a log or a queue.
  const rows = await shop.db.selectFrom('email_confirmations').selectAll().execute();
  expect(rows).toEqual([]);
  expect(shop.logged()).not.toContain(code);
  // Nobody waits for another email now.
  expect((await again(buyer)).status).toBe(200);
  expect(await mailbox(buyer.email)).toHaveLength(1);
});

describe('a code that does not confirm', () => {
  test('an empty, odd, guessed or over-long one', async () => {
    const buyer = await unconfirmed();
    for (const code of ['', undefined, 7, 'x'.repeat(101)])
      expect((await confirm(code)).body.code).toBe('INVALID_INPUT');
    for (const code of [
      'x',
      buyer.code.toLowerCase(),
      `${buyer.code} `,
      '%',
      '\u0000',
      buyer.code.slice(0, -1),
    ])
      expect(await confirm(code)).toMatchObject(DEAD);
    expect(await isConfirmed(buyer)).toBe(false);
  });

  test('an older email’s, when a newer one was sent', async () => {
    const buyer = await unconfirmed();
    await again(buyer);
    const newer = codeIn((await mailbox(buyer.email)).at(-1));
    expect(await confirm(buyer.code)).toMatchObject(DEAD);
    expect((await confirm(newer)).status).toBe(200);
  });

  test('one of eight days ago', async () => {
    const buyer = await unconfirmed();
    await shop.db
      .updateTable('email_confirmations')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('buyer_id', '=', buyer.id)
      .execute();
    expect(await confirm(buyer.code)).toMatchObject(DEAD);
    expect(await isConfirmed(buyer)).toBe(false);
  });

  test('of two taps at once, one confirms', async () => {
    const buyer = await unconfirmed();
    const answers = await Promise.all([confirm(buyer.code), confirm(buyer.code)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test('guessing is slowed down, emails are rationed', async () => {
    const buyer = await unconfirmed();
    for (let tries = 0; tries < 40; tries += 1) await confirm(`guess-${tries}`);
    expect((await confirm('guess')).status).toBe(429);
    const answers = [await again(buyer), await again(buyer), await again(buyer)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  });
});

test('who changes their password by email has read it: their email address is confirmed, and since the first time', async () => {
  const buyer = await makeBuyer(shop.db, { isConfirmed: false });
  const confirmedAt = async (password: string) => {
    await shop.ask('POST /v1/Notifications/SendResetPasswordBuyerEmail', { body: { email: buyer.email } });
    const code = /#code=([\w-]+)/.exec((await mailbox(buyer.email)).at(-1)?.text ?? '')?.[1];
    const body = { code, password };
    expect((await shop.ask(`PUT /v1/SecurityBuyer/UpdateAsync/${buyer.id}`, { body })).status).toBe(200);
    const row = await shop.db
      .selectFrom('buyers')
      .select('email_confirmed_at')
      .where('id', '=', buyer.id)
      .executeTakeFirstOrThrow();
    return row.email_confirmed_at;
  };
  const first = await confirmedAt('otra-clave-larga-8');
  expect(first).toEqual(expect.any(Date));
  expect(await confirmedAt('otra-clave-larga-9')).toEqual(first);
});
