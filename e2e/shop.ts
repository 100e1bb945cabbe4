import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { LayawayReference } from '@aparta/contract/layaway';
import { brokenProofs } from '@aparta/tools/broken-proofs';
import { startProduct, type Product } from '@aparta/tools/product';
import { hash } from '@node-rs/argon2';
import pg from 'pg';
import { expect } from 'vitest';

const PASSWORD = 'una-clave-larga-7';
/** By a hash that is checked in no time: hashing has tests of its own. */
const hashed = (password: string) => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });

/** Minutes become seconds here, and limits are raised so that journeys do not use up each other's tries. */
const TEST_CLOCKS = {
  patienceMs: 5_000,
  submittingMs: 4_000,
  notFoundCountsAfterMs: 1_500,
  unknownPollsMs: [400, 800, 1_600, 2_400],
  threeDsPollsMs: [1_000, 2_000, 3_000],
  watchPollsMs: [1_000, 2_000],
  pollEveryMs: 2_000,
  coalesceMs: 100,
  jobsPollMs: 1_000,
  emailsPollMs: 500,
  chargeTimeoutMs: 3_000,
  readTimeoutMs: 2_000,
  attemptsPerAddress: 10_000,
  attemptsUnconfirmed: 10_000,
  rejectionsPerMerchant: 10_000,
  rejectionsPerCard: 10_000,
  rejectedCardsUntil3ds: 10_000,
  rejectedCardsPerAddress: 10_000,
  breakerPauseMs: 1,
  signUpPerAddress: { times: 10_000, seconds: 3_600 },
  lookUpPerAddress: { times: 10_000, seconds: 600 },
};

/**
 * The demo merchant that takes cards, its first product (3,000.00, 20 %, two more instalments), and the one
 * without cards.
 */
const MERCHANT = { id: 1, productId: 1 };
export const WITHOUT_CARDS = 3;
const TILL = { user: 'caja-demo', password: 'caja-demo-2026' };
/** Of the demo's staff, and of its buyer, who has purchases in every state. */
export const DEMO_PASSWORD = 'aparta-demo-2026';
const DEMO_BUYER = { email: 'demo@aparta.mx', password: DEMO_PASSWORD };

/** Test cards by outcome; the sandbox's README lists them all. */
export const CARDS = {
  approved: '4555128482797669',
  debit: '4208318689081956',
  threeDs: '4000001001000009',
  threeDsApprovedAlone: '4000001004000006',
  replyLost: '4000002001000007',
  nothingHappened: '4000002002000006',
  answersLate: '4000002003000005',
  insufficientFunds: '4000004001000003',
  oneMore: '4000003002000004',
  callTheBank: '4000004011000001',
} as const;

export interface Buyer {
  readonly id: number;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  /** What session storage holds when a buyer is signed in. */
  readonly session: Readonly<Record<string, string>>;
}

/** An instalment in wire form. */
export interface Instalment {
  readonly id: number;
  readonly ventaId: number;
  readonly identificador: number;
  readonly fechaVencimiento: string;
  readonly valor: number;
  readonly saldo: number;
  readonly paymentReference: string;
}

/** A payment as the sandbox's own log has it. */
export interface Charge {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly external_reference: string;
}

/**
 * The product as `npm start` runs it (database, sandbox, server, demo data), with ways to check what it did.
 */
export interface Shop {
  readonly origin: string;
  readonly sandboxOrigin: string;
  readonly server: Product['server'];
  /** The e-mail is confirmed unless `isConfirmed` is false: until then every card payment requires 3DS. */
  newBuyer(userName?: string, given?: { isConfirmed?: boolean }): Promise<Buyer>;
  /** The demo buyer with purchases in every state. Shared by all journeys: read only. */
  demoBuyer(): Promise<Buyer>;
  /** A product for one journey, of the merchant with cards by default. */
  newProduct(pricePesos?: number, merchantId?: number, name?: string): Promise<number>;
  /** A live layaway reference, made through the API. */
  newReference(buyer: Buyer, given?: { merchantId?: number; productId?: number }): Promise<LayawayReference>;
  /**
   * A purchase whose deposit was paid at a till (600.00 of 3,000.00, two of 1,200.00 left); returns its
   * instalments.
   */
  newPurchase(buyer: Buyer): Promise<Instalment[]>;
  /** Purchases at one merchant whose second instalment is ten days late; their ids. */
  newLatePurchases(buyer: Buyer, count: number): Promise<number[]>;
  /** The instalments of a purchase, the deposit first. */
  planOf(buyer: Buyer, purchaseId: number): Promise<Instalment[]>;
  /** One call to the product's API. */
  ask(call: string, given?: { token?: string; body?: unknown }): Promise<{ status: number; body: any }>;
  /** One call to the sandbox's control API. */
  control(call: string, body?: unknown): Promise<any>;
  query<Row extends pg.QueryResultRow = any>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** The sandbox's log for a buyer: the number of charge requests, and every payment. */
  providerRecord(buyer: Pick<Buyer, 'id'>): Promise<{ calls: number; payments: Charge[] }>;
  /** The provider sends no notices and answers no queries until `restoreProvider`. */
  hideProvider(): Promise<void>;
  /** Clears faults, held replies and withheld notices. Runs after every journey. */
  restoreProvider(): Promise<void>;
  /** Backdates a buyer's attempts so that their time limits pass. */
  age(buyer: Buyer, ms: number): Promise<void>;
  /** Backdates a layaway reference so that it expired days ago. */
  expire(referenceId: number): Promise<void>;
  /** Pays a reference at the sandbox's till, as a cashier does. */
  payAtTill(reference: Pick<LayawayReference, 'paymentReference' | 'tillTotal'>): Promise<void>;
  /**
   * Ends every money journey. Waits, without a browser, until none of the buyer's attempts is open; then
   * checks that the sandbox charged exactly `charged` times, the buyer has exactly `purchases`, and the books
   * balance.
   */
  settle(buyer: Pick<Buyer, 'id'>, expected: { charged: number; purchases: number }): Promise<void>;
  proveBooks(): Promise<void>;
  stop(): Promise<void>;
}

/** Begins with a copy of `madeData`, or makes the demo itself. */
export async function openShop(madeData?: string): Promise<Shop> {
  const dataDir = newFolder();
  const removeData = () => fs.rmSync(dataDir, { recursive: true, force: true });
  if (madeData !== undefined) copyData(madeData, dataDir);
  const product = await start(dataDir).catch((error: unknown) => {
    removeData();
    throw error;
  });
  // If a program exits on its own the journeys fail with its last output.
  void product.broken.then((sentence) => {
    const logs = ['server', 'sandbox'].map((name) =>
      fs.readFileSync(path.join(dataDir, `${name}.log`), 'utf8'),
    );
    console.error(sentence, ...logs.map((log) => log.slice(-2_000)));
  });
  const pool = new pg.Pool({ connectionString: product.databaseUrl, max: 4 });
  pool.on('error', () => {}); // the database stops after us, and says so
  const { origin, sandboxOrigin } = product;

  const query: Shop['query'] = async (sql, values) => (await pool.query(sql, values)).rows as any;

  await query('update staff set password_hash = $1', [await hashed(DEMO_PASSWORD)]);
  await query('update service_accounts set secret_hash = $1 where user_name = $2', [
    await hashed(TILL.password),
    TILL.user,
  ]);

  async function ask(call: string, { token, body }: { token?: string; body?: unknown } = {}) {
    return talk(origin, call, body, token === undefined ? {} : { authorization: `Bearer ${token}` });
  }

  async function control(call: string, body?: unknown) {
    const answer = await talk(sandboxOrigin, call, body);
    if (answer.status !== 200) throw new Error(`${call}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async function must(call: string, given: { token?: string; body?: unknown }) {
    const { status, body } = await ask(call, given);
    if (status !== 200) throw new Error(`${call}: ${status} ${JSON.stringify(body)}`);
    return body.data;
  }

  async function newBuyer(userName = 'Ana Torres', { isConfirmed = true } = {}): Promise<Buyer> {
    const email = `ana-${randomUUID().slice(0, 8)}@example.mx`;
    const phone = '5512345678';
    // Signing up, which judges the password, is for who still has to confirm their address: by the link of its email.
    if (isConfirmed)
      await query(
        `insert into buyers (email, user_name, name, phone, password_hash, email_confirmed_at)
         values ($1, $2, $2, $3, $4, now())`,
        [email, userName, phone, await hashed(PASSWORD)],
      );
    else
      await must('POST /v1/SecurityBuyer/InsertAsync', {
        body: { user: email, userName, phone, password: PASSWORD },
      });
    return signIn(email, PASSWORD);
  }

  async function signIn(email: string, password: string): Promise<Buyer> {
    const { token, ...profile } = await must('POST /v1/TokenBuyer/Authenticate', {
      body: { user: email, password },
    });
    return { id: profile.id, email, password, token, session: { token, user: JSON.stringify(profile) } };
  }

  let demo: Promise<Buyer> | undefined;

  const newReference: Shop['newReference'] = (
    buyer,
    { merchantId = MERCHANT.id, productId = MERCHANT.productId } = {},
  ) =>
    must('POST /v1/PullApartReference', {
      token: buyer.token,
      body: { Referencia: layawayReference({ merchantId, productId }), repeat: true },
    });

  const payAtTill: Shop['payAtTill'] = async ({ paymentReference, tillTotal }) => {
    const form = {
      referencia: paymentReference,
      importe: String(tillTotal),
      ...TILL,
      compañia: 'CAJA-DEMO',
      sucursal: '1',
    };
    const response = await fetch(`${sandboxOrigin}/till`, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
    });
    expect(response.status).toBe(303);
  };

  const planOf: Shop['planOf'] = ({ token }, purchaseId) =>
    must(`GET /v1/Cxc/ByBusinesidVentaidDateD/${purchaseId}`, { token });

  async function attemptIds(buyer: Pick<Buyer, 'id'>): Promise<string[]> {
    const rows = await query('select id from card_attempts where buyer_id = $1', [buyer.id]);
    return rows.map(({ id }) => id as string);
  }

  async function providerRecord(buyer: Pick<Buyer, 'id'>) {
    const ids = new Set(await attemptIds(buyer));
    const { attempts, payments } = await control('GET /control/log');
    return {
      calls: attempts.filter((one: any) => ids.has(one.externalReference)).length,
      payments: payments.filter((one: Charge) => ids.has(one.external_reference)),
    };
  }

  async function proveBooks(): Promise<void> {
    expect(await brokenProofs(product.databaseUrl)).toEqual([]);
  }

  return {
    origin,
    sandboxOrigin,
    server: product.server,
    query,
    ask,
    control,
    newBuyer,
    demoBuyer: () => (demo ??= signIn(DEMO_BUYER.email, DEMO_BUYER.password)),
    newReference,
    payAtTill,
    planOf,
    providerRecord,
    proveBooks,
    async newProduct(pricePesos = 3_000, merchantId = MERCHANT.id, name = 'Horno de prueba') {
      const [row] = await query(
        `insert into products (merchant_id, name, description, sku, sale_price_centavos)
         values ($1, $3, 'Para una prueba', 'PRUEBA-' || gen_random_uuid(), $2) returning id`,
        [merchantId, pricePesos * 100, name],
      );
      return Number(row.id);
    },
    async newPurchase(buyer) {
      await payAtTill(await newReference(buyer));
      const [made] = await query('select max(id) as id from purchases where buyer_id = $1', [buyer.id]);
      return planOf(buyer, Number(made.id));
    },
    async newLatePurchases(this: Shop, buyer, count) {
      const ids = [];
      for (let made = 0; made < count; made += 1) {
        const [first] = await this.newPurchase(buyer);
        ids.push(first?.ventaId ?? 0);
      }
      await query(`
        alter table instalments disable trigger instalments_keep_their_plan;
        update instalments set due_on = due_on - 40 where purchase_id in (${ids.join()});
        alter table instalments enable trigger instalments_keep_their_plan`);
      return ids;
    },
    async hideProvider() {
      await control('POST /control/webhooks', { drop: true });
      await control('POST /control/faults', {
        call: 'listPayments',
        kind: 'status',
        status: 500,
        times: 1_000,
      });
    },
    async restoreProvider() {
      await control('DELETE /control/faults');
      await control('POST /control/webhooks', {});
    },
    async age(buyer, ms) {
      await query(
        `update card_attempts set created_at = created_at - $2 * interval '1 ms',
           state_since = state_since - $2 * interval '1 ms' where buyer_id = $1`,
        [buyer.id, ms],
      );
    },
    async expire(referenceId) {
      await query(
        `update layaway_references set created_at = created_at - interval '9 days',
           expires_at = expires_at - interval '9 days' where id = $1`,
        [referenceId],
      );
    },
    async settle(buyer, { charged, purchases }) {
      const open = async () =>
        query(
          `select state from card_attempts where buyer_id = $1
             and state in ('submitting', 'pending_3ds', 'unknown')`,
          [buyer.id],
        );
      await expect.poll(open, { timeout: 20_000, interval: 100 }).toEqual([]);
      const { payments } = await providerRecord(buyer);
      expect(payments.filter(({ status }: Charge) => status === 'approved')).toHaveLength(charged);
      expect(await query('select id from purchases where buyer_id = $1', [buyer.id])).toHaveLength(purchases);
      await proveBooks();
    },
    async stop() {
      await pool.end();
      await product.stop();
      removeData();
    },
  };
}

/** The text of a product's QR (spec §3). Only merchant and product count; the rest is informative. */
export function layawayReference({
  merchantId = MERCHANT.id,
  productId = MERCHANT.productId,
  printed = '3000.00|3|600.00',
}: {
  merchantId?: number;
  productId?: number;
  printed?: string;
} = {}): string {
  return `1|${merchantId}|${productId}|0|${printed}|0`;
}

/** The link that the QR holds. */
export function qrLink(origin: string, reference = layawayReference()): string {
  return `${origin}/?ref=${encodeURIComponent(reference)}`;
}

/** A folder with the demo's data, for products of one run to begin with. */
export async function makeDemoData(): Promise<string> {
  const dataDir = newFolder();
  const product = await start(dataDir);
  await product.stop();
  return dataDir;
}

function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-e2e-'));
  fs.chmodSync(folder, 0o755); // as root the database runs under another user, who must be able to enter
  return folder;
}

function copyData(from: string, to: string): void {
  fs.cpSync(from, to, { recursive: true });
  fs.chmodSync(path.join(to, 'postgres'), 0o700); // PostgreSQL refuses a folder that others may read
}

/** Five consecutive free ports; others, when another program takes one before or after they were found free. */
async function start(dataDir: string, triesLeft = 5): Promise<Product> {
  const port = 20_000 + 10 * Math.floor(Math.random() * 1_200);
  try {
    return await startProduct({
      dataDir,
      port,
      sandboxPort: port + 1,
      demo: 'when-empty',
      databaseSettings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
      env: { TEST_CLOCKS: JSON.stringify(TEST_CLOCKS), LOG_LEVEL: 'info' },
    });
  } catch (error) {
    if (triesLeft === 0 || !/ in use\b/.test(String(error))) throw error;
    return start(dataDir, triesLeft - 1);
  }
}

async function talk(origin: string, call: string, body?: unknown, headers: Record<string, string> = {}) {
  const [method = 'GET', address = '/'] = call.split(' ');
  const response = await fetch(origin + address, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}
