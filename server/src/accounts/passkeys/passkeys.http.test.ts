import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeBranch, makeMerchant, makeStaff, type MadeStaff, PASSWORD } from '../../../test/make.ts';
import { softPasskey, type SoftPasskey } from '../../../test/passkey.ts';
import { createLog } from '../../platform/logging.ts';
import { createLimiter } from '../../platform/limiter.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { prune } from '../../back-office/retention/prune.ts';
import { inviteByOperator, revokeByOperator } from '../staff/save-staff.ts';

let server: TestApp;
let merchantId: number;
beforeAll(async () => {
  server = await startTestApp();
  merchantId = await makeMerchant(server.db);
});
afterAll(() => server.close());

const call = (what: string, token?: string, body: unknown = {}, address?: string) =>
  server.ask(`POST /v1/counter/${what}`, { ...(token && { token }), body, ...(address && { address }) });
const list = async (token: string) => (await server.ask('GET /v1/counter/passkeys', { token })).body;
const person = (role: 'owner' | 'accountant' = 'accountant', more: object = {}) =>
  makeStaff(server.db, { merchantId, role, ...more });
const newPasskey = () => softPasskey(server.settings.publicOrigin);

async function options(token: string) {
  return (await call('passkeys/start', token)).body.data;
}

async function added(token: string, name = 'Mi teléfono') {
  const passkey = newPasskey();
  const answer = await call('passkeys', token, { name, credential: passkey.create(await options(token)) });
  expect(answer.body).toMatchObject({ isSuccess: true });
  return { passkey, passkeyId: answer.body.data.passkeyId as string };
}

const asked = async () => (await call('passkeys/sign-in/start')).body.data;
const signIn = async (
  passkey: SoftPasskey,
  otherwise?: Parameters<SoftPasskey['get']>[1],
  more: object = {},
) => call('passkeys/sign-in', undefined, { credential: passkey.get(await asked(), otherwise), ...more });
const isIn = async (token: string) =>
  (await server.ask('GET /v1/counter/branches', { token })).status === 200;

test('an owner adds a passkey, is told by email, and signs in with it without typing anything', async () => {
  const { token, email, positionId } = await person('owner', { name: 'Rosa Luna' });
  const given = await options(token);
  expect(given).toMatchObject({
    rp: { id: 'localhost', name: 'Aparta' },
    user: { name: email, displayName: 'Rosa Luna' },
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const { passkey, passkeyId } = await added(token, ' Teléfono de Rosa ');
  const before = (await list(token)).data;
  expect(before).toMatchObject([{ passkeyId, name: 'Teléfono de Rosa', isSynced: false, usedAt: null }]);
  const mails = await server.db.selectFrom('outbox').select('topic').where('recipient', '=', email).execute();
  expect(mails).toEqual([{ topic: 'staff_passkey_added' }]);

  const signedIn = await signIn(passkey);
  expect(signedIn.body.data).toMatchObject({
    session: { position: { positionId, email, role: 'owner' }, needsPasskey: false, isShared: false },
    merchants: [{ id: merchantId, role: 'owner' }],
  });
  const { token: opened } = signedIn.body.data.session;
  expect((await list(opened)).data[0].usedAt).not.toBeNull();
  // Their next device is not offered the same one again.
  expect((await options(opened)).excludeCredentials).toEqual([
    { id: passkey.id, type: 'public-key', transports: ['internal', 'hybrid'] },
  ]);
  expect((await call(`passkeys/${passkeyId}/rename`, opened, { name: 'Llavero' })).status).toBe(200);
  expect((await list(opened)).data[0].name).toBe('Llavero');
  const acts = await server.db
    .selectFrom('staff_acts')
    .select('act')
    .where('position_id', '=', positionId)
    .orderBy('id')
    .execute();
  expect(acts.map(({ act }) => act)).toEqual(['add_passkey', 'rename_passkey']);
});

test('what a passkey signed is good once, for five minutes, and for what it was asked', async () => {
  const { token } = await person();
  const { passkey } = await added(token);
  const credential = passkey.get(await asked());
  expect((await call('passkeys/sign-in', undefined, { credential })).status).toBe(200);
  // Not even where the counter would allow it.
  await server.db.updateTable('staff_passkeys').set({ counter: 0 }).execute();
  expect((await call('passkeys/sign-in', undefined, { credential })).body.code).toBe('PASSKEY_REFUSED');

  const [toAdd, toSignIn] = [await options(token), await asked()];
  const asSignIn = passkey.get({ ...toSignIn, challenge: toAdd.challenge });
  expect((await call('passkeys/sign-in', undefined, { credential: asSignIn })).body.code).toBe(
    'PASSKEY_REFUSED',
  );
  const another = newPasskey();
  const asNew = another.create({ ...toAdd, challenge: toSignIn.challenge });
  const add = (given: unknown, as = token) => call('passkeys', as, { name: 'Otra', credential: given });
  expect((await add(asNew)).body.code).toBe('PASSKEY_REFUSED');
  // Nor by somebody else, who was never asked.
  expect((await add(another.create(toAdd), (await person()).token)).body.code).toBe('PASSKEY_REFUSED');
  const made = another.create(toAdd);
  expect((await add(made)).status).toBe(200);
  expect((await add(made)).body.code).toBe('PASSKEY_REFUSED');

  const late = passkey.get(await asked());
  await sql`update passkey_challenges set expires_at = app_now() - interval '1 second'`.execute(server.db);
  expect((await call('passkeys/sign-in', undefined, { credential: late })).body.code).toBe('PASSKEY_REFUSED');
});

test('a page that looks like ours, another shop’s domain and a finger that nobody checked open nothing', async () => {
  const { token } = await person();
  const { passkey } = await added(token);
  const stranger = await added((await person()).token);
  for (const otherwise of [
    { origin: 'https://aparta-tienda.example' },
    { rpId: 'aparta-tienda.example' },
    { isVerified: false },
    { type: 'webauthn.create' },
    { userHandle: 'bm9ib2R5' },
    { id: 'bm9ib2R5' },
    // Signed by one passkey in the name of another's person.
    { id: stranger.passkey.id },
    { counter: 1 },
  ])
    expect([otherwise, (await signIn(passkey, otherwise)).body.code]).toEqual([otherwise, 'PASSKEY_REFUSED']);
  expect((await signIn(passkey)).status).toBe(200);
  for (const otherwise of [
    { origin: 'https://aparta-tienda.example' },
    { rpId: 'aparta-tienda.example' },
    { isVerified: false },
    { type: 'webauthn.get' },
  ]) {
    const credential = newPasskey().create(await options(token), otherwise);
    const answer = await call('passkeys', token, { name: 'Otra', credential });
    expect([otherwise, answer.body.code]).toEqual([otherwise, 'PASSKEY_REFUSED']);
  }
  // A passkey is one person's.
  const other = await person();
  const credential = passkey.create(await options(other.token));
  expect((await call('passkeys', other.token, { name: 'Mía', credential })).body.code).toBe(
    'PASSKEY_REFUSED',
  );
});

test('of a passkey and its copy, the one that lags behind is refused', async () => {
  const { passkey } = await added((await person()).token);
  expect((await signIn(passkey, { counter: 40 })).status).toBe(200);
  for (const counter of [40, 39, 0])
    expect((await signIn(passkey, { counter })).body.code).toBe('PASSKEY_REFUSED');
  const [one, two] = [
    passkey.get(await asked(), { counter: 41 }),
    passkey.get(await asked(), { counter: 41 }),
  ];
  const both = await Promise.all(
    [one, two].map((credential) => call('passkeys/sign-in', undefined, { credential })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
});

test('a removed passkey opens nothing and its other sessions end; nobody removes another’s', async () => {
  const { token } = await person();
  const { passkey, passkeyId } = await added(token);
  const elsewhere = (await signIn(passkey)).body.data.session.token;
  const stranger = await person('owner');
  for (const act of ['remove', 'rename'])
    expect((await call(`passkeys/${passkeyId}/${act}`, stranger.token, { name: 'Mía' })).body.code).toBe(
      'NOT_FOUND',
    );
  expect((await call(`passkeys/${passkeyId}/remove`, token)).status).toBe(200);
  expect([await isIn(token), await isIn(elsewhere)]).toEqual([true, false]);
  expect((await signIn(passkey)).body.code).toBe('PASSKEY_REFUSED');
  expect((await call(`passkeys/${passkeyId}/remove`, token)).body.code).toBe('NOT_FOUND');
});

test('a session of an hour ago gives the password again before it adds a passkey', async () => {
  const { token } = await person();
  await sql`update staff_sessions set created_at = created_at - interval '11 minutes'`.execute(server.db);
  expect((await call('passkeys/start', token)).body.code).toBe('PASSWORD_NEEDED');
  expect((await call('passkeys/start', token, { password: 'otra' })).body.code).toBe('WRONG_PASSWORD');
  expect((await call('passkeys/start', token, { password: PASSWORD })).status).toBe(200);
});

test('who works for two merchants chooses with the same touch, and gets in nowhere else', async () => {
  const other = await makeMerchant(server.db);
  const { token, email } = await person('owner');
  await makeStaff(server.db, { merchantId: other, role: 'accountant', email });
  const { passkey } = await added(token);
  const credential = passkey.get(await asked());
  const at = (id?: number) =>
    call('passkeys/sign-in', undefined, { credential, ...(id && { merchantId: id }) });
  expect((await at()).body.data).toMatchObject({
    session: null,
    merchants: [{ id: merchantId }, { id: other }],
  });
  expect((await at(await makeMerchant(server.db))).body.code).toBe('PASSKEY_REFUSED');
  expect((await at(other)).body.data.session).toMatchObject({ merchant: { id: other } });
  expect((await at(merchantId)).body.code).toBe('PASSKEY_REFUSED');

  await transaction(server.db, async (tx) => {
    for (const id of [merchantId, other]) await revokeByOperator(tx, id, email);
  });
  expect((await signIn(passkey)).body.code).toBe('PASSKEY_REFUSED');
  // Who left leaves nothing to get in by, and an old challenge is let go.
  await asked();
  await sql`update passkey_challenges set expires_at = app_now() - interval '1 second'`.execute(server.db);
  await prune(server.jobs.db, createLog('silent'));
  const keys = await server.db.selectFrom('staff_passkeys').select('credential_id as id').execute();
  expect(keys).not.toContainEqual({ id: passkey.id });
  expect(keys).not.toEqual([]);
  expect(await server.db.selectFrom('passkey_challenges').select('staff_id').execute()).toEqual([]);
});

test('wrong passwords of strangers keep nobody from their passkey, and wrong passkeys are slowed down', async () => {
  const { token, email } = await person();
  const { passkey } = await added(token);
  const limiter = createLimiter(server.db);
  for (let n = 0; n <= 50; n += 1) await limiter.count('sign-in-account', email, 900);
  expect((await call('sign-in', undefined, { email, password: PASSWORD }, '192.0.2.9')).body.code).toBe(
    'TOO_MANY',
  );
  expect((await signIn(passkey)).status).toBe(200);
  const other = await added((await person()).token);
  const codes = [];
  for (let n = 0; n <= 10; n += 1) codes.push((await signIn(other.passkey, { counter: 1 })).body.code);
  expect([codes[9], codes[10]]).toEqual(['PASSKEY_REFUSED', 'TOO_MANY']);
  const starts = [];
  for (let n = 0; n <= 120; n += 1)
    starts.push((await call('passkeys/sign-in/start', undefined, {}, '203.0.113.200')).body.code);
  expect([starts[119], starts[120]]).toEqual([undefined, 'TOO_MANY']);
});

test('a person keeps twenty passkeys', async () => {
  const { token } = await person();
  const { passkeyId } = await added(token);
  const late = await options(token);
  await sql`
    insert into staff_passkeys (staff_id, credential_id, public_key, counter, name, backed_up)
    select staff_id, credential_id || n, public_key, 0, name, true from staff_passkeys, generate_series(1, 19) n
    where id = ${passkeyId}`.execute(server.db);
  expect((await call('passkeys/start', token)).body.code).toBe('PASSKEYS_FULL');
  const credential = newPasskey().create(late);
  expect((await call('passkeys', token, { name: 'Otra', credential })).body.code).toBe('PASSKEYS_FULL');
});

const demand = (token: string, ownersNeedPasskey = true) => call('owner-rule', token, { ownersNeedPasskey });

/** A merchant of its own with an owner who has a passkey. */
async function demanding(): Promise<{
  shop: number;
  rosa: MadeStaff;
  passkey: SoftPasskey;
  passkeyId: string;
}> {
  const shop = await makeMerchant(server.db);
  const rosa = await makeStaff(server.db, { merchantId: shop, role: 'owner' });
  return { shop, rosa, ...(await added(rosa.token)) };
}

test('when owners need a passkey, one with a password alone adds the first one and does nothing else', async () => {
  const { shop, rosa, passkey, passkeyId } = await demanding();
  const [eva, cashier] = [
    await makeStaff(server.db, { merchantId: shop, role: 'owner' }),
    await makeStaff(server.db, {
      merchantId: shop,
      role: 'cashier',
      branchIds: [await makeBranch(server.db, shop)],
    }),
  ];
  expect((await demand(eva.token)).body.code).toBe('PASSKEY_FIRST'); // without one
  expect((await demand(rosa.token)).status).toBe(200);
  expect((await demand(rosa.token)).status).toBe(200);

  // At the next call of the session that is open.
  const staff = (token: string) => server.ask('GET /v1/counter/staff', { token });
  expect((await staff(eva.token)).body.code).toBe('PASSKEY_NEEDED');
  expect((await list(eva.token)).code).toBe('PASSKEY_NEEDED');
  expect([await isIn(rosa.token), await isIn(cashier.token)]).toEqual([true, true]);
  const again = await call('sign-in', undefined, { email: eva.email, password: PASSWORD });
  expect(again.body.data.session).toMatchObject({ needsPasskey: true });
  const hers = again.body.data.session.token;
  await added(hers);
  expect((await staff(hers)).body.data.ownersNeedPasskey).toBe(true);

  // Who has one signs in with it: a password adds no second one.
  expect((await call('passkeys/start', eva.token)).body.code).toBe('PASSKEY_NEEDED');
  expect((await staff(eva.token)).body.code).toBe('PASSKEY_NEEDED');
  expect((await call('sign-out', eva.token)).status).toBe(200);
  expect((await signIn(passkey)).body.data.session.needsPasskey).toBe(false);
  expect((await call(`passkeys/${passkeyId}/remove`, rosa.token)).body.code).toBe('LAST_PASSKEY');

  expect((await demand(hers, false)).status).toBe(200);
  expect((await staff(hers)).body.data.ownersNeedPasskey).toBe(false);
  expect((await call(`passkeys/${passkeyId}/remove`, rosa.token)).status).toBe(200);
  const acts = await server.db
    .selectFrom('staff_acts')
    .select(['act', 'position_id'])
    .where('merchant_id', '=', shop)
    .where('act', 'like', '%go_passkey')
    .execute();
  expect(acts).toEqual([{ act: 'forgo_passkey', position_id: eva.positionId }]);
});

test('a password alone touches no passkey of an owner of whom one is asked, at another merchant either', async () => {
  const { shop, rosa, passkey, passkeyId } = await demanding();
  expect((await demand(rosa.token)).status).toBe(200);
  const other = await makeMerchant(server.db);
  const there = await makeStaff(server.db, { merchantId: other, role: 'accountant', email: rosa.email });
  const refused = async (what: string, body: object = {}) => (await call(what, there.token, body)).body.code;
  expect(await refused('passkeys/start', { password: PASSWORD })).toBe('PASSKEY_NEEDED');
  const credential = newPasskey().create(await options(rosa.token));
  expect(await refused('passkeys', { name: 'Otra', credential })).toBe('PASSKEY_NEEDED');
  expect(await refused(`passkeys/${passkeyId}/rename`, { name: 'Otra' })).toBe('PASSKEY_NEEDED');
  // Not even one of several.
  await added(rosa.token, 'Llavero');
  expect(await refused(`passkeys/${passkeyId}/remove`)).toBe('PASSKEY_NEEDED');
  expect((await list(there.token)).data).toMatchObject([{ name: 'Mi teléfono' }, { name: 'Llavero' }]);

  // With the passkey that is done there too.
  const shown = (await signIn(passkey, undefined, { merchantId: other })).body.data.session.token;
  await added(shown);
  expect((await call(`passkeys/${passkeyId}/rename`, shown, { name: 'Viejo' })).status).toBe(200);
  expect((await call(`passkeys/${passkeyId}/remove`, shown)).status).toBe(200);
  // Where nobody asks for one, a password does; and whoever has none adds the first.
  await server.db.deleteFrom('owner_passkey_rules').where('merchant_id', '=', shop).execute();
  await added(there.token);
});

const NEW_PASSWORD = 'la-clave-de-la-victima-7';
const codeOf = (link: string) => link.split('#code=')[1] ?? '';
const accept = (link: string, password = PASSWORD) =>
  call('invitations/accept', undefined, { token: codeOf(link), password });
const resetByMail = async (email: string, password = NEW_PASSWORD) => {
  const code = codeOf((await server.jobs.staffResetLink(email))!);
  expect((await call('password/reset', undefined, { code, password })).status).toBe(200);
};

/** A shop whose owner invites this address, as accountant, and is shown the link; the mailbox has another. */
async function inviting(email: string): Promise<{ shown: string; mailed: string }> {
  const shop = await makeMerchant(server.db);
  const { token } = await makeStaff(server.db, { merchantId: shop, role: 'owner' });
  const { data } = (await call('invitations', token, { email, name: 'Eva', role: 'accountant' })).body;
  return { shown: data.link, mailed: (await server.jobs.staffInvitation(shop, email))!.link };
}

test('who accepted for another by a link that was shown is out for good once the address’s owner resets the password', async () => {
  const email = 'victima@example.mx';
  const squatted = (await accept((await inviting(email)).shown)).body.data.token;
  const { passkey: strange } = await added(squatted);
  const byPasskey = (await signIn(strange)).body.data.session.token;

  const { link } = await transaction(server.db, (tx) =>
    inviteByOperator(tx, '', { merchantId, email, name: 'Eva', role: 'owner', branchIds: [] }),
  );
  await resetByMail(email);
  const { token } = (await accept(link, NEW_PASSWORD)).body.data;
  expect((await signIn(strange, undefined, { merchantId })).body.code).toBe('PASSKEY_REFUSED');
  expect([await isIn(squatted), await isIn(byPasskey), await isIn(token)]).toEqual([false, false, true]);
  expect((await list(token)).data).toEqual([]);

  // From then on the account is its owner’s: whoever gets at the mailbox replaces no passkey.
  const { passkey } = await added(token);
  await resetByMail(email, 'otra-clave-larga-8');
  expect((await signIn(passkey, undefined, { merchantId })).status).toBe(200);
});

test('who came by the link of their email keeps their passkey when they reset the password', async () => {
  const email = 'llego-por-correo@example.mx';
  const { passkey } = await added((await accept((await inviting(email)).mailed)).body.data.token);
  await resetByMail(email);
  expect((await signIn(passkey)).status).toBe(200);

  // An account from before is confirmed by such a link too, unless somebody may have left a passkey there.
  const [before, squatted] = [await person(), await person()];
  const { passkey: left } = await added(squatted.token);
  for (const known of [before, squatted])
    expect((await accept((await inviting(known.email)).mailed)).status).toBe(200);
  const { passkey: own } = await added(before.token);
  for (const known of [before, squatted]) await resetByMail(known.email);
  const at = { merchantId };
  expect((await signIn(own, undefined, at)).status).toBe(200);
  expect((await signIn(left, undefined, at)).body.code).toBe('PASSKEY_REFUSED');
});

test('a reset that ends a session at the moment in which it adds a passkey leaves none behind', async () => {
  const { token, positionId } = await person();
  const credential = newPasskey().create(await options(token));
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const { adding } = await transaction(server.db, async (tx) => {
    await tx.deleteFrom('staff_sessions').where('position_id', '=', positionId).execute();
    const answer = call('passkeys', token, { name: 'Tarde', credential });
    await expect.poll(async () => (await waiting.execute(server.db)).rows.length).toBe(1);
    return { adding: answer };
  });
  expect((await adding).body.code).toBe('SESSION_DEAD');
});
