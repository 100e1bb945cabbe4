import fs from 'node:fs';
import path from 'node:path';

const DEBIAN = '/usr/lib/postgresql';
const NEEDED = ['initdb', 'postgres', 'psql', 'pg_basebackup', 'pg_dump', 'pg_restore'];

/**
 * A folder with a whole PostgreSQL, server and client programs, for tests of backups and replicas: the bundled one has no client
 * programs. `PG_BIN`, Debian's newest, or one of `PATH`; undefined, with a line that says what is missing, where there is none.
 */
export function wholePostgres(whatNeedsIt: string): string | undefined {
  const debian = fs.existsSync(DEBIAN)
    ? fs.readdirSync(DEBIAN).toSorted((one, other) => Number(other) - Number(one))
    : [];
  const folders = [
    process.env['PG_BIN'] ?? '',
    ...debian.map((version) => path.join(DEBIAN, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(path.delimiter),
  ];
  const found = folders.find(
    (folder) => folder !== '' && NEEDED.every((name) => fs.existsSync(path.join(folder, name))),
  );
  if (found === undefined) {
    console.log(
      `skipped: ${whatNeedsIt}, because no folder has all of ${NEEDED.join(', ')}: install PostgreSQL's packages or set PG_BIN`,
    );
  }
  return found;
}
