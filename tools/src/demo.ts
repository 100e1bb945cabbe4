import fs from 'node:fs';
import path from 'node:path';
import { createSandbox } from '@aparta/sandbox/app';
import { readSettings } from '@aparta/server/env';
import { startPostgres } from './postgres.ts';
import { demandFreePorts, environment } from './product.ts';
import { recreateDemo } from './recreate-demo.ts';
import { runCommand, say } from './run-command.ts';
import { settingsFromEnvironment } from './settings.ts';
import { StartFailure } from './start-failure.ts';

/** Throws away what this copy's database and sandbox hold, and makes the demo anew. Nothing else of this copy may run. */
await runCommand(async () => {
  if (process.env['NODE_ENV'] === 'production')
    throw new StartFailure('Demo data is never made in production.');
  const { databaseUrl, demo, ...here } = settingsFromEnvironment();
  // A database that somebody brought is theirs: nothing in it is thrown away unasked.
  if (databaseUrl && demo === 'never') {
    throw new StartFailure(
      'This would empty the database of DATABASE_URL: set SEED_DEMO=true if that is what you want.',
    );
  }
  await demandFreePorts(here);
  fs.mkdirSync(here.dataDir, { recursive: true });
  const postgres = databaseUrl
    ? undefined
    : await startPostgres({ dataDir: path.join(here.dataDir, 'postgres') });
  try {
    const env = environment(here, databaseUrl ?? postgres?.url ?? '');
    const read = readSettings(env);
    if ('problems' in read) throw new StartFailure(`${read.problems.join('; ')}.`);
    const { sandboxPort: api, dataDir } = here;
    const sandbox = await createSandbox({
      productOrigin: read.settings.publicOrigin,
      ports: { api, smtp: api + 1, frame: api + 2, threeDs: api + 3 },
      dataDir,
    });
    try {
      say(
        `Emptying ${databaseUrl ? 'the database of DATABASE_URL' : `the database of ${dataDir}`} and the sandbox`,
      );
      await recreateDemo(read.settings);
      say('The demo data is made anew; npm start shows it');
    } finally {
      await sandbox.close();
    }
  } finally {
    await postgres?.stop();
  }
});
