import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeBranch, makeMerchant, makeStaff, PASSWORD } from '../../../test/make.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { inviteByOperator } from './save-staff.ts';

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

test('nobody is invited to a branch of another merchant, nor as a cashier of none', async () => {
  const { token } = await makeStaff(server.db, { merchantId, role: 'owner' });
  const strange = await makeBranch(server.db, await makeMerchant(server.db));
  const invite = (role: string, branchIds: number[]) =>
    call('invitations', token, { email: 'alguien@example.mx', name: 'Alguien', role, branchIds });
  expect((await invite('cashier', [strange])).body.code).toBe('NOT_FOUND');
  expect((await invite('manager', [])).body.code).toBe('INVALID_INPUT');
  expect((await invite('owner', [branchId])).body.code).toBe('INVALID_INPUT');
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
