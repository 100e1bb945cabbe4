import { setTimeout as pause } from 'node:timers/promises';

import { compose, StartRefused } from './compose.ts';
import { readSettings } from './env.ts';
import { buildApp } from './platform/http/app.ts';
import { createLog } from './platform/logging.ts';
import { openTelemetry } from './platform/telemetry/open.ts';

/** In production the server serves on for this long after a signal, while `/healthz` tells the proxy to send calls elsewhere. */
const NOTICE_MS = 3_000;
/** How long calls under way may still take after that. */
const PATIENCE_MS = 10_000;
/** After this long jobs that did not start are tried again. */
const JOBS_AGAIN_MS = 2_000;

const read = readSettings(process.env);
const problems = 'problems' in read ? [...read.problems] : [];
if (process.env['NODE_ENV'] === 'production')
  for (const name of ['DATABASE_OWNER_URL', 'DATABASE_OWNER_URL_FILE'])
    if (process.env[name]) problems.push(`${name} is for migrations and commands, never for a server`);
if ('problems' in read || problems.length > 0) {
  process.stderr.write(refusalOf(problems));
  process.exit(1);
}
const { settings } = read;
const log = createLog(settings.logLevel);
// What a library says there must not end the server when the disk is full.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
const telemetry = await openTelemetry(settings.telemetry, settings.databaseUrl);
const parts = compose(settings, log, telemetry.instrumentation);
/** Aborted once it was asked to stop. */
const leaving = new AbortController();
const isLeaving = () => leaving.signal.aborted;
const app = await buildApp({ ...parts.app, isLeaving });

async function stop(signal: string): Promise<void> {
  if (isLeaving()) return;
  leaving.abort();
  log.info({ signal }, 'stopping');
  // What has begun to start would open after all was closed, and take jobs without a database.
  await starting.catch(() => {});
  if (settings.production && app.server.listening) await pause(NOTICE_MS);
  const deadline = setTimeout(() => app.server.closeAllConnections(), PATIENCE_MS);
  await app.close();
  clearTimeout(deadline);
  await parts.stop();
  await telemetry.close();
  log.info('stopped');
}
async function start(): Promise<void> {
  await parts.check();
  if (isLeaving()) return;
  const metrics = await telemetry.listen();
  if (metrics) log.info(metrics, 'metrics');
  if (isLeaving()) return;
  await app.listen({ host: settings.host, port: settings.port });
  log.info({ host: settings.host, port: settings.port, production: settings.production }, 'listening');
  if (isLeaving()) return;
  await startJobs();
  // What starting took: V8 keeps it for ever where little is asked.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** Who calls meanwhile is answered, so a database that goes away now ends nothing; how long the jobs are silent is measured. */
async function startJobs(): Promise<void> {
  while (!isLeaving()) {
    try {
      return await parts.startJobs();
    } catch (err) {
      log.error({ err }, 'the jobs did not start, and are tried again');
    }
    await pause(JOBS_AGAIN_MS, undefined, { signal: leaving.signal }).catch(() => {});
  }
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
const starting = start();
try {
  await starting;
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    error instanceof StartRefused ? refusalOf(error.problems) : `The server cannot start: ${reason}\n`,
  );
  // Who was asked to stop did so, whatever became of its start.
  if (!isLeaving()) process.exitCode = 1;
  await stop('failure');
}

function refusalOf(problems: readonly string[]): string {
  return `The server cannot start:\n${problems.map((problem) => `- ${problem}\n`).join('')}`;
}
