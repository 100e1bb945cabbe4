import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export type TestDatabase = {
  /** By the login that owns it. */
  url: string;
  /** By the login of the server. */
  serverUrl: string;
  drop(): Promise<void>;
};

/**
 * A migrated database of the caller's own, copied from the run's template: by files, which costs two thirds of writing a log
 * that nobody replays.
 * Call `drop` when done with it; connections left open are closed by force.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, serverUrl, template } = inject('testServer');
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  await administer(url, `create database ${name} template ${template} strategy file_copy`);
  const at = (server: string) => Object.assign(new URL(server), { pathname: `/${name}` }).href;
  return {
    url: at(url),
    serverUrl: at(serverUrl),
    drop: () => administer(url, `drop database if exists ${name} with (force)`),
  };
}

/** The address of a database at which PostgreSQL knows the caller by `name`. */
export function addressNamed(url: string, name: string): string {
  const named = new URL(url);
  named.searchParams.set('application_name', name);
  return named.href;
}

let administrator: pg.Pool | undefined;

/** By one connection for all: hundreds of databases are made, and to connect costs as much as to copy one. */
async function administer(url: string, statement: string): Promise<void> {
  // One that breaks is replaced.
  administrator ??= new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true }).on(
    'error',
    () => {},
  );
  await administrator.query(statement);
}
