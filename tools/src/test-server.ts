import { randomBytes } from 'node:crypto';
import { migrate } from '@aparta/server/platform/db/migrate';
import type { TestProject } from 'vitest/node';
import { query } from './query.ts';
import { serverUrlOf } from './server-url.ts';
import { startTemporaryPostgres } from './temporary-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's PostgreSQL by its superuser and by the login of the server, and the name of its migrated template database. */
    testServer: { url: string; serverUrl: string; template: string };
    /** How much the fuzz run asks, and from which seed; `npm run fuzz` says both. */
    fuzz: { requests: number; seed: number; isLong: boolean };
  }
}

/**
 * Vitest's global setup of the database tests: one PostgreSQL for the run (or the one that
 * `TEST_DATABASE_SERVER_URL` names) with a template that has been migrated once.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_SERVER_URL'];
  const server = given ? { url: given, stop: async () => {} } : await startTemporaryPostgres();
  const template = `template_${randomBytes(6).toString('hex')}`;
  const execute = (statement: string) => query<{ datname: string }>(server.url, statement);
  const tearDown = async () => {
    // Databases of tests have its name before theirs; those that were kept for a next test are still there.
    const made = await execute(`select datname from pg_database where datname like '${template}%'`);
    for (const { datname } of made) await execute(`drop database if exists ${datname} with (force)`);
    await server.stop();
  };
  try {
    await execute(`create database ${template}`);
    await migrateTemplate(server.url, template);
    // Nobody may connect any more: a copy is refused while somebody is connected to its original.
    await execute(`alter database ${template} with allow_connections false`);
  } catch (error) {
    await tearDown();
    throw error;
  }
  project.provide('testServer', { url: server.url, serverUrl: serverUrlOf(server.url), template });
  const { FUZZ_REQUESTS, FUZZ_SEED } = process.env;
  project.provide('fuzz', {
    requests: Number(FUZZ_REQUESTS ?? 5_000),
    seed: Number(FUZZ_SEED ?? 20_261_122),
    isLong: FUZZ_REQUESTS !== undefined,
  });
  return tearDown;
}

async function migrateTemplate(serverUrl: string, template: string): Promise<void> {
  const url = new URL(serverUrl);
  url.pathname = `/${template}`;
  await migrate(url.href, { serverUrl: serverUrlOf(url.href) });
}
