import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import {
  type MadeDevice,
  makeBranch,
  makeDevice,
  makeMerchant,
  makeStaff,
  PASSWORD,
  PIN,
  signInOn,
} from '../../../test/make.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { prune } from '../../back-office/retention/prune.ts';
import { revokeByOperator } from '../staff/save-staff.ts';
import { createLog } from '../../platform/logging.ts';

let server: TestApp;
let merchantId: number;
let branchId: number;
let manager: Awaited<ReturnType<typeof makeStaff>>;
beforeAll(async () => {
  server = await startTestApp();
  merchantId = await makeMerchant(server.db);
  branchId = await makeBranch(server.db, merchantId, 'Centro');
  manager = await makeStaff(server.db, {
    merchantId,
    role: 'manager',
    branchIds: [branchId],
    name: 'Eva Paz',
  });
});
afterAll(() => server.close());

const cashier = (name = 'Luis Mora') =>
  makeStaff(server.db, { merchantId, role: 'cashier', branchIds: [branchId], name });
const device = () => makeDevice(server.db, { merchantId, branchId });
const on = ({ headers }: Pick<MadeDevice, 'headers'>, what: string, body?: unknown) =>
  server.ask(`${body === undefined ? 'GET' : 'POST'} /v1/counter/device${what}`, {
    headers,
    ...(body === undefined ? {} : { body }),
  });
const enter = (there: MadeDevice, positionId: string, pin = PIN) =>
  on(there, '/sign-in', { positionId, pin });
const branches = (session: { token: string; headers?: MadeDevice['headers'] }) =>
  server.ask('GET /v1/counter/branches', session);
const codeOf = (link: string) => link.split('#code=')[1] ?? '';

test('a manager enrols a phone, on which people of its branch choose their name, a PIN, and get in by it', async () => {
  const luis = await cashier('Luis Mora Ruiz');
  const elsewhere = await makeBranch(server.db, merchantId, 'Norte');
  await makeStaff(server.db, { merchantId, role: 'cashier', branchIds: [elsewhere], name: 'Beto Gil' });
  await makeStaff(server.db, { merchantId, role: 'accountant', name: 'Clara Sol' });
  const body = { branchId, name: 'Teléfono de la caja' };
  const started = await server.ask('POST /v1/counter/devices/enrolments', { token: manager.token, body });
  const { link } = started.body.data;
  expect(link).toMatch(/\/mostrador\/equipo#code=[\w-]{43}$/);
  const enrol = () => server.ask('POST /v1/counter/devices/enrol', { body: { code: codeOf(link) } });
  const enrolled = await enrol();
  expect(enrolled.body.data.device).toMatchObject({
    name: body.name,
    branch: { id: branchId, name: 'Centro' },
  });
  expect((await enrol()).body.code).toBe('ENROLMENT_DEAD'); // it is good once
  const there = {
    id: enrolled.body.data.device.id,
    headers: { 'x-counter-device': enrolled.body.data.secret },
  };

  const shown = (await on(there, '')).body.data;
  const people = shown.people as { name: string; positionId: string; hasPin: boolean }[];
  expect(people.map(({ name, hasPin }) => [name, hasPin])).toEqual([
    ['Eva P.', false],
    ['Luis M.', false],
  ]);
  expect(JSON.stringify(shown)).not.toContain('@');
  const { positionId } = luis;
  expect((await enter(there, positionId)).body.code).toBe('PIN_NOT_SET');
  const choose = (password: string, pin: string) => on(there, '/pin', { positionId, password, pin });
  expect((await choose('otra', PIN)).body.code).toBe('WRONG_PASSWORD');
  expect((await choose(PASSWORD, '123456')).body.code).toBe('PIN_TOO_EASY');
  expect((await choose(PASSWORD, '12345')).body.code).toBe('INVALID_INPUT');
  expect((await choose(PASSWORD, PIN)).body.data).toMatchObject({
    position: { positionId, role: 'cashier' },
    branches: [{ id: branchId }],
  });
  const session = (await enter(there, positionId)).body.data;
  expect((await branches({ token: session.token, headers: there.headers })).status).toBe(200);

  const acts = await server.db
    .selectFrom('staff_acts')
    .select(['act', 'position_id', 'device_id', 'branch_id'])
    .where('subject_id', 'in', [there.id, positionId])
    .orderBy('id')
    .execute();
  expect(acts).toEqual([
    { act: 'enrol_device', position_id: manager.positionId, device_id: null, branch_id: branchId },
    { act: 'set_pin', position_id: positionId, device_id: there.id, branch_id: branchId },
  ]);
});

test('five wrong PINs lock a person on that device, however many come at once, until a manager lifts it', async () => {
  const [luis, ana, there, other] = [
    await cashier(),
    await cashier('Ana Gil'),
    await device(),
    await device(),
  ];
  await signInOn(server.db, there, luis.positionId);
  await signInOn(server.db, there, ana.positionId);
  const guesses = await Promise.all(
    Array.from({ length: 12 }, (_, n) => enter(there, luis.positionId, `30048${n % 10}`)),
  );
  const codes = guesses.map(({ body }) => body.code);
  expect(codes.filter((code) => code === 'WRONG_PIN')).toHaveLength(5);
  expect(codes.filter((code) => code === 'PIN_LOCKED')).toHaveLength(7);
  expect(guesses.flatMap(({ body }) => body.facts?.left ?? []).toSorted()).toEqual([0, 1, 2, 3, 4]);
  expect((await enter(there, luis.positionId)).body.code).toBe('PIN_LOCKED'); // the right one too
  const anew = { positionId: luis.positionId, password: PASSWORD, pin: '907214' };
  expect((await on(there, '/pin', anew)).body.code).toBe('PIN_LOCKED');
  expect((await enter(there, ana.positionId)).status).toBe(200);
  expect((await enter(other, luis.positionId)).status).toBe(200);

  const list = await server.ask('GET /v1/counter/devices', { token: manager.token });
  expect(list.body.data.find(({ id }: { id: string }) => id === there.id).locked).toEqual([
    { positionId: luis.positionId, name: 'Luis Mora' },
  ]);
  await server.ask(`POST /v1/counter/devices/${there.id}/unlock`, {
    token: manager.token,
    body: { positionId: luis.positionId },
  });
  for (let n = 0; n < 3; n += 1) {
    expect((await enter(there, luis.positionId, '300481')).body.facts).toEqual({ left: 4 });
    expect((await enter(there, luis.positionId)).status).toBe(200); // the right one forgets the wrong one
  }
});

test('a session on a device ends with its rest, its device, its PIN and its person', async () => {
  const there = await device();
  const ended: [string, (luis: { positionId: string; token: string; email: string }) => Promise<unknown>][] =
    [
      [
        'rest',
        () =>
          server.db
            .updateTable('staff_sessions')
            .set({ used_at: sql`app_now() - interval '4 minutes'` })
            .where('device_id', '=', there.id)
            .execute(),
      ],
      [
        'PIN',
        ({ token }) =>
          server.ask('POST /v1/counter/pin', { token, body: { password: PASSWORD, pin: '907214' } }),
      ],
      ['person', ({ email }) => transaction(server.db, (tx) => revokeByOperator(tx, merchantId, email))],
      ['device', () => server.ask(`POST /v1/counter/devices/${there.id}/revoke`, { token: manager.token })],
    ];
  for (const [what, end] of ended) {
    const luis = await cashier();
    const session = await signInOn(server.db, there, luis.positionId);
    expect([what, (await branches(session)).status]).toEqual([what, 200]);
    await end(luis);
    expect([what, (await branches(session)).body.code]).toEqual([what, 'SESSION_DEAD']);
  }
  expect((await on(there, '')).body.code).toBe('DEVICE_DEAD');
  expect((await enter(there, manager.positionId)).body.code).toBe('DEVICE_DEAD');
});

test('a PIN is set from a session of one’s own, by password', async () => {
  const { token } = await cashier();
  const set = (password: string, pin: string) =>
    server.ask('POST /v1/counter/pin', { token, body: { password, pin } });
  expect((await set('otra', PIN)).body.code).toBe('WRONG_PASSWORD');
  expect((await set(PASSWORD, '111111')).body.code).toBe('PIN_TOO_EASY');
  expect((await set(PASSWORD, PIN)).status).toBe(200);
});

test('guesses of a password are slowed down wherever they are made, and a PIN is chosen where one works', async () => {
  const [{ positionId, token }, there] = [await cashier(), await device()];
  const elsewhere = await makeBranch(server.db, merchantId);
  const strange = await makeDevice(server.db, { merchantId, branchId: elsewhere });
  const choose = { positionId, password: 'otra', pin: PIN };
  expect((await on(strange, '/pin', choose)).body.code).toBe('NOT_FOUND');
  expect((await on({ headers: {} }, '/pin', choose)).body.code).toBe('DEVICE_DEAD');
  const codes = [];
  for (let n = 0; n <= 10; n += 1) codes.push((await on(there, '/pin', choose)).body.code);
  expect([codes[9], codes[10]]).toEqual(['WRONG_PASSWORD', 'TOO_MANY']);
  for (const [call, body] of [
    ['pin', { password: PASSWORD, pin: PIN }],
    ['password', { current: PASSWORD, password: 'otra-clave-larga-8' }],
  ] as const)
    expect((await server.ask(`POST /v1/counter/${call}`, { token, body })).body.code).toBe('TOO_MANY');
});

test('a session on a device that is used stays, and its use is written down now and then', async () => {
  const [luis, there] = [await cashier(), await device()];
  const session = await signInOn(server.db, there, luis.positionId);
  const rested = (seconds: number) =>
    server.db
      .updateTable('staff_sessions')
      .set({ used_at: sql`app_now() - ${seconds} * interval '1 second'` })
      .where('device_id', '=', there.id)
      .returning('used_at')
      .executeTakeFirstOrThrow();
  const used = () =>
    server.db
      .selectFrom('staff_sessions')
      .select('used_at')
      .where('device_id', '=', there.id)
      .executeTakeFirstOrThrow();
  const lately = await rested(10);
  await branches(session);
  expect(await used()).toEqual(lately);
  const before = await rested(200);
  await branches(session);
  expect((await used()).used_at!.getTime() - before.used_at!.getTime()).toBeGreaterThanOrEqual(200_000);
});

test('nobody enrols or runs a device of another branch, and a code dies with whoever made it', async () => {
  const other = await makeBranch(server.db, merchantId);
  const enrolment = (token: string, at: number) =>
    server.ask('POST /v1/counter/devices/enrolments', { token, body: { branchId: at, name: 'Caja' } });
  expect((await enrolment(manager.token, other)).body.code).toBe('NOT_FOUND');
  const strange = await makeDevice(server.db, { merchantId, branchId: other });
  const body = { positionId: manager.positionId };
  for (const act of ['revoke', 'unlock']) {
    const call = `POST /v1/counter/devices/${strange.id}/${act}`;
    expect((await server.ask(call, { token: manager.token, body })).body.code).toBe('NOT_FOUND');
  }
  expect((await enter(strange, manager.positionId)).body.code).toBe('NOT_FOUND');
  const owner = await makeStaff(server.db, { merchantId, role: 'owner' });
  const { link } = (await enrolment(owner.token, other)).body.data;
  await transaction(server.db, (tx) => revokeByOperator(tx, merchantId, owner.email));
  const late = await server.ask('POST /v1/counter/devices/enrol', { body: { code: codeOf(link) } });
  expect(late.body.code).toBe('ENROLMENT_DEAD');
});

test('an old code enrols nothing and is let go, as the PIN of who left is, and guesses of codes are slowed down', async () => {
  const body = { branchId, name: 'Caja' };
  const made = await server.ask('POST /v1/counter/devices/enrolments', { token: manager.token, body });
  await server.db
    .updateTable('device_enrolments')
    .set({ expires_at: sql`app_now() - interval '1 second'` })
    .execute();
  const enrol = (code: string) =>
    server.ask('POST /v1/counter/devices/enrol', { body: { code }, address: '203.0.113.9' });
  const answers = [(await enrol(codeOf(made.body.data.link))).body.code];
  for (let n = 0; n < 30; n += 1) answers.push((await enrol('x')).body.code);
  expect([answers[0], answers[29], answers[30]]).toEqual(['ENROLMENT_DEAD', 'ENROLMENT_DEAD', 'TOO_MANY']);
  const left = await cashier();
  await signInOn(server.db, await device(), left.positionId);
  const pins = () => server.db.selectFrom('staff_pins').select('staff_id').execute();
  const before = await pins();
  await transaction(server.db, (tx) => revokeByOperator(tx, merchantId, left.email));
  await prune(server.jobs.db, createLog('silent'));
  expect(before.length - (await pins()).length).toBeGreaterThanOrEqual(1); // who left needs none
  expect(await server.db.selectFrom('device_enrolments').select('name').execute()).toEqual([]);
});

test('the database keeps tries of a PIN to five, and a device in its merchant', async () => {
  const [luis, there] = [await cashier(), await device()];
  const stranger = await makeMerchant(server.db);
  const { token } = luis;
  expect(token).toMatch(/^aps_/);
  const refused: [string, ReturnType<typeof sql>][] = [
    [
      'device_pin_tries_lock_with_the_fifth',
      sql`insert into device_pin_tries select ${there.id}, staff_id, 6 from staff_positions where id = ${luis.positionId}`,
    ],
    [
      'counter_devices_in_the_merchants_branch',
      sql`update counter_devices set merchant_id = ${stranger} where id = ${there.id}`,
    ],
    [
      'counter_devices_secret_once',
      sql`update counter_devices set secret_hash = (select secret_hash from counter_devices order by 1 limit 1)`,
    ],
    [
      'staff_sessions_of_a_device_say_when_used',
      sql`update staff_sessions set device_id = ${there.id} where position_id = ${luis.positionId}`,
    ],
    [
      'staff_acts_on_a_device_of_their_merchant',
      sql`insert into staff_acts (position_id, merchant_id, device_id, act, subject_id)
        select id, ${stranger}, ${there.id}, 'look', 'x' from staff_positions where id = ${luis.positionId}`,
    ],
  ];
  for (const [name, statement] of refused)
    await expect(statement.execute(server.db)).rejects.toMatchObject({ constraint: name });
});
