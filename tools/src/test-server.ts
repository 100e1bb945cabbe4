import { randomBytes } from 'node:crypto';
import { migrate } from '@aparta/server/platform/db/migrate';
import type { TestProject } from 'vitest/node';
import { serverProgram } from './build-product.ts';
import { PROGRAMS_OF } from './oldest-postgres.ts';
import { query } from './query.ts';
import { serverUrlOf } from './server-url.ts';
import { startTemporaryPostgres } from './temporary-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's PostgreSQL by its superuser and by the login of the server, and the name of its migrated template database. */
    testServer: { url: string; serverUrl: string; template: string };
    /** The server's program. */
    serverProgram: string;
    /** How much the fuzz run asks, and from which seed; `npm run fuzz` says both. */
    fuzz: { requests: number; seed: number; isLong: boolean };
  }
}

/** The PostgreSQL of a run, or the one that `TEST_DATABASE_SERVER_URL` names, with a template that has been migrated once. */
interface TestServer {
  readonly url: string;
  readonly template: string;
  stop(): Promise<void>;
}

type Servers = Map<string | undefined, { readonly started: Promise<TestServer>; users: number }>;
/** By where their programs are. Each project loads this module anew; what they share is kept with the process. */
const run = globalThis as { testServers?: Servers };

/** Vitest's global setup of the database tests: the first project of a run starts the server, the last stops it. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const programs = process.env[PROGRAMS_OF[project.name as keyof typeof PROGRAMS_OF]];
  const servers = (run.testServers ??= new Map());
  const shared = servers.get(programs) ?? { started: start(programs), users: 0 };
  servers.set(programs, shared);
  shared.users += 1;
  const { url, template, stop } = await shared.started;
  project.provide('testServer', { url, serverUrl: serverUrlOf(url), template });
  project.provide('serverProgram', serverProgram());
  const { FUZZ_REQUESTS, FUZZ_SEED } = process.env;
  project.provide('fuzz', {
    requests: Number(FUZZ_REQUESTS ?? 5_000),
    seed: Number(FUZZ_SEED ?? 20_261_122),
    isLong: FUZZ_REQUESTS !== undefined,
  });
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    servers.delete(programs);
    await stop();
  };
}

async function start(programs: string | undefined): Promise<TestServer> {
  const template = `template_${randomBytes(6).toString('hex')}`;
  const given = process.env['TEST_DATABASE_SERVER_URL'];
  const server = given ? { url: given, stop: dropAll } : await startTemporaryPostgres(programs);
  const execute = (statement: string) => query<{ datname: string }>(server.url, statement);
  /** Databases of tests have the template's name before theirs; those that were kept for a next test are still there. */
  async function dropAll(): Promise<void> {
    const made = await execute(`select datname from pg_database where datname like '${template}%'`);
    for (const { datname } of made) await execute(`drop database if exists ${datname} with (force)`);
  }
  try {
    await execute(`create database ${template}`);
    await migrateTemplate(server.url, template);
    // Nobody may connect any more: a copy is refused while somebody is connected to its original.
    await execute(`alter database ${template} with allow_connections false`);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { ...server, template };
}

async function migrateTemplate(serverUrl: string, template: string): Promise<void> {
  const url = new URL(serverUrl);
  url.pathname = `/${template}`;
  await migrate(url.href, { serverUrl: serverUrlOf(url.href) });
}
