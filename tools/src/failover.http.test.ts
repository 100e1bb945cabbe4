import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createSandbox, type Sandbox } from '@aparta/sandbox/app';
import { openSession } from '@aparta/server/accounts/sessions/session';
import { confirmEmailOf, insertBuyer } from '@aparta/server/accounts/buyers/store';
import { openDb, type Db } from '@aparta/server/platform/db/db';
import { migrate } from '@aparta/server/platform/db/migrate';
import { transaction } from '@aparta/server/platform/db/transaction';
import { readSettings } from '@aparta/server/env';
import { proveBooks } from '@aparta/server/ledger/books/proofs.read-model';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { serverProgram } from './build-product.ts';
import { MERCHANTS, TILL } from '../demo/shops.ts';
import { makeDemo } from './make-demo.ts';
import { wholePostgres } from './postgres-programs.ts';
import { type Program, startProgram } from './program.ts';
import { query } from './query.ts';
import { serverUrlOf } from './server-url.ts';
import { type Machine, startMachine, startStandby } from './temporary-machine.ts';

/**
 * Two servers, each with its worker, over a primary and its synchronous standby. Buyers go on paying, by card and at a till,
 * while a server is killed and comes back, and while the primary is killed and the standby takes its place. What somebody was
 * told is paid must stay paid; the provider's twin is the oracle that nothing was taken twice.
 */
const PROGRAMS = wholePostgres('two servers and a standby');
const PORTS = [3251, 3252];
const MAIN = serverProgram();
const BUYERS = 8;
const PRODUCTS = [1, 2, 5];
const CARDS = ['4555128482797669', '4555128482797669', '4000002001000007']; // approved; charged, reply lost
const CLOCKS = {
  sendWithinMs: 5_000,
  submittingMs: 1_500,
  chargeTimeoutMs: 1_500,
  readTimeoutMs: 1_500,
  unknownPollsMs: [300, 800, 1_500, 2_500, 4_000],
  notFoundCountsAfterMs: 3_000,
  pollEveryMs: 1_000,
  coalesceMs: 0,
  breakerPauseMs: 1,
  rejectionsPerBuyer: 99_999,
  rejectionsPerReference: 99_999,
  rejectionsPerMerchant: 99_999,
  attemptsPerAddress: 999_999,
};

type Acknowledged = { kind: 'card' | 'till'; id: string };

describe.skipIf(PROGRAMS === undefined)('two servers and a standby', () => {
  const undo: (() => Promise<void>)[] = [];
  const servers: (Program | undefined)[] = [];
  /** What somebody was told is paid. */
  const acknowledged: Acknowledged[] = [];
  let folder: string;
  let sandbox: Sandbox;
  let primary: Machine;
  let standby: Machine;
  let url: string;
  let db: Db;
  let tokens: string[];
  let tillToken: string;
  let isOver = false;

  const settings = (): Record<string, string> => ({
    DATABASE_URL: serverUrlOf(url),
    PUBLIC_ORIGIN: `http://localhost:${PORTS[0]}`,
    LOG_LEVEL: 'error',
    SECRETS_KEY: randomBytes(32).fill(7).toString('base64'),
    CLIP_API_BASE: sandbox.apiUrl,
    CLIP_3DS_ORIGINS: sandbox.threeDsOrigin,
    TAPI_LOGIN_BASE: sandbox.apiUrl,
    TAPI_API_BASE: sandbox.apiUrl,
    FACTURA_GREEN_BASE: sandbox.apiUrl,
    SMTP_URL: `smtp://127.0.0.1:${sandbox.smtpPort}`,
    TEST_CLOCKS: JSON.stringify(CLOCKS),
  });

  async function startServer(which: number): Promise<void> {
    servers[which] = await startProgram({
      name: 'server',
      file: MAIN,
      env: { ...settings(), PORT: String(PORTS[which]) },
      readyUrl: `http://127.0.0.1:${PORTS[which]}/readyz`,
      logFile: path.join(folder, `server-${which}.log`),
    });
  }

  /** Somebody behind a balancer: what gets no answer, or one that is our fault, is sent again, the same, to the other server. */
  async function ask(method: string, where: string, token: string, body?: object): Promise<any> {
    const deadline = Date.now() + 40_000;
    for (let turn = Math.trunc(Math.random() * 2); ; turn += 1) {
      try {
        const reply = await fetch(`http://127.0.0.1:${PORTS[turn % PORTS.length]}${where}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(10_000),
        });
        const answer = (await reply.json()) as any;
        if (reply.status < 500) return answer;
        if (Date.now() > deadline) throw new Error(`${where}: ${reply.status} ${JSON.stringify(answer)}`);
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
      await pause(100);
    }
  }

  async function control(method: string, where: string, body?: unknown): Promise<any> {
    const reply = await fetch(`${sandbox.apiUrl}/control/${where}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return text === '' ? undefined : JSON.parse(text);
  }

  async function payByCard(token: string, reference: any, card: string): Promise<void> {
    const apiKey = MERCHANTS[0]?.cardKeys?.publicKey;
    const made = await control('POST', 'tokens', { number: card, apiKey });
    const intentoId = randomUUID();
    const { data } = await ask('POST', '/v1/Clib/CreatePaymentsAsync', token, {
      amount: reference.cardTotal,
      currency: 'MXN',
      payment_method: { token: made.id },
      apartaBusinnessId: reference.businessId,
      referencia: reference.paymentReference,
      intentoId,
    });
    if (data?.state === 'applied') acknowledged.push({ kind: 'card', id: intentoId });
  }

  async function payAtTill(reference: any, branch: number): Promise<void> {
    const idtransaccion = randomUUID();
    const answer = await ask('POST', '/PosOperations/OnLayaway', tillToken, {
      compañia: TILL.chain,
      sucursal: String(branch),
      idtransaccion,
      referencia: reference.paymentReference,
      importe: reference.deposit,
    });
    if (answer.error === 0) acknowledged.push({ kind: 'till', id: idtransaccion });
  }

  /** Buys one thing after the other until it is over, by card and at the till in turn. */
  async function live(token: string, buyer: number): Promise<void> {
    for (let round = buyer; !isOver; round += 1) {
      const { code, data: reference } = await ask('POST', '/v1/PullApartReference', token, {
        Referencia: `1|1|${PRODUCTS[round % PRODUCTS.length]}|0||||0`,
        repeat: true,
      });
      if (code === 'TOO_MANY') return; // nobody reserves without end
      expect(reference, code).not.toBeNull();
      if (round % 3 === 0) await payAtTill(reference, buyer);
      else await payByCard(token, reference, CARDS[round % CARDS.length] ?? '');
    }
  }

  const acknowledgedMore = async (count: number) => {
    const enough = acknowledged.length + count;
    await expect
      .poll(() => acknowledged.length, { timeout: 30_000, interval: 20 })
      .toBeGreaterThanOrEqual(enough);
  };

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-failover-'));
    fs.chmodSync(folder, 0o755);
    sandbox = await createSandbox({ productOrigin: `http://localhost:${PORTS[0]}` });
    primary = await startMachine(path.join(folder, 'one'), PROGRAMS ?? '');
    undo.push(primary.stop);
    standby = await startStandby(path.join(folder, 'two'), primary, PROGRAMS ?? '');
    undo.push(standby.stop);
    await primary.administer(`alter system set synchronous_standby_names = 'standby'`);
    await primary.administer('select pg_reload_conf()');
    await vi.waitFor(
      async () => {
        const [row] = await primary.administer('select sync_state from pg_stat_replication');
        if (row?.['sync_state'] !== 'sync') throw new Error('the standby does not follow yet');
      },
      { timeout: 10_000 },
    );

    // The standby comes first: who takes writes has to be found out.
    url = primary.url.replace(/@[^/]+/, `@${new URL(standby.url).host},${new URL(primary.url).host}`);
    await migrate(url, { serverUrl: serverUrlOf(url) });
    db = openDb({ url, role: 'none', max: 4 });
    undo.push(() => db.destroy());
    const read = readSettings({
      ...settings(),
      DATABASE_URL: serverUrlOf(primary.url),
      DATABASE_OWNER_URL: primary.url,
    });
    if ('problems' in read) throw new Error(read.problems.join('; '));
    await makeDemo(read.settings);
    tokens = await Promise.all(
      Array.from({ length: BUYERS }, async (_, n) => {
        // Nobody signs in with it, so that no password has to be hashed.
        const buyer = { email: `buyer-${n}@example.mx`, userName: 'Ana', phone: '5512345678' };
        const id = await transaction(db, async (tx) => {
          const terms = { termsAccepted: false, termsVersion: undefined };
          const buyerId = await insertBuyer(tx, { ...buyer, ...terms, passwordHash: 'x' });
          await confirmEmailOf(tx, buyerId);
          return buyerId;
        });
        return openSession(db, id);
      }),
    );
    await Promise.all(PORTS.map((_, which) => startServer(which)));
    undo.push(async () => {
      for (const server of servers) await server?.stop();
    });
    tillToken = (
      await ask('POST', '/User/authenticate', '', { User: TILL.userName, Password: TILL.password })
    ).token;
  });
  afterAll(async () => {
    for (const step of undo.splice(0).reverse()) await step();
    await sandbox.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  test('a server dies and comes back, then the primary dies and the standby serves: all that was told stands, once', async () => {
    const lives = tokens.map(live);
    try {
      await acknowledgedMore(8);
      await servers[0]?.kill();
      await acknowledgedMore(12);
      await startServer(0);
      await acknowledgedMore(8);
      primary.kill();
      await standby.administer('select pg_promote()');
      await acknowledgedMore(30);
    } finally {
      isOver = true;
    }
    await Promise.all(lives);

    // Whatever the workers held when their server or the database died is taken up minutes later: let them pass.
    await rows(`update graphile_worker._private_jobs set locked_at = locked_at - interval '6 minutes'`);
    await rows(`select graphile_worker.add_job('free_dead_jobs')`);
    // A buyer who pays again while a payment hangs is sent to their bank's window, where nobody answers here: no money is under way.
    const open = `
      select 'attempt ' || state as what from card_attempts where state in ('submitting', 'unknown')
      union all select 'refund ' || state from refunds where state <> 'done' and method = 'card'`;
    await expect.poll(() => rows(open), { timeout: 25_000, interval: 200 }).toEqual([]);

    expect(await proveBooks(db)).toEqual([]);
    expect(await lost(acknowledged)).toEqual([]);
    expect(await unlikeTheProvider()).toEqual([]);
    const kinds = new Set(acknowledged.map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(['card', 'till']));
  });

  const rows = <T extends object>(statement: string) => query<T>(standby.url, statement);

  /** Payments that somebody was told of and that the books do not have. */
  async function lost(payments: readonly Acknowledged[]): Promise<Acknowledged[]> {
    const found = await rows<{ id: string }>(`
      select intent_id::text as id from card_attempts a
      join receipts r on r.channel = 'card' and r.source_id = a.id::text where a.state = 'applied'
      union all select transaction_id from till_operations o
      join receipts r on r.channel = 'till' and r.source_id = o.id::text where o.state = 'authorised'`);
    const kept = new Set(found.map(({ id }) => id));
    return payments.filter(({ id }) => !kept.has(id));
  }

  /** Charges that the provider made, or gave back, and that our books say otherwise of; references that were paid twice. */
  async function unlikeTheProvider(): Promise<string[]> {
    const attempts = await rows<{ id: string; reference: string | null; net: number }>(`
      select id::text, reference_id::text as reference, (captured_centavos - refunded_centavos)::int as net
      from card_attempts`);
    const booked = new Map(attempts.map(({ id, net }) => [id, net]));
    const { payments } = (await control('GET', 'log')) as {
      payments: { status: string; amount: number; amount_refunded: number; external_reference: string }[];
    };
    const taken = new Map<string, number>();
    for (const { status, amount, amount_refunded, external_reference: id } of payments) {
      const net = status === 'approved' || status === 'refunded' ? (amount - amount_refunded) * 100 : 0;
      taken.set(id, (taken.get(id) ?? 0) + Math.round(net));
    }
    const differing = [...new Set([...taken.keys(), ...booked.keys()])].filter(
      (id) => (taken.get(id) ?? 0) !== (booked.get(id) ?? 0),
    );
    const paid = attempts.filter(({ net }) => net > 0).map(({ reference }) => reference ?? '');
    return [...differing, ...paid.filter((reference, place) => paid.indexOf(reference) !== place)];
  }
});
