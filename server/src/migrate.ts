import { migrate } from './platform/db/migrate.ts';
import { withSecretFiles } from './env.ts';

/** The migration step of a deployment: needs the database's two logins alone, and makes the server's. Ends with 1 and a sentence when it fails. */
const { env, problems } = withSecretFiles(process.env);
const url = env['DATABASE_OWNER_URL']?.trim() ?? '';
const serverUrl = env['DATABASE_URL']?.trim() || undefined;
if (url === '' && problems.length === 0) problems.push('DATABASE_OWNER_URL is missing');
try {
  if (problems.length > 0) throw new Error(problems.join('; '));
  const run = await migrate(url, {
    serverUrl,
    warn: (sentence) => process.stdout.write(`Note: ${sentence}\n`),
  });
  for (const name of run) process.stdout.write(`${name}\n`);
  process.stdout.write(run.length > 0 ? 'The database is up to date\n' : 'The database was up to date\n');
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  process.stderr.write(`The database could not be brought up to date: ${message || code}\n`);
  process.exitCode = 1;
}
