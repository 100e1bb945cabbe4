import fs from 'node:fs';
import path from 'node:path';
import { runAdmin } from '@aparta/admin/run';
import { processTerminal } from '@aparta/admin/terminal';
import { startPostgres } from './postgres.ts';
import { environment } from './product.ts';
import { runCommand } from './run-command.ts';
import { settingsBesideProduct } from './settings.ts';
import { StartFailure } from './start-failure.ts';

/**
 * The operator's commands. In production with the settings as they are; else over this copy's database and sandbox, as `npm
 * start` has them.
 */
await runCommand(async () => {
  const { databaseUrl, ...here } = settingsBesideProduct();
  const argv = process.argv.slice(2);
  const run = async (env: NodeJS.ProcessEnv) => {
    process.exitCode = await runAdmin(argv, { env, terminal: processTerminal() });
  };
  if (process.env['NODE_ENV'] === 'production') return run(process.env);
  if (databaseUrl !== undefined) return run(environment(here, databaseUrl));
  const folder = path.join(here.dataDir, 'postgres');
  if (!fs.existsSync(folder)) {
    if (argv.length === 0 || argv.includes('--help')) return run({});
    throw new StartFailure(
      `There is no database in ${here.dataDir}: run npm start once, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  const postgres = await startPostgres({ dataDir: folder });
  try {
    await run(environment(here, postgres.url));
  } finally {
    await postgres.stop();
  }
});
