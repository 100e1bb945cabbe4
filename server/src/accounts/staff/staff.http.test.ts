import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeBranch, makeDevice, makeMerchant, makeStaff, PASSWORD, signInOn } from '../../../test/make.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { inviteByOperator, revokeByOperator } from './save-staff.ts';

let server: TestApp;
let merchantId: number;
let branchId: number;
beforeAll(async () => {
  server = await startTestApp();
  merchantId = await makeMerchant(server.db);
  branchId = await makeBranch(server.db, merchantId, 'Centro');
});
afterAll(() => server.close());

const codeOf = (link: string) => link.split('#code=')[1] ?? '';
const call = (what: string, token: string, body?: unknown) =>
  server.ask(`POST /v1/counter/${what}`, { token, ...(body === undefined ? {} : { body }) });
const signIn = (email: string, more: object = {}) =>
  server.ask('POST /v1/counter/sign-in', { body: { email, password: PASSWORD, ...more } });
const accept = (link: string, password = PASSWORD) =>
  server.ask('POST /v1/counter/invitations/accept', { body: { token: codeOf(link), password } });

async function invited(owner: string, given: object): Promise<string> {
  const answer = await call('invitations', owner, { name: 'Ana', ...given });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data.link;
}

test('the first owner comes by the operator’s link, chooses a password, and invites a cashier, who signs in', async () => {
  const { link } = await transaction(server.db, async (tx) => {
    const email = 'rosa@example.mx';
    const made = { merchantId, email, name: 'Rosa Luna', role: 'owner', branchIds: [] } as const;
    return inviteByOperator(tx, 'https://tienda.example', made);
  });
  expect(link).toMatch(/^https:\/\/tienda\.example\/mostrador\/invitacion#code=[\w-]{43}$/);
  const shown = await server.ask('POST /v1/counter/invitations/read', { body: { token: codeOf(link) } });
  expect(shown.body.data).toMatchObject({
    email: 'rosa@example.mx',
    name: 'Rosa Luna',
    role: 'owner',
    tradeName: 'Muebles del Centro',
    branches: [],
    hasAccount: false,
  });
  for (const [password, code] of [
    ['corta', 'PASSWORD_TOO_SHORT'],
    ['x'.repeat(129), 'PASSWORD_TOO_LONG'],
    ['password', 'PASSWORD_TOO_COMMON'],
  ] as const)
    expect((await accept(link, password)).body.code).toBe(code);
  const rosa = await accept(link);
  expect(rosa.body.data).toMatchObject({
    position: { name: 'Rosa Luna', email: 'rosa@example.mx', role: 'owner' },
    merchant: { id: merchantId, tradeName: 'Muebles del Centro' },
    branches: [{ id: branchId, name: 'Centro' }],
  });
  expect((await accept(link)).body.code).toBe('INVITATION_DEAD');

  const { token } = rosa.body.data;
  const toLuis = await invited(token, { email: 'Luis@Example.mx', role: 'cashier', branchIds: [branchId] });
  const newer = await invited(token, { email: 'luis@example.mx', role: 'cashier', branchIds: [branchId] });
  expect((await accept(toLuis)).body.code).toBe('INVITATION_DEAD'); // the newer one replaced it
  const luis = await accept(newer);
  expect(luis.body.data.branches).toMatchObject([{ id: branchId, name: 'Centro' }]);
  expect(
    (await call('invitations', token, { email: 'luis@example.mx', name: 'L', role: 'owner' })).body.code,
  ).toBe('STAFF_EXISTS');

  const again = await signIn('luis@example.mx');
  expect(again.body.data).toMatchObject({
    session: { position: { role: 'cashier' } },
    merchants: [{ id: merchantId, role: 'cashier' }],
  });
  const staff = await server.ask('GET /v1/counter/staff', { token });
  expect(staff.body.data.staff).toMatchObject([
    { email: 'rosa@example.mx', role: 'owner', isYou: true },
    { email: 'luis@example.mx', role: 'cashier', branches: [{ id: branchId }], isYou: false },
  ]);
  const acts = await server.db.selectFrom('staff_acts').select(['act', 'subject_id']).orderBy('id').execute();
  expect(acts).toEqual([
    { act: 'accept_invitation', subject_id: 'rosa@example.mx' },
    { act: 'invite_staff', subject_id: 'luis@example.mx' },
    { act: 'invite_staff', subject_id: 'luis@example.mx' },
    { act: 'accept_invitation', subject_id: 'luis@example.mx' },
  ]);
});

test('who works for two merchants chooses one, and is at the other what they are there', async () => {
  const other = await makeMerchant(server.db);
  const email = 'dos@example.mx';
  await makeStaff(server.db, { merchantId, role: 'cashier', branchIds: [branchId], email });
  await makeStaff(server.db, { merchantId: other, role: 'accountant', email });
  const asked = await signIn(email);
  expect(asked.body.data).toEqual({
    session: null,
    merchants: [
      { id: merchantId, tradeName: 'Muebles del Centro', role: 'cashier' },
      { id: other, tradeName: 'Muebles del Centro', role: 'accountant' },
    ],
  });
  const chosen = await signIn(email, { merchantId: other });
  expect(chosen.body.data.session).toMatchObject({
    merchant: { id: other },
    position: { role: 'accountant' },
  });
  const strange = await signIn(email, { merchantId: await makeMerchant(server.db) });
  expect(strange.body.code).toBe('WRONG_CREDENTIALS');
});

test('a link takes over nobody’s account: who has one accepts with the password that they have', async () => {
  const other = await makeMerchant(server.db);
  const { token } = await makeStaff(server.db, { merchantId: other, role: 'owner' });
  const known = await makeStaff(server.db, { merchantId, role: 'accountant' });
  const link = await invited(token, { email: known.email, role: 'accountant' });
  const shown = await server.ask('POST /v1/counter/invitations/read', { body: { token: codeOf(link) } });
  expect(shown.body.data.hasAccount).toBe(true);
  expect((await accept(link, 'otra-clave-larga-8')).body.code).toBe('WRONG_CREDENTIALS');
  expect((await accept(link)).body.data.merchant.id).toBe(other);
  const eva = await invited(token, { email: 'eva-dos@example.mx', role: 'accountant' });
  await makeStaff(server.db, { merchantId: other, role: 'owner', email: 'eva-dos@example.mx' });
  expect((await accept(eva)).body.code).toBe('STAFF_EXISTS');
  expect((await signIn(known.email, { merchantId })).status).toBe(200);
});

test('who is revoked is out at their next call, with whom they invited and has not come yet', async () => {
  const here = await makeMerchant(server.db);
  const branch = await makeBranch(server.db, here);
  const owner = await makeStaff(server.db, { merchantId: here, role: 'owner' });
  const second = await makeStaff(server.db, { merchantId: here, role: 'owner' });
  const cashier = await makeStaff(server.db, { merchantId: here, role: 'cashier', branchIds: [branch] });
  const branchesOf = (token: string) => server.ask('GET /v1/counter/branches', { token });
  expect((await branchesOf(cashier.token)).body.data).toHaveLength(1);

  const link = await invited(second.token, { email: 'eva@example.mx', role: 'accountant' });
  const revoke = (positionId: string) => call(`staff/${positionId}/revoke`, owner.token);
  expect((await revoke(cashier.positionId)).status).toBe(200);
  expect((await branchesOf(cashier.token)).status).toBe(401);
  expect((await signIn(cashier.email)).body.code).toBe('WRONG_CREDENTIALS');
  expect((await revoke(cashier.positionId)).body.code).toBe('NOT_FOUND');

  expect((await revoke(second.positionId)).status).toBe(200);
  expect((await accept(link)).body.code).toBe('INVITATION_DEAD');
  expect((await revoke(owner.positionId)).body.code).toBe('LAST_OWNER');
});

test('a branch that closes is out at the next call', async () => {
  const here = await makeMerchant(server.db);
  const [one, two] = [await makeBranch(server.db, here, 'Norte'), await makeBranch(server.db, here, 'Sur')];
  const cashier = await makeStaff(server.db, { merchantId: here, role: 'cashier', branchIds: [one] });
  const owner = await makeStaff(server.db, { merchantId: here, role: 'owner' });
  await server.db
    .updateTable('branches')
    .set({ closed_at: sql`app_now()` })
    .where('id', '=', one)
    .execute();
  const [his, hers] = [
    await server.ask('GET /v1/counter/branches', { token: cashier.token }),
    await server.ask('GET /v1/counter/branches', { token: owner.token }),
  ];
  expect([his.body.data, hers.body.data]).toMatchObject([[], [{ id: two }]]);
});

test('an owner withdraws an invitation that is open, and invites anew who never came', async () => {
  const here = await makeMerchant(server.db);
  const { token } = await makeStaff(server.db, { merchantId: here, role: 'owner' });
  const email = 'nadie-vino@example.mx';
  const withdraw = (as = token) => call('invitations/withdraw', as, { email: ' Nadie-Vino@example.mx' });
  const first = await invited(token, { email, role: 'owner' });
  const stranger = await makeStaff(server.db, { merchantId, role: 'owner' });
  expect((await withdraw(stranger.token)).body.code).toBe('NOT_FOUND');
  expect((await withdraw()).status).toBe(200);
  expect((await accept(first)).body.code).toBe('INVITATION_DEAD');
  expect((await withdraw()).body.code).toBe('NOT_FOUND');
  // The next one was left lying past its week.
  await invited(token, { email, role: 'owner' });
  await server.db
    .updateTable('staff_invitations')
    .set({ expires_at: sql`app_now() - interval '8 days'` })
    .where('email', '=', email)
    .execute();
  const anew = await invited(token, { email, role: 'accountant' });
  expect((await accept(anew)).body.data.position).toMatchObject({ email, role: 'accountant' });
});

test('nobody is invited to a branch of another merchant, nor as a cashier of none', async () => {
  const { token } = await makeStaff(server.db, { merchantId, role: 'owner' });
  const strange = await makeBranch(server.db, await makeMerchant(server.db));
  const invite = (role: string, branchIds: number[]) =>
    call('invitations', token, { email: 'alguien@example.mx', name: 'Alguien', role, branchIds });
  expect((await invite('cashier', [strange])).body.code).toBe('NOT_FOUND');
  expect((await invite('manager', [])).body.code).toBe('INVALID_INPUT');
  expect((await invite('owner', [branchId])).body.code).toBe('INVALID_INPUT');
});

test('nobody is invited by a name that an email would make a link of', async () => {
  const { token } = await makeStaff(server.db, { merchantId, role: 'owner' });
  const person = { email: 'enlace@example.mx', role: 'owner' };
  const { body } = await call('invitations', token, { ...person, name: 'Gana en evil.com' });
  expect(body).toMatchObject({ code: 'INVALID_INPUT', fields: { name: 'a web address' } });
  await invited(token, { ...person, name: 'Sr. Díaz' });
});

test('a session ends with its sign-out, an invitation after its week, and wrong codes are counted', async () => {
  const { token } = await makeStaff(server.db, { merchantId, role: 'owner' });
  const link = await invited(token, { email: 'tarde@example.mx', role: 'accountant' });
  await server.db
    .updateTable('staff_invitations')
    .set({ expires_at: sql`app_now() - interval '1 second'` })
    .where('email', '=', 'tarde@example.mx')
    .execute();
  expect((await accept(link)).body.code).toBe('INVITATION_DEAD');
  expect((await call('sign-out', token)).status).toBe(200);
  expect((await call('sign-out', token)).status).toBe(401);
  const guess = () =>
    server.ask('POST /v1/counter/invitations/read', { body: { token: 'x' }, address: '203.0.113.9' });
  const answers = [];
  for (let n = 0; n <= 30; n += 1) answers.push((await guess()).body.code);
  expect([answers[29], answers[30]]).toEqual(['INVITATION_DEAD', 'TOO_MANY']);
  const late = await server.ask('POST /v1/counter/invitations/accept', {
    body: { token: 'x', password: PASSWORD },
    address: '203.0.113.9',
  });
  expect(late.body.code).toBe('TOO_MANY');
});

test('wrong passwords of staff are slowed down as a buyer’s are', async () => {
  const { email } = await makeStaff(server.db, { merchantId, role: 'accountant' });
  const codes = [];
  for (let n = 0; n <= 10; n += 1)
    codes.push((await server.ask('POST /v1/counter/sign-in', { body: { email, password: 'no' } })).body.code);
  expect([codes[9], codes[10]]).toEqual(['WRONG_CREDENTIALS', 'TOO_MANY']);
});

test('nobody is told whether an account exists', async () => {
  const unknown = await server.ask('POST /v1/counter/sign-in', {
    body: { email: 'nadie@example.mx', password: 'x' },
  });
  expect(unknown.body.code).toBe('WRONG_CREDENTIALS');
});

const forgot = (email: string, address = '198.51.100.7') =>
  server.ask('POST /v1/counter/password/forgot', { body: { email }, address });
const reset = (code: string, password = 'otra-clave-larga-8', address = '198.51.100.7') =>
  server.ask('POST /v1/counter/password/reset', { body: { code, password }, address });
const resetCode = async (email: string) => codeOf((await server.jobs.staffResetLink(email))!);
const mails = (recipient: string) =>
  server.db.selectFrom('outbox').select('topic').where('recipient', '=', recipient).execute();

test('who forgot their password sets another by the link of the email, once, and is out everywhere, PIN included', async () => {
  const eva = await makeStaff(server.db, { merchantId, role: 'cashier', branchIds: [branchId] });
  await signInOn(server.db, await makeDevice(server.db, { merchantId, branchId }), eva.positionId);
  expect((await forgot(` ${eva.email.toUpperCase()} `)).status).toBe(200);
  expect(await mails(eva.email)).toEqual([{ topic: 'staff_password_reset' }]);
  const [code, older] = [await resetCode(eva.email), await resetCode(eva.email)];
  for (const [password, refusal] of [
    ['corta', 'PASSWORD_TOO_SHORT'],
    ['password1', 'PASSWORD_TOO_COMMON'],
    ['x9'.repeat(65), 'PASSWORD_TOO_LONG'],
  ] as const)
    expect((await reset(code, password)).body.code).toBe(refusal);
  expect((await reset(code)).status).toBe(200);
  expect([(await reset(code)).body.code, (await reset(older)).body.code]).toEqual([
    'RESET_CODE_DEAD',
    'RESET_CODE_DEAD',
  ]);
  expect((await signIn(eva.email)).body.code).toBe('WRONG_CREDENTIALS');
  expect((await signIn(eva.email, { password: 'otra-clave-larga-8' })).status).toBe(200);
  const { rows } = await sql<{ left: number }>`
    select count(*)::int as left from staff_positions p join staff s on s.id = p.staff_id
    left join staff_sessions i on i.position_id = p.id left join staff_pins n on n.staff_id = s.id
    where s.email = ${eva.email} and (i.device_id is not null or n.pin_hash is not null)`.execute(server.db);
  expect(rows).toEqual([{ left: 0 }]);
  expect((await call('sign-out', eva.token)).body.code).toBe('SESSION_DEAD');
  expect(await mails(eva.email)).toContainEqual({ topic: 'staff_password_changed' });
});

test('a reset is told alike for any address, sent twice in half an hour, and to nobody who works nowhere', async () => {
  const gone = await makeStaff(server.db, { merchantId, role: 'accountant' });
  await transaction(server.db, (tx) => revokeByOperator(tx, merchantId, gone.email));
  expect(await server.jobs.staffResetLink(gone.email)).toBeUndefined();
  expect(await server.jobs.staffResetLink('nadie-aqui@example.mx')).toBeUndefined();
  const { token } = await makeStaff(server.db, { merchantId, role: 'owner' });
  await invited(token, { email: gone.email, role: 'accountant' });
  expect(await server.jobs.staffResetLink(gone.email)).toMatch(/\/mostrador\/contrasena#code=[\w-]{43}$/);
  for (const email of [gone.email, 'nadie-aqui@example.mx']) {
    const answers = [await forgot(email), await forgot(email), await forgot(email)];
    expect(answers.map(({ body }) => body)).toEqual(
      Array(3).fill({ isSuccess: true, message: '', data: null }),
    );
    expect((await mails(email)).filter(({ topic }) => topic === 'staff_password_reset')).toHaveLength(2);
  }
  const [asked, guessed] = [[], []] as [unknown[], unknown[]];
  for (let n = 0; n <= 30; n += 1) {
    asked.push((await forgot(`n${n}@example.mx`, '203.0.113.77')).body.code);
    guessed.push((await reset('x', PASSWORD, '203.0.113.78')).body.code);
  }
  expect([asked[29], asked[30], guessed[29], guessed[30]]).toEqual([
    undefined,
    'TOO_MANY',
    'RESET_CODE_DEAD',
    'TOO_MANY',
  ]);
});

test('a changed password ends every other session of the person, at all their merchants', async () => {
  const email = 'cambia@example.mx';
  const here = await makeStaff(server.db, { merchantId, role: 'owner', email });
  const there = await makeStaff(server.db, {
    merchantId: await makeMerchant(server.db),
    role: 'accountant',
    email,
  });
  const change = (current: string) =>
    call('password', here.token, { current, password: 'otra-clave-larga-8' });
  expect(await change('otra')).toMatchObject({ status: 422, body: { code: 'WRONG_PASSWORD' } });
  for (const [password, refusal] of [
    ['corta', 'PASSWORD_TOO_SHORT'],
    ['password1', 'PASSWORD_TOO_COMMON'],
    ['x9'.repeat(65), 'PASSWORD_TOO_LONG'],
  ])
    expect((await call('password', here.token, { current: PASSWORD, password })).body.code).toBe(refusal);
  expect((await change(PASSWORD)).status).toBe(200);
  const alive = async (token: string) =>
    (await server.ask('GET /v1/counter/branches', { token })).status === 200;
  expect([await alive(here.token), await alive(there.token)]).toEqual([true, false]);
});

test('a reset link that was mailed before the password was changed does not undo the change', async () => {
  const { token, email } = await makeStaff(server.db, { merchantId, role: 'accountant' });
  const code = await resetCode(email);
  const changed = { current: PASSWORD, password: 'otra-clave-larga-8' };
  expect((await call('password', token, changed)).status).toBe(200);
  expect((await reset(code, 'la-de-un-extrano-9')).body.code).toBe('RESET_CODE_DEAD');
  expect((await signIn(email, { password: changed.password })).status).toBe(200);
});

test('a changed role is another position: its person signs in again, as what they are then, and is still known by what they were', async () => {
  const owner = await makeStaff(server.db, { merchantId, role: 'owner' });
  const luis = await makeStaff(server.db, { merchantId, role: 'cashier', branchIds: [branchId] });
  const change = (positionId: string, body: object, token = owner.token) =>
    call(`staff/${positionId}/change`, token, body);
  for (const [body, refusal] of [
    [{ role: 'manager', branchIds: [] }, 'INVALID_INPUT'],
    [{ role: 'manager', branchIds: [branchId, 999_999] }, 'NOT_FOUND'],
  ] as const)
    expect((await change(luis.positionId, body)).body.code).toBe(refusal);
  const changed = await change(luis.positionId, { role: 'manager', branchIds: [branchId] });
  expect((await call('sign-out', luis.token)).body.code).toBe('SESSION_DEAD');
  expect((await signIn(luis.email)).body.data.session.position).toMatchObject({
    positionId: changed.body.data.positionId,
    formerIds: [luis.positionId],
    role: 'manager',
  });
  expect((await change(luis.positionId, { role: 'owner' })).body.code).toBe('NOT_FOUND'); // that one is over
  const alone = await makeMerchant(server.db);
  const sole = await makeStaff(server.db, { merchantId: alone, role: 'owner' });
  expect((await change(sole.positionId, { role: 'accountant' }, sole.token)).body.code).toBe('LAST_OWNER');
});

test('people see where they are signed in and end it; an owner sees and ends anybody’s of the merchant', async () => {
  const { email, positionId } = await makeStaff(server.db, { merchantId, role: 'accountant' });
  const owner = await makeStaff(server.db, { merchantId, role: 'owner' });
  const headers = { 'user-agent': 'Firefox \u00e9' };
  const body = { email, password: PASSWORD };
  const { token } = (await server.ask('POST /v1/counter/sign-in', { headers, body })).body.data.session;
  const list = async () => (await server.ask('GET /v1/counter/sessions', { token })).body.data;
  const [newest, first, ...others] = await list();
  expect(others).toEqual([]);
  expect([newest, first]).toMatchObject([
    { browser: 'Firefox ', device: null, isThis: true },
    { isThis: false },
  ]);
  expect((await call(`sessions/${first.id}/end`, token)).status).toBe(200);
  expect((await call(`sessions/${first.id}/end`, token)).body.code).toBe('NOT_FOUND');
  expect((await call(`sessions/${newest.id}/end`, owner.token)).body.code).toBe('NOT_FOUND'); // not theirs
  const seen = await server.ask(`GET /v1/counter/staff/${positionId}/sessions`, { token: owner.token });
  expect(seen.body.data).toMatchObject([{ id: newest.id, isThis: false }]);
  await call(`staff/${positionId}/sign-out`, owner.token);
  expect((await call('sign-out', token)).body.code).toBe('SESSION_DEAD');
});

test('a merchant invites sixty people an hour: each is an email', async () => {
  const { token } = await makeStaff(server.db, { merchantId: await makeMerchant(server.db), role: 'owner' });
  const codes = [];
  for (let n = 0; n <= 60; n += 1) {
    const body = { email: `n${n}@example.mx`, name: 'N', role: 'accountant' };
    codes.push((await call('invitations', token, body)).body.code);
  }
  expect([codes[59], codes[60]]).toEqual([undefined, 'TOO_MANY']);
});
