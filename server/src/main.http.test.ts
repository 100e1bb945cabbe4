import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';
import { afterAll, beforeAll, expect, test, inject } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../test/database.ts';
import { freePort } from '../test/free-port.ts';
import { nodeEnvironment } from '../test/node-environment.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function start(settings: Record<string, string>): {
  child: ChildProcess;
  output: () => string;
  end: Promise<number | null>;
} {
  const child = spawn(process.execPath, [inject('serverProgram')], {
    env: { ...nodeEnvironment, ...settings },
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  child.stderr.on('data', (chunk) => (text += String(chunk)));
  return { child, output: () => text, end: once(child, 'exit').then(([code]) => code as number | null) };
}

test.skipIf(!existsSync('/dev/full'))(
  'a server begins with asking for cash that was told to none, and a disk full of its log takes it not away',
  async () => {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [inject('serverProgram')], {
      env: {
        ...nodeEnvironment,
        DATABASE_URL: database.url,
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
      },
      stdio: ['ignore', full, full],
    });
    const end = once(child, 'exit');
    await ready(port);
    for (let call = 0; call < 3; call += 1)
      expect((await fetch(`http://127.0.0.1:${port}/ip`)).status).toBe(200);
    const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(Number(/^aparta_log_failures_total (\d+)$/m.exec(await metrics())?.[1])).toBeGreaterThan(2);
    await expect
      .poll(metrics)
      .toMatch(/^aparta_job_run_seconds_count\{[^}]*task="poll_cash_references"[^}]*\} 1$/m);
    child.kill('SIGTERM');
    expect(await end).toEqual([0, null]);
  },
);

async function ready(port: number): Promise<void> {
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady).toBe(true);
}

test('production without its settings, or with the owner’s login, says so of each and does not start', async () => {
  const { output, end } = start({ NODE_ENV: 'production', DATABASE_OWNER_URL: database.url });
  expect(await end).toBe(1);
  expect(output()).toContain('- DATABASE_OWNER_URL is for migrations and commands, never for a server\n');
  for (const name of [
    'DATABASE_URL',
    'PUBLIC_ORIGIN',
    'REQUIRE_TERMS',
    'SERVICE_FEE_POLICY',
    'SECRETS_KEY',
    'SMTP_URL',
  ]) {
    expect(output()).toContain(`- ${name} is missing\n`);
  }
});

test('a port in use is one sentence', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const { output, end } = start({
    DATABASE_URL: database.serverUrl,
    PORT: String(port),
    LOG_LEVEL: 'silent',
  });
  try {
    expect(await end).toBe(1);
    expect(output()).toMatch(/^The server cannot start: .*EADDRINUSE.*\n$/);
  } finally {
    taken.close();
  }
});

test('asked to stop, it answers the call under way, takes no other, and ends well', async () => {
  const port = await freePort();
  const { child, end } = start({ DATABASE_URL: database.serverUrl, PORT: String(port) });
  await ready(port);
  const body = JSON.stringify({ user: 'nobody@example.mx', password: 'una-clave-larga-7' });
  const socket = connect(port, '127.0.0.1');
  let reply = '';
  socket.on('data', (chunk) => (reply += String(chunk)));
  socket.write(
    `POST /v1/TokenBuyer/Authenticate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  child.kill('SIGTERM');
  const another = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => 'answered',
      (error: Error) => error.message,
    );
  await expect.poll(another).toBe('fetch failed');
  socket.write(body.slice(10));
  expect(await end).toBe(0);
  expect(reply).toMatch(/^HTTP\/1\.1 401 /);
  expect(reply).toContain('WRONG_CREDENTIALS');
});

test('a server whose jobs the database cuts off as they start serves on, and is ready once they have started', async () => {
  const db = new pg.Client(database.url);
  await db.connect();
  await db.query('begin');
  await db.query('lock graphile_worker.migrations');
  const port = await freePort();
  const { child, output, end } = start({ DATABASE_URL: database.serverUrl, PORT: String(port) });
  const cutOff = () =>
    db.query(
      `select pg_terminate_backend(pid) from pg_locks
       where not granted and relation = 'graphile_worker.migrations'::regclass`,
    );
  try {
    await expect.poll(cutOff, { timeout: 30_000 }).toMatchObject({ rowCount: 1 });
    await expect.poll(output).toContain('the jobs did not start, and are tried again');
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    await db.query('rollback');
    await ready(port);
    child.kill('SIGTERM');
    expect(await end).toBe(0);
  } finally {
    child.kill('SIGKILL');
    await db.end();
  }
});

test('while its jobs are starting it takes calls, is not ready and tells how long they are silent; asked to stop, it ends well', async () => {
  const db = new pg.Client(database.url);
  await db.connect();
  // Its first lane cannot start before this lock is given back.
  await db.query('begin');
  await db.query('lock graphile_worker.migrations');
  const [port, metricsPort] = [await freePort(), await freePort()];
  const { child, output, end } = start({
    DATABASE_URL: database.serverUrl,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
  });
  const waiting = () =>
    db.query(
      `select 1 from pg_locks where not granted and relation = 'graphile_worker.migrations'::regclass`,
    );
  try {
    await expect.poll(waiting, { timeout: 30_000 }).toMatchObject({ rowCount: 1 });
    const probe = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    await expect.poll(() => probe('/healthz')).toBe(200);
    expect(await probe('/readyz')).toBe(503);
    const silentSeconds = async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(/^aparta_jobs_silent_seconds\{lane="cards"\} (\S+)$/m.exec(metrics)?.[1]);
    };
    await expect.poll(silentSeconds).toBeGreaterThan(0.1);
    child.kill('SIGTERM');
    await expect.poll(output).toContain('"stopping"');
    await sleep(500); // as long as stopping takes that waits for nothing
    await db.query('rollback');
    expect(await Promise.race([end, sleep(20_000, 'still there')])).toBe(0);
    expect(output()).toContain('"stopped"');
  } finally {
    child.kill('SIGKILL');
    await db.end();
  }
});
