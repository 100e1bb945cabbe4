import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const START = fileURLToPath(new URL('./start.ts', import.meta.url));
const PORT = 3150;
const SANDBOX_PORT = 3160;
const PORTS = [PORT, SANDBOX_PORT, SANDBOX_PORT + 1, SANDBOX_PORT + 2, SANDBOX_PORT + 3];

let dataDir: string;
const running: ChildProcess[] = [];

beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-start-'));
  fs.chmodSync(dataDir, 0o755);
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  fs.rmSync(dataDir, { recursive: true, force: true });
});

function start(env: NodeJS.ProcessEnv = {}): { child: ChildProcess; said: () => string } {
  const child = spawn(process.execPath, [START], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'development',
      DATA_DIR: dataDir,
      PORT: String(PORT),
      SANDBOX_PORT: String(SANDBOX_PORT),
      SEED_DEMO: 'false',
      ...env,
    },
  });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, said: () => text };
}

/** Starts and waits until everything answers; the output is the reason when it does not. */
async function started(env?: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const { child, said } = start(env);
  while (!said().includes('Ctrl-C stops everything')) {
    if (child.exitCode !== null) throw new Error(said());
    await sleep(50);
  }
  return child;
}

async function refusal(env?: NodeJS.ProcessEnv): Promise<string> {
  const { child, said } = start(env);
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(1);
  return said().trimEnd().split('\n').at(-1) ?? '';
}

/** The logins to the database that the environments of what runs over our folder name. */
function loginsGiven(): string[] {
  const environments = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return fs.readFileSync(`/proc/${pid}/environ`, 'utf8');
      } catch {
        return ''; // it has just ended, or is somebody else's
      }
    })
    .filter((environment) => environment.includes(`DATA_DIR=${dataDir}\0`));
  return [
    ...new Set(
      environments.flatMap((each) => [...each.matchAll(/postgres:\/\/(\w+):/g)].map(([, login]) => login!)),
    ),
  ];
}

describe('npm start', () => {
  test('is there on its port, ends cleanly when asked, and begins again with what it made', async () => {
    const first = await started();
    const made = fs.statSync(path.join(dataDir, 'postgres', 'PG_VERSION')).ino;
    expect((await fetch(`http://127.0.0.1:${PORT}/healthz`)).status).toBe(200);
    expect(loginsGiven()).toEqual(['aparta_server']);
    first.kill('SIGINT');
    expect((await once(first, 'exit'))[0]).toBe(0);
    expect(await busyPorts()).toEqual([]);
    await started();
    expect(fs.statSync(path.join(dataDir, 'postgres', 'PG_VERSION')).ino).toBe(made);
  });

  test('leaves nothing behind when it is killed outright', async () => {
    const child = await started();
    const database = postmasterPort();
    child.kill('SIGKILL');
    await once(child, 'exit');
    for (const begun = Date.now(); (await busyPorts(database)).length > 0 && Date.now() - begun < 10_000;)
      await sleep(50);
    expect(await busyPorts(database)).toEqual([]);
  });

  test('says which port is in use, and which setting moves it', async () => {
    const other = await occupy(SANDBOX_PORT + 2);
    const said = await refusal();
    other.close();
    expect(said).toBe(
      `aparta: Port ${SANDBOX_PORT + 2} is in use: stop what listens there, or set SANDBOX_PORT to another.`,
    );
  });

  test('says that a port is in use where a browser that asks for localhost looks first', async (context) => {
    const other = await occupy(PORT, '::1').catch(() => context.skip('this machine has no IPv6'));
    const said = await refusal();
    other.close();
    expect(said).toBe(`aparta: Port ${PORT} is in use: stop what listens there, or set PORT to another.`);
  });

  test('says that a setting is not a port', async () => {
    expect(await refusal({ PORT: 'eighty' })).toBe('aparta: PORT is not a port: eighty.');
  });

  test('says that the data folder is none', async () => {
    const file = path.join(dataDir, 'a-file');
    fs.writeFileSync(file, '');
    expect(await refusal({ DATA_DIR: file })).toBe(
      `aparta: The data folder ${file} cannot be written: set DATA_DIR to another.`,
    );
  });

  test('says that the database of DATABASE_URL does not answer', async () => {
    expect(await refusal({ DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' })).toMatch(
      /^aparta: The database at 127\.0\.0\.1:1 could not be brought up to date: .*ECONNREFUSED/,
    );
  });
});

function postmasterPort(): number {
  return Number(fs.readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3]);
}

async function busyPorts(...more: number[]): Promise<number[]> {
  const busy: number[] = [];
  for (const port of [...PORTS, ...more]) {
    const probe = await occupy(port).catch(() => undefined);
    if (probe) probe.close();
    else busy.push(port);
  }
  return busy;
}

function occupy(port: number, host = '127.0.0.1'): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}
