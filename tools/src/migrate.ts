import path from 'node:path';
import { migrate } from '@aparta/server/platform/db/migrate';
import { serverUrlOf } from './server-url.ts';
import { startPostgres } from './postgres.ts';
import { runCommand, say } from './run-command.ts';
import { settingsFromEnvironment } from './settings.ts';

await runCommand(async () => {
  const { dataDir, databaseUrl } = settingsFromEnvironment();
  const postgres = databaseUrl ? undefined : await startPostgres({ dataDir: path.join(dataDir, 'postgres') });
  try {
    const url = databaseUrl ?? postgres?.url ?? '';
    await migrate(url, { serverUrl: serverUrlOf(url) });
    say('The database is up to date');
  } finally {
    await postgres?.stop();
  }
});
