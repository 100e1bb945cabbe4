import { compose } from './compose.ts';
import { readSettings } from './env.ts';
import { buildApp } from './http/app.ts';
import { createLog } from './logging.ts';

/** How long calls under way may take once we were asked to stop. */
const PATIENCE_MS = 10_000;

const read = readSettings(process.env);
if ('problems' in read) {
  process.stderr.write(
    `The server cannot start:\n${read.problems.map((problem) => `- ${problem}\n`).join('')}`,
  );
  process.exit(1);
}
const { settings } = read;
const log = createLog(settings.logLevel);
const parts = compose(settings, log);
const app = await buildApp(parts.app);

let stopping = false;
async function stop(signal: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  log.info({ signal }, 'stopping');
  const impatience = setTimeout(() => app.server.closeAllConnections(), PATIENCE_MS);
  await app.close();
  clearTimeout(impatience);
  await parts.stop();
  log.info('stopped');
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));

try {
  await parts.start();
  await app.listen({ host: settings.host, port: settings.port });
  log.info({ host: settings.host, port: settings.port, production: settings.production }, 'listening');
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The server cannot start: ${reason}\n`);
  process.exitCode = 1;
  await stop('failure');
}
