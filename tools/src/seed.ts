import fs from 'node:fs';
import path from 'node:path';
import { migrate } from '@aparta/server/platform/db/migrate';
import { readSettings } from '@aparta/server/env';
import { makeDemo } from './make-demo.ts';
import { startPostgres } from './postgres.ts';
import { environment } from './product.ts';
import { serverUrlOf } from './server-url.ts';
import { runCommand, say } from './run-command.ts';
import { settingsBesideProduct } from './settings.ts';
import { StartFailure } from './start-failure.ts';

/** Puts the demo into this copy's empty database. The sandbox must be running. */
await runCommand(async () => {
  if (process.env['NODE_ENV'] === 'production')
    throw new StartFailure('Demo data is never made in production.');
  const { databaseUrl, ...here } = settingsBesideProduct();
  fs.mkdirSync(here.dataDir, { recursive: true });
  const postgres = databaseUrl
    ? undefined
    : await startPostgres({ dataDir: path.join(here.dataDir, 'postgres') });
  try {
    const url = databaseUrl ?? postgres?.url ?? '';
    await migrate(url, { serverUrl: serverUrlOf(url) });
    const read = readSettings(environment(here, url));
    if ('problems' in read) throw new StartFailure(`${read.problems.join('; ')}.`);
    const made = await makeDemo(read.settings);
    say(made ? 'The demo data is made' : 'Nothing to do: the database has buyers or merchants already');
  } finally {
    await postgres?.stop();
  }
});
