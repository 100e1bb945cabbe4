import { randomUUID } from 'node:crypto';
import { createSandbox, type Sandbox } from '@aparta/sandbox/app';
import { jobHandlers } from '../src/worker.ts';
import { proveBooks } from '../src/ledger/books/proofs.read-model.ts';
import { createLog } from '../src/platform/logging.ts';
import { type Answer, startTestApp, type TestApp } from './app.ts';
import { type MadeBuyer, makeBuyer, makeMerchant, makeProduct, type MerchantGiven } from './make.ts';

/** A key pair that the provider's sandbox knows from the start. */
export const MERCHANT_KEYS = { publicKey: 'a0000000-0000-4000-8000-000000000001', secret: 'demo-secret-1' };

/** Cards by what they do; all of them are in the sandbox's README. */
export const CARDS = {
  approved: '4555128482797669',
  insufficientFunds: '4555126387272952',
  threeDs: '4000001001000009',
  threeDsRejected: '4000001003000007',
  approvedAlone: '4000001004000006',
  replyLost: '4000002001000007',
  nothingHappened: '4000002002000006',
  answersLate: '4000002003000005',
  malformed: '4000002004000004',
  slow: '4000002008000000',
  oddDetail: '4000003001000005',
  oneMore: '4000003002000004',
  authorisedOnly: '4000003003000003',
} as const;

/** Everything that a payment needs: server, database, the provider's sandbox over HTTP, a merchant, a product, a buyer. */
export interface Shop extends TestApp {
  readonly sandbox: Sandbox;
  readonly merchantId: number;
  readonly productId: number;
  readonly buyer: MadeBuyer;
  /** The wire's `data` of a fresh layaway reference of the shop's product. */
  reference(given?: { token?: string; productId?: number }): Promise<any>;
  /** A card token as the provider's frame would make it. */
  cardToken(number: string): Promise<string>;
  /** Pays a reference by card, as the screen does. */
  pay(
    reference: any,
    number: string,
    given?: Partial<{
      token: string;
      intentId: string;
      amount: number;
      /** What the buyer was shown that a sum of their own fills. */
      fills: readonly { number: number; pesos: number }[];
      cardToken: string;
      address: string;
    }>,
  ): Promise<Answer>;
  /** Runs a job by name, now. */
  job: ReturnType<typeof jobHandlers>;
  /** Runs the job that polls an attempt, `times` times. */
  poll(intentId: string, times?: number): Promise<void>;
  /** Calls the sandbox's control. */
  control(call: string, body?: unknown): Promise<any>;
  /** The oracle: payments that the provider made, by status. */
  charges(): Promise<
    { status: string; amount: number; amount_refunded: number; external_reference: string; id: string }[]
  >;
  attempt(intentId: string): Promise<any>;
  /** Moves an attempt `ms` milliseconds into the past. */
  age(intentId: string, ms: number): Promise<void>;
}

/**
 * Opens a shop. Its `close` proves the books, so every test of money does (rules/ledger#proofs). Waits are short; `clocks`
 * overrides them by name.
 */
export async function openShop(
  given: { merchant?: MerchantGiven; clocks?: object; env?: Record<string, string> } = {},
): Promise<Shop> {
  const sandbox = await createSandbox({
    productOrigin: 'http://localhost:3000',
    waits: { webhookMs: 20, approveLaterMs: 150, approveAloneMs: 150, lateReplyMs: 8_000 },
  });
  const clocks = { chargeTimeoutMs: 5_000, readTimeoutMs: 5_000, coalesceMs: 0, ...given.clocks };
  const test = await startTestApp({
    env: {
      CLIP_API_BASE: sandbox.apiUrl,
      TAPI_LOGIN_BASE: sandbox.apiUrl,
      TAPI_API_BASE: sandbox.apiUrl,
      FACTURA_GREEN_BASE: sandbox.apiUrl,
      CLIP_3DS_ORIGINS: sandbox.threeDsOrigin,
      SMTP_URL: `smtp://127.0.0.1:${sandbox.smtpPort}`,
      TEST_CLOCKS: JSON.stringify(clocks),
      ...given.env,
    },
  });
  const { db, ask, settings } = test;
  const merchantId = await makeMerchant(db, {
    cards: { keyRing: settings.keyRing, ...MERCHANT_KEYS },
    ...given.merchant,
  });
  const productId = await makeProduct(db, { merchantId });
  const buyer = await makeBuyer(db);
  const job = jobHandlers(test.jobs);
  const log = createLog('silent');

  const control = async (call: string, body?: unknown) => {
    const [method = 'GET', path = '/'] = call.split(' ');
    const response = await fetch(sandbox.apiUrl + path, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${call}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const cardToken = async (number: string) =>
    (await control('POST /control/tokens', { number, apiKey: MERCHANT_KEYS.publicKey })).id as string;
  const attemptRow = (intentId: string) =>
    db.selectFrom('card_attempts').selectAll().where('intent_id', '=', intentId).executeTakeFirstOrThrow();

  return {
    ...test,
    sandbox,
    merchantId,
    productId,
    buyer,
    job,
    control,
    cardToken,
    async reference({ token = buyer.token, productId: product = productId } = {}) {
      const answer = await ask('POST /v1/PullApartReference', {
        token,
        body: { Referencia: `1|${merchantId}|${product}|0||||0`, repeat: true },
      });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return answer.body.data;
    },
    async pay(
      reference,
      number,
      {
        token = buyer.token,
        intentId = randomUUID(),
        amount = reference.cardTotal,
        fills,
        cardToken: ready,
        address,
      } = {},
    ) {
      return ask('POST /v1/Clib/CreatePaymentsAsync', {
        token,
        ...(address !== undefined && { address }),
        body: {
          amount,
          currency: 'MXN',
          description: reference.productName,
          payment_method: { token: ready ?? (await cardToken(number)) },
          customer: { email: buyer.email, phone: '5512345678' },
          apartaBusinnessId: reference.businessId,
          referencia: reference.paymentReference,
          intentoId: intentId,
          ...(fills && {
            abonos: fills.map(({ number, pesos }) => ({ identificador: number, monto: pesos })),
          }),
        },
      });
    },
    async poll(intentId, times = 1) {
      const { id } = await attemptRow(intentId);
      for (let n = 0; n < times; n += 1) await job.resolve_attempt({ attemptId: id }, log);
    },
    charges: async () => (await control('GET /control/log')).payments,
    attempt: attemptRow,
    async age(intentId, ms) {
      const { id } = await attemptRow(intentId);
      const back = (at: Date) => new Date(at.getTime() - ms);
      const row = await db
        .selectFrom('card_attempts')
        .select(['created_at', 'state_since'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      await db
        .updateTable('card_attempts')
        .set({ created_at: back(row.created_at), state_since: back(row.state_since) })
        .where('id', '=', id)
        .execute();
    },
    async close() {
      const broken = await proveBooks(db);
      await test.close();
      await sandbox.close();
      if (broken.length > 0) throw new Error(`the books do not hold: ${JSON.stringify(broken)}`);
    },
  };
}
