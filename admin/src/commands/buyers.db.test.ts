import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Operator, PRODUCTION, seatOperator } from '../../test/operator.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-erasures-'));
const file = path.join(folder, 'erasures');
let operator: Operator;
beforeAll(async () => {
  operator = await seatOperator({ ERASURES_FILE: file });
});
afterAll(async () => {
  await operator.close();
  fs.rmSync(folder, { recursive: true });
});

const signUp = async (at: Operator, name: string): Promise<number> => {
  const { rows } = await at.asOwner(
    `insert into buyers (email, user_name, name, password_hash) values ('${name}@example.mx', '${name}', '${name}', 'x') returning id`,
  );
  return Number(rows[0].id);
};
const named = async () =>
  (await operator.asOwner(`select name from buyers where name <> '-' order by 1`)).rows.map(
    ({ name }) => name,
  );

test('who was erased is erased again after a restore, as soon as nothing of them is open', async () => {
  const [ana, luis] = [await signUp(operator, 'ana'), await signUp(operator, 'luis')];
  await operator.done(`buyer erase ${ana} --dry-run`);
  expect(fs.existsSync(file)).toBe(false);
  await operator.done(`buyer erase ${ana} --delivered`);
  await operator.done(`buyer erase ${luis}`);
  expect(fs.readFileSync(file, 'utf8')).toMatch(new RegExp(`^\\S+ ${ana} delivered\\n\\S+ ${luis}\\n$`));

  // As the backup of the night before has them.
  await operator.asOwner(`update buyers set name = 'again', erased_at = null`);
  await operator.asOwner(`set session_replication_role = 'replica';
    insert into card_attempts (buyer_id, merchant_id, credential_id, state, principal_centavos, fee_centavos)
      values (${luis}, 1, gen_random_uuid(), 'held', 1, 0)`);
  const again = await operator.run(`buyer erase-again ${file} --json`);
  expect([again.code, JSON.parse(again.out)]).toEqual([
    1,
    { erased: [ana], tied: [luis], helps: [], tiedHelps: [] },
  ]);
  expect(await named()).toEqual(['again']);
  await operator.asOwner('delete from card_attempts');
  expect(await operator.done(`buyer erase-again ${file}`)).toMatchObject({ erased: [luis], tied: [] });
  expect(await operator.done(`buyer erase-again ${file}`)).toMatchObject({ erased: [], tied: [] });
  expect(await named()).toEqual([]);
});

test('who helped is forgotten by their address, and again after a restore by their payments, which alone the list names', async () => {
  const id = 'b0000000-0000-4000-8000-000000000001';
  const restored = `update card_attempts set payer_name = 'Marta', payer_email = 'marta@example.mx' where id = '${id}'`;
  const payer = async () =>
    (await operator.asOwner(`select payer_name, payer_email from card_attempts where id = '${id}'`)).rows[0];
  await operator.asOwner(`set session_replication_role = 'replica';
    insert into card_attempts (id, buyer_id, merchant_id, credential_id, state, principal_centavos, fee_centavos,
        reference_id, intent_id, purchase_id, help_link_id, payer_name, payer_email)
      values ('${id}', 1, 1, gen_random_uuid(), 'held', 1, 0,
        1, gen_random_uuid(), 1, gen_random_uuid(), 'Marta', 'marta@example.mx')`);
  const tied = await operator.run('help forget marta@example.mx');
  expect([tied.code, tied.err]).toEqual([1, expect.stringContaining(id)]);
  await operator.asOwner(
    `set session_replication_role = 'replica'; update card_attempts set state = 'rejected'`,
  );
  const before = fs.readFileSync(file, 'utf8');
  await operator.done('help forget marta@example.mx --dry-run');
  expect([fs.readFileSync(file, 'utf8'), (await payer()).payer_name]).toEqual([before, 'Marta']);

  await operator.done('help forget marta@example.mx');
  expect(await payer()).toEqual({ payer_name: '···', payer_email: null });
  expect(fs.readFileSync(file, 'utf8')).toMatch(new RegExp(`\\n\\S+ help ${id}\\n$`));
  const unknown = await operator.run('help forget marta@example.mx');
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('Nadie ha ayudado')]);
  const { rows } = await operator.asOwner('select * from audit_log');
  expect(JSON.stringify(rows)).not.toContain('marta@');

  await operator.asOwner(`set session_replication_role = 'replica'; ${restored}`);
  const again = () => operator.done(`buyer erase-again ${file}`);
  expect(await again()).toMatchObject({ helps: [id], tiedHelps: [] });
  expect(await again()).toMatchObject({ helps: [], tiedHelps: [] });
  expect((await payer()).payer_name).toBe('···');
  await operator.asOwner('delete from card_attempts');
});

test('a list that cannot be read erases nobody, and says at which line', async () => {
  const id = await signUp(operator, 'eva');
  const torn = path.join(folder, 'torn');
  fs.writeFileSync(torn, `2026-01-01T00:00:00.000Z ${id}\n2026-01-01T0`);
  const { code, err } = await operator.run(`buyer erase-again ${torn}`);
  expect([code, err]).toEqual([1, expect.stringContaining('línea 2')]);
  expect((await operator.run(`buyer erase-again ${torn}-none`)).code).toBe(2);
  expect(await named()).toEqual(['eva']);
});

test('production erases nobody whom a backup would bring back', async () => {
  const shop = await seatOperator(PRODUCTION);
  onTestFinished(() => shop.close());
  const { code, err } = await shop.run(`buyer erase ${await signUp(shop, 'ana')}`);
  expect([code, err]).toEqual([1, expect.stringContaining('ERASURES_FILE')]);
});
