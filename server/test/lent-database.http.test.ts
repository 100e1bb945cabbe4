import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestApp } from './app.ts';

const nameOf = async ({ db }: Awaited<ReturnType<typeof startTestApp>>) =>
  (await sql<{ name: string }>`select current_database() as name`.execute(db)).rows[0]?.name;

test('the next test gets the same database with its connections, and another one if they were closed', async () => {
  const first = await startTestApp();
  const name = await nameOf(first);
  await first.close();

  const second = await startTestApp();
  expect(await nameOf(second)).toBe(name);
  await second.db.destroy();
  await second.close();

  const third = await startTestApp();
  expect(await nameOf(third)).not.toBe(name);
  await third.close();
});
