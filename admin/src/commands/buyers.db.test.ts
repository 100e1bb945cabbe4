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
  expect([again.code, JSON.parse(again.out)]).toEqual([1, { erased: [ana], tied: [luis] }]);
  expect(await named()).toEqual(['again']);
  await operator.asOwner('delete from card_attempts');
  expect(await operator.done(`buyer erase-again ${file}`)).toEqual({ erased: [luis], tied: [] });
  expect(await operator.done(`buyer erase-again ${file}`)).toEqual({ erased: [], tied: [] });
  expect(await named()).toEqual([]);
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
