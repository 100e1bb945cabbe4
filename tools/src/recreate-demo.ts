import { migrate } from '@aparta/server/platform/db/migrate';
import type { Settings } from '@aparta/server/env';
import { reachSandbox } from './demo-sandbox.ts';
import { makeDemo, providersOf } from './make-demo.ts';
import { query } from './query.ts';
import { StartFailure } from './start-failure.ts';

const EMPTY = `
  drop schema if exists graphile_worker cascade;
  drop schema public cascade;
  create schema public authorization pg_database_owner;
  grant usage on schema public to public`;

/**
 * Drops everything in the database and in the sandbox, and makes the demo anew. No server may run on the database meanwhile.
 * Throws `StartFailure` before anything is lost: in production, and when the sandbox does not answer or a provider is a real one.
 */
export async function recreateDemo(settings: Settings): Promise<void> {
  if (settings.production) throw new StartFailure('Demo data is never made in production.');
  const sandbox = await reachSandbox(providersOf(settings));
  await query(settings.databaseOwnerUrl, EMPTY);
  await sandbox.forget();
  await migrate(settings.databaseOwnerUrl, { serverUrl: settings.databaseUrl });
  await makeDemo(settings);
}
