import { spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { createSandbox, type Sandbox } from '@aparta/sandbox/app';
import { openDb, type Db } from '@aparta/server/platform/db/db';
import { issueReport } from '@aparta/server/back-office/settlements/store';
import { transaction } from '@aparta/server/platform/db/transaction';
import { migrate } from '@aparta/server/platform/db/migrate';
import { readSettings } from '@aparta/server/env';
import { proveBooks } from '@aparta/server/ledger/books/proofs.read-model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serverProgram } from './build-product.ts';
import { makeDemo } from './make-demo.ts';
import { wholePostgres } from './postgres-programs.ts';
import { type Program, startProgram } from './program.ts';
import { query } from './query.ts';
import { serverUrlOf } from './server-url.ts';
import { type Machine, startMachine } from './temporary-machine.ts';

/**
 * The demo's shop, with payments in every state, is backed up, pays once more, and is lost; another machine restores it. Servers,
 * clusters and scripts are the real ones; the provider's twin is the oracle.
 */
const PROGRAMS = wholePostgres('backup and restore');
const PORT = 3250;
const MAIN = serverProgram();
const OPS = fileURLToPath(new URL('../../ops/', import.meta.url));
const SECRETS_KEY = randomBytes(32).toString('base64');
const PATIENCE = { timeout: 20_000, interval: 100 };
const CARDS = {
  approved: '4555128482797669',
  replyLost: '4000002001000007',
  oneMore: '4000003002000004',
  threeDs: '4000001001000009',
};

let folder: string;
let sandbox: Sandbox;
const undo: (() => Promise<void>)[] = [];

async function newMachine(name: string): Promise<Machine> {
  const machine = await startMachine(path.join(folder, name), PROGRAMS ?? '');
  undo.push(machine.stop);
  return machine;
}

const environment = (ownerUrl: string): Record<string, string> => ({
  DATABASE_URL: serverUrlOf(ownerUrl),
  PORT: String(PORT),
  PUBLIC_ORIGIN: `http://localhost:${PORT}`,
  LOG_LEVEL: 'error',
  SECRETS_KEY,
  CLIP_API_BASE: sandbox.apiUrl,
  CLIP_3DS_ORIGINS: sandbox.threeDsOrigin,
  TAPI_LOGIN_BASE: sandbox.apiUrl,
  TAPI_API_BASE: sandbox.apiUrl,
  FACTURA_GREEN_BASE: sandbox.apiUrl,
  SMTP_URL: `smtp://127.0.0.1:${sandbox.smtpPort}`,
});

async function startServer(ownerUrl: string, clocks: object): Promise<Program> {
  const server = await startProgram({
    name: 'server',
    file: MAIN,
    env: { ...environment(ownerUrl), TEST_CLOCKS: JSON.stringify(clocks) },
    readyUrl: `http://127.0.0.1:${PORT}/readyz`,
    logFile: path.join(folder, 'server.log'),
  });
  undo.push(server.stop);
  return server;
}

function scriptEnvironment(ownerUrl: string): Record<string, string> {
  const secret = path.join(folder, 'database-url');
  fs.writeFileSync(secret, `${ownerUrl}\n`);
  return { PATH: `${PROGRAMS}:${process.env['PATH']}`, DATABASE_OWNER_URL_FILE: secret };
}

function script(name: string, ownerUrl: string, env: Record<string, string>, ...args: string[]) {
  return spawnSync('sh', [path.join(OPS, name), ...args], {
    encoding: 'utf8',
    env: { ...scriptEnvironment(ownerUrl), ...env },
  });
}

async function call(method: string, url: string, token?: string, body?: unknown) {
  const reply = await fetch(`http://127.0.0.1:${PORT}${url}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status} ${text}`);
  return (JSON.parse(text) as { data: any }).data;
}

async function control(method: string, url: string, body?: unknown): Promise<any> {
  const reply = await fetch(`${sandbox.apiUrl}/control/${url}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return text === '' ? undefined : JSON.parse(text);
}

const signIn = async () =>
  (await call('POST', '/v1/TokenBuyer/Authenticate', undefined, {
    user: 'otra@aparta.mx',
    password: 'aparta-demo-2026',
  })) as { id: number; token: string };

/** Pays, or tries to pay, the deposit of a product of merchant 1. */
async function payDeposit(token: string, productId: number, card: string): Promise<void> {
  const reference = await call('POST', '/v1/PullApartReference', token, {
    Referencia: `1|1|${productId}|0||||0`,
    repeat: true,
  });
  const { clipApiKey } = await call('GET', `/v1/Business/GetAsync/${reference.businessId}`, token);
  const { id } = await control('POST', 'tokens', { number: card, apiKey: clipApiKey });
  await call('POST', '/v1/Clib/CreatePaymentsAsync', token, {
    amount: reference.cardTotal,
    currency: 'MXN',
    payment_method: { token: id },
    apartaBusinnessId: reference.businessId,
    referencia: reference.paymentReference,
    intentoId: randomUUID(),
  });
}

const numbersOf = async (url: string) =>
  (await query<{ reference: string }>(url, 'select reference from payment_references')).map(
    ({ reference }) => reference,
  );

/** The number of a settlement report of merchant 1 that is handed over now. */
async function issueToday(url: string): Promise<number> {
  const today = mexicoCityDate(new Date());
  const shop = openDb({ url, role: 'none', max: 1 });
  try {
    const issue = { merchantId: 1, from: today, to: today };
    return await transaction(shop, async (tx) => (await issueReport(tx, issue)).number);
  } finally {
    await shop.destroy();
  }
}

const statesOf = async (url: string) =>
  (await query<{ state: string }>(url, 'select distinct state from card_attempts order by 1')).map(
    ({ state }) => state,
  );

describe.skipIf(PROGRAMS === undefined)('a shop that is lost after its backup', () => {
  let old: Machine;
  let fresh: Machine;
  let db: Db;
  let backup: string;
  let known: string[];
  let lost: string[];
  let lostReport: number;
  let lateCharge: { id: string; amount: number };

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-backup-'));
    fs.chmodSync(folder, 0o755);
    sandbox = await createSandbox({ productOrigin: `http://localhost:${PORT}` });
    old = await newMachine('old');
    await migrate(old.url, { serverUrl: serverUrlOf(old.url) });
    const read = readSettings({ ...environment(old.url), DATABASE_OWNER_URL: old.url });
    if ('problems' in read) throw new Error(read.problems.join('; '));
    await makeDemo(read.settings);
  });
  afterAll(async () => {
    for (const step of undo.splice(0).reverse()) await step();
    await sandbox.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  test('leaves one whole file and its checksum, says when in the audit log, and keeps the newest', async () => {
    const server = await startServer(old.url, { unknownPollsMs: [600_000], chargeTimeoutMs: 1_000 });
    const { token } = await signIn();
    await control('POST', 'webhooks', { drop: true });
    await payDeposit(token, 2, CARDS.replyLost);
    await payDeposit(token, 3, CARDS.oneMore);
    await payDeposit(token, 4, CARDS.threeDs);
    expect(await statesOf(old.url)).toEqual(['applied', 'held', 'pending_3ds', 'unknown']);

    const dir = path.join(folder, 'backups');
    fs.mkdirSync(dir);
    for (const day of ['01', '02', '03'])
      fs.writeFileSync(path.join(dir, `aparta-202601${day}T000000Z.dump`), '');
    const { status, stderr } = script('backup.sh', old.url, { BACKUP_DIR: dir, BACKUP_KEEP: '2' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [kept, name = '', checksum, ...more] = fs.readdirSync(dir).toSorted();
    expect([kept, checksum, more]).toEqual(['aparta-20260103T000000Z.dump', `${name}.sha256`, []]);
    backup = path.join(dir, name);
    expect(fs.statSync(backup).mode & 0o077).toBe(0);
    const said = await query(old.url, `select subject_id, detail from audit_log where command = 'backup'`);
    expect(said).toEqual([{ subject_id: name, detail: { bytes: fs.statSync(backup).size } }]);

    // What the backup does not know: somebody pays, is told so, and then the machine is gone.
    const before = (await control('GET', 'log')).payments.length as number;
    known = await numbersOf(old.url);
    await payDeposit(token, 5, CARDS.approved);
    lost = (await numbersOf(old.url)).filter((number) => !known.includes(number));
    lostReport = await issueToday(old.url);
    lateCharge = (await control('GET', 'log')).payments[before];
    expect(lateCharge).toMatchObject({ status: 'approved' });
    await server.kill();
    await old.stop();
  });

  test('is restored on an empty machine, whole: the books hold and nothing that was known is missing', async () => {
    fresh = await newMachine('fresh');
    const damaged = path.join(folder, path.basename(backup));
    fs.copyFileSync(`${backup}.sha256`, `${damaged}.sha256`);
    fs.writeFileSync(damaged, fs.readFileSync(backup).subarray(0, -100));
    expect(script('restore.sh', fresh.url, {}, damaged).stderr).toContain('is damaged');

    const erasures = path.join(folder, 'erasures');
    fs.writeFileSync(erasures, '2026-01-01T00:00:00.000Z 1001\n');
    const { status, stderr, stdout } = script('restore.sh', fresh.url, { ERASURES_FILE: erasures }, backup);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(
      `Before any server runs, erase again who was erased since: buyer erase-again ${erasures}`,
    );
    expect(stdout).not.toContain('Start the servers');
    expect(
      await query(fresh.url, `select from buyers where email like 'erased-1001-%' and id = 1001`),
    ).toHaveLength(1);
    expect(script('restore.sh', fresh.url, {}, backup)).toMatchObject({
      status: 1,
      stderr: 'The database is not empty: nothing was changed.\n',
    });
    db = openDb({ url: fresh.url, role: 'none', max: 2 });
    undo.push(() => db.destroy());
    expect(await proveBooks(db)).toEqual([]);
    expect(await statesOf(fresh.url)).toEqual(['applied', 'held', 'pending_3ds', 'unknown']);
    expect(await migrate(fresh.url, { serverUrl: serverUrlOf(fresh.url) })).toEqual([]);
    // What is booked from now on stands behind what was restored, for whoever reads on.
    expect(
      await query(
        fresh.url,
        'select from ledger_events having max(position) between 1 and journal_horizon() - 1000000',
      ),
    ).toHaveLength(1);
  });

  test('is moved on once it takes changes: a cluster that is led back to a moment answers long before', async () => {
    await query(fresh.url, 'alter database shop set default_transaction_read_only = on');
    const away = path.join(folder, 'erasures-of-the-lost-machine');
    const moves = spawn('sh', [path.join(OPS, 'after-restore.sh'), '2026-11-22 10:00:00+00'], {
      env: { ...scriptEnvironment(fresh.url), ERASURES_FILE: away },
    });
    let said = '';
    for (const stream of [moves.stdout, moves.stderr]) stream.on('data', (text) => (said += text));
    const ends = once(moves, 'close');
    await expect.poll(() => said, PATIENCE).toContain('takes no changes yet');
    await query(
      fresh.url,
      'begin read write; alter database shop reset default_transaction_read_only; commit',
    );
    expect((await ends)[0]).toBe(0);
    expect(said.trim().split('\n').slice(1)).toEqual([expect.stringContaining(`${away} cannot be read`)]);
    expect(
      await query(fresh.url, `select from audit_log where subject_id = '2026-11-22 10:00:00+00'`),
    ).toHaveLength(1);
  });

  test('goes on: buyers sign in, jobs run, and the lost reply is resolved', async () => {
    await startServer(fresh.url, { unknownPollsMs: [600_000] });
    const { token, id } = await signIn();
    await query(
      fresh.url,
      `update graphile_worker._private_jobs set run_at = now() where key like 'resolve:%'`,
    );
    await expect.poll(() => statesOf(fresh.url), PATIENCE).toEqual(['applied', 'held', 'pending_3ds']);
    expect(await call('GET', `/v1/Cxc/ByBuyerIdH/${id}`, token)).toHaveLength(2);
  });

  test('finds the payment that nobody remembers, and keeps it for a person instead of losing it', async () => {
    const found = () =>
      query(
        fresh.url,
        `select a.state, a.captured_centavos::int as captured, l.kind as alert from card_attempts a
          join alerts l on l.subject = a.provider_payment_id where a.provider_payment_id = '${lateCharge.id}'`,
      );
    await expect
      .poll(found, PATIENCE)
      .toEqual([{ state: 'held', captured: lateCharge.amount * 100, alert: 'unknown_payment' }]);
    expect(await proveBooks(db)).toEqual([]);
  });

  test('never prints a number again that is on somebody’s paper', async () => {
    expect(lost.length).toBeGreaterThan(1); // its reference and its instalments
    const given = (await numbersOf(fresh.url)).filter((number) => !known.includes(number));
    expect(given.length).toBeGreaterThan(1); // those of the purchase that was paid off since
    expect(given.filter((number) => lost.includes(number))).toEqual([]);
    expect(await issueToday(fresh.url)).toBeGreaterThan(lostReport);
  });
});
