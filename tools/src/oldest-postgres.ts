import fs from 'node:fs';
import { drawSeed } from './draw-seed.ts';
import { say } from './run-command.ts';

/** The oldest that the product runs on. */
const OLDEST = '/usr/lib/postgresql/15/bin';

/** Where the programs of another PostgreSQL are, on which a project runs: `db` or `http`. */
export const PROGRAMS_OF = { db: 'PG_BIN_OF_DB', http: 'PG_BIN_OF_HTTP' } as const;

/** Puts one of the two kinds of tests over a database on the oldest PostgreSQL, where it is: with another commit the other kind. */
export function onOldestPostgres(): NodeJS.ProcessEnv {
  // Then all are on that one.
  if (process.env['TEST_DATABASE_SERVER_URL']) return {};
  if (!fs.existsSync(OLDEST)) {
    say(`Nothing is tested on PostgreSQL 15: ${OLDEST} is not there`);
    return {};
  }
  const kind = drawSeed() % 2 === 0 ? 'db' : 'http';
  const there = PROGRAMS_OF[kind];
  say(`The project ${kind} on PostgreSQL 15 (again: ${there}=${OLDEST})`);
  return { [there]: OLDEST };
}
