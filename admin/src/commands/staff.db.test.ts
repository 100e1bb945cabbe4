import { makeStaff } from '@aparta/server/test/make';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Operator, seatOperator } from '../../test/operator.ts';

let operator: Operator;
beforeAll(async () => {
  operator = await seatOperator();
  await operator.done(['company', 'add', 'Grupo Mueblero']);
  const plan = '--deposit 20 --frequency 30 --duration 60';
  await operator.done(`merchant add --company 1 --business-name Muebles --trade-name Muebles ${plan}`);
});
afterAll(() => operator.close());

const invite = (more: string[] = []) => [
  'staff',
  'invite',
  '1',
  'rosa@example.mx',
  '--name',
  'Rosa Luna',
  ...more,
];

test('a branch whose name would be a link in emails is not opened', async () => {
  expect(await operator.run(['branch', 'add', '1', '--name', 'www.evil.com'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('nombre: «www.evil.com» se lee como una dirección de internet'),
  });
});

test('a branch is opened, listed and closed, and its name is free again', async () => {
  const add = ['branch', 'add', '1', '--name', 'Sucursal Centro', '--chain', 'NORTE', '--branch', '7'];
  expect(await operator.done(add)).toMatchObject({ id: 1, merchantId: 1 });
  expect(await operator.run(add)).toMatchObject({
    code: 1,
    err: expect.stringContaining('ya tiene abierta'),
  });
  expect((await operator.run('branch list --merchant 1')).out).toContain('NORTE 7');
  expect(await operator.done('branch close 1')).toMatchObject({ id: 1 });
  expect(await operator.run('branch close 1')).toMatchObject({
    code: 1,
    err: expect.stringContaining('abierta'),
  });
  expect(await operator.done(add)).toMatchObject({ merchantId: 1 });
  expect(await operator.run(['branch', 'add', '9', '--name', 'Sur'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('No hay ningún comercio 9'),
  });
  expect(await operator.run(['branch', 'add', '1', '--name', 'Sur', '--chain', 'NORTE'])).toMatchObject({
    code: 1,
  });
});

test('an owner is invited by a link that is shown once, and revoked', async () => {
  const { link } = (await operator.done(invite())) as { link: string };
  expect(link).toMatch(/\/mostrador\/invitacion#code=[\w-]{43}$/);
  const rehearsed = await operator.run([...invite(), '--dry-run']);
  expect(rehearsed.out).not.toContain('#code=');
  expect((await operator.run('staff list 1')).out).toMatch(/Rosa Luna.*rosa@example\.mx.*dueño/);
  expect((await operator.run('staff acts 1')).out).toContain('Nada todavía.');
  expect((await operator.run('audit list')).out).not.toContain(link.split('=')[1]);
  expect(await operator.done('staff revoke 1 rosa@example.mx')).toMatchObject({ merchantId: 1 });
  expect(await operator.run('staff revoke 1 rosa@example.mx')).toMatchObject({
    code: 1,
    err: expect.stringContaining('no trabaja en el comercio 1'),
  });
});

test('an invitation that could not be accepted is refused in a sentence', async () => {
  for (const [line, says] of [
    [invite(['--role', 'cashier']), 'necesita sucursales abiertas'],
    [invite(['--role', 'cashier', '--branches', '77']), 'necesita sucursales abiertas'],
    [['staff', 'invite', '9', 'rosa@example.mx', '--name', 'Rosa'], 'No hay ningún comercio 9'],
    [['staff', 'invite', '1', 'sin arroba', '--name', 'Rosa'], 'El correo no es válido'],
    [['staff', 'invite', '1', 'rosa@example.mx', '--name', ''], 'debe tener de 1 a 80'],
    [['staff', 'invite', '1', 'rosa@example.mx', '--name', 'Rosa evil.com'], 'dirección de internet'],
  ] as const)
    expect(await operator.run([...line])).toMatchObject({ code: 1, err: expect.stringContaining(says) });
});

test('an owner who lost their passkey gets in again by the operator, and a merchant by the end of its rule', async () => {
  const merchantId = 1;
  const { positionId } = await makeStaff(operator.db, { merchantId, role: 'owner', email: 'eva@example.mx' });
  await sql`
    insert into staff_passkeys (staff_id, credential_id, public_key, counter, name, backed_up)
    select staff_id, 'Yk3xw0', '\\x01', 0, 'Teléfono', false from staff_positions where id = ${positionId}`.execute(
    operator.db,
  );
  await sql`update staff_sessions set passkey_id = (select id from staff_passkeys)`.execute(operator.db);
  expect(await operator.done('staff passkey-rule 1 on')).toMatchObject({ ownersNeedPasskey: true });
  expect(await operator.done('staff forget-passkeys 1 Eva@example.mx')).toMatchObject({ forgotten: 1 });
  expect(await operator.db.selectFrom('staff_sessions').select('position_id').execute()).toEqual([]);
  expect(await operator.done('staff passkey-rule 1 off')).toMatchObject({ ownersNeedPasskey: false });
  for (const [line, says] of [
    ['staff passkey-rule 1 off', 'ya está así'],
    ['staff passkey-rule 9 on', 'No hay ningún comercio 9'],
    ['staff forget-passkeys 1 eva@example.mx', 'ya está así'],
    ['staff forget-passkeys 1 nadie@example.mx', 'no trabaja en el comercio 1'],
  ] as const)
    expect(await operator.run(line)).toMatchObject({ code: 1, err: expect.stringContaining(says) });
});
