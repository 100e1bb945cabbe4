import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi, inject } from 'vitest';
import { answer3ds, balance, fault, refunds, till } from '../../../test/card-acts.ts';
import { freePort } from '../../../test/free-port.ts';
import { makeBuyer, type MadeBuyer } from '../../../test/make.ts';
import { nodeEnvironment } from '../../../test/node-environment.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';

/**
 * A real server with its own worker, killed without warning at each step of a payment and started again. No browser and no
 * notice helps: only the jobs do. The provider's sandbox is the oracle.
 */
const CLOCKS = {
  sendWithinMs: 1_800,
  submittingMs: 2_000,
  chargeTimeoutMs: 20_000,
  readTimeoutMs: 20_000,
  unknownPollsMs: [300, 800, 1_500],
  threeDsPollsMs: [500, 1_000],
  notFoundCountsAfterMs: 5_000,
  pollEveryMs: 1_000,
};
const PATIENCE = { timeout: 25_000, interval: 100 };
/** Of a scene while much else runs: two starts, and the provider's and the jobs' clocks. */
const LONGEST_MS = 180_000;

/** A shop, and the server that is killed. */
interface Scene {
  readonly shop: Shop;
  server: { child: ChildProcess; url: string };
}

/** What one buyer pays by card; each scene has one server for several, since starting them is most of what these tests cost. */
interface Payment {
  readonly buyer: MadeBuyer;
  readonly reference: any;
  intentId: string;
}

async function openScene(clocks: object = {}): Promise<Scene> {
  const shop = await openShop();
  await shop.control('POST /control/webhooks', { drop: true });
  return { shop, server: await start(shop, clocks) };
}

async function close(scene: Scene): Promise<void> {
  await stop(scene, 'SIGTERM');
  await scene.shop.close();
}

async function start(shop: Shop, clocks: object = {}): Promise<Scene['server']> {
  const port = await freePort();
  const child = spawn(process.execPath, [inject('serverProgram')], {
    env: {
      ...nodeEnvironment,
      DATABASE_URL: shop.settings.databaseUrl,
      DATABASE_POOL: '4',
      PORT: String(port),
      LOG_LEVEL: 'error',
      CLIP_API_BASE: shop.sandbox.apiUrl,
      CLIP_3DS_ORIGINS: shop.sandbox.threeDsOrigin,
      SMTP_URL: `smtp://127.0.0.1:${shop.sandbox.smtpPort}`,
      TEST_CLOCKS: JSON.stringify({ ...CLOCKS, ...clocks }),
    },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).ok).toBe(true), PATIENCE);
  return { child, url };
}

async function stop({ server: { child } }: Scene, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = once(child, 'exit');
  child.kill(signal);
  await end;
}

async function toPay({ shop }: Scene): Promise<Payment> {
  const buyer = await makeBuyer(shop.db);
  const reference = await shop.reference({ token: buyer.token });
  return { buyer, reference, intentId: randomUUID() };
}

/** Pays at the real server; nobody waits for its answer. */
function pay(
  { shop, server }: Scene,
  { buyer, reference, intentId }: Payment,
  card: string,
): Promise<unknown> {
  return shop
    .cardToken(card)
    .then((token) =>
      fetch(`${server.url}/v1/Clib/CreatePaymentsAsync`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${buyer.token}` },
        body: JSON.stringify({
          amount: reference.cardTotal,
          currency: 'MXN',
          payment_method: { token },
          apartaBusinnessId: reference.businessId,
          referencia: reference.paymentReference,
          intentoId: intentId,
        }),
      }),
    )
    .then(
      (reply) => reply.status,
      () => 'cut',
    );
}

/** The call that the fault waited for is on its way. */
const faultIsMet = ({ shop }: Scene) =>
  vi.waitFor(async () => expect((await shop.control('GET /control/faults')).faults).toEqual([]), PATIENCE);

const becomes = ({ shop }: Scene, { intentId }: Payment, state: string) =>
  vi.waitFor(async () => expect((await shop.attempt(intentId)).state).toBe(state), PATIENCE);

/** As the database's owner. */
async function query({ shop }: Scene, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: shop.ownerUrl });
  await client.connect();
  await client.query(text);
  await client.end();
}

/** Starts the server anew, for which no job waits: neither for its time nor for the lock of the dead server, which may have been at it. */
async function startAgain(scene: Scene, clocks: object = {}): Promise<void> {
  await query(
    scene,
    `update graphile_worker._private_jobs set run_at = now(), locked_at = locked_at - interval '6 minutes'
     where key like 'resolve:%' or key like 'refund:%'`,
  );
  scene.server = await start(scene.shop, clocks);
  await query(scene, `select graphile_worker.add_job('free_dead_jobs')`);
}

const emailsSent = async ({ shop }: Scene, { buyer }: Payment) => {
  const { emails } = await shop.control(`GET /control/emails?to=${buyer.email}`);
  return emails.length as number;
};
/** What the provider charged for a payment. */
const charges = async ({ shop }: Scene, { intentId }: Payment) => {
  const { id } = await shop.attempt(intentId);
  return (await shop.charges()).filter(({ external_reference }) => external_reference === id);
};
const purchasesOf = ({ shop }: Scene, { reference }: Payment) =>
  shop.db
    .selectFrom('purchases')
    .select('paid_centavos')
    .where('layaway_reference_id', '=', reference.id)
    .execute();

describe.concurrent('a server that is killed while it charges', () => {
  /** Until the server is killed it asks about nothing again. */
  const PATIENT = { submittingMs: 600_000 };
  let scene: Scene;
  let written: Payment;
  let late: Payment;
  let vanished: Payment;
  let asked: Payment;
  async function killAmidCharges(): Promise<void> {
    scene = await openScene(PATIENT);
    const { shop } = scene;
    [written, late, vanished, asked] = [
      await toPay(scene),
      await toPay(scene),
      await toPay(scene),
      await toPay(scene),
    ];
    expect(await pay(scene, asked, CARDS.threeDs)).toBe(200);
    await fault(shop, { call: 'createPayment', kind: 'hold' });
    void pay(scene, written, CARDS.approved);
    await vi.waitFor(async () => expect(await charges(scene, written)).toHaveLength(1), PATIENCE);
    for (const [payment, card] of [
      [late, CARDS.approved],
      [vanished, CARDS.nothingHappened],
    ] as const) {
      await fault(shop, { call: 'createPayment', kind: 'slowWork', delayMs: 8_000 });
      void pay(scene, payment, card);
      await becomes(scene, payment, 'submitting');
      await faultIsMet(scene);
    }
    await stop(scene, 'SIGKILL');
    for (const payment of [written, late, vanished])
      expect((await shop.attempt(payment.intentId)).state).toBe('submitting');
    expect(await shop.charges()).toHaveLength(2);
    await shop.control('POST /control/release');
    await answer3ds(shop, asked.intentId, 'approve');
    await startAgain(scene, { notFoundCountsAfterMs: 14_000 });
  }
  beforeAll(killAmidCharges, LONGEST_MS);
  afterAll(() => close(scene));

  test('after the provider’s yes and before our write: the job applies it, once', async () => {
    await becomes(scene, written, 'applied');
    expect(await charges(scene, written)).toHaveLength(1);
    expect(await purchasesOf(scene, written)).toEqual([{ paid_centavos: 60_000 }]);
    await vi.waitFor(async () => expect(await emailsSent(scene, written)).toBe(1), PATIENCE);
  });

  test('before the provider did anything, which it then does: the job applies it, once', async () => {
    await becomes(scene, late, 'applied');
    expect(await charges(scene, late)).toHaveLength(1);
    expect(await purchasesOf(scene, late)).toHaveLength(1);
  });

  test('and nothing was charged: the reference is free, and the buyer gets an email', async () => {
    await becomes(scene, vanished, 'not_charged');
    expect(await charges(scene, vanished)).toEqual([]);
    await vi.waitFor(async () => expect(await emailsSent(scene, vanished)).toBe(1), PATIENCE);
    vanished.intentId = randomUUID();
    expect(await pay(scene, vanished, CARDS.approved)).toBe(200);
    await becomes(scene, vanished, 'applied');
  });

  test('while 3DS waits and the bank approves: the job applies it', async () => {
    await becomes(scene, asked, 'applied');
    expect(await purchasesOf(scene, asked)).toHaveLength(1);
  });
});

test.concurrent('a server that is killed while its job reads: the job of the dead server is taken up again', async ({
  onTestFinished,
}) => {
  const scene = await openScene();
  onTestFinished(() => close(scene));
  const { shop } = scene;
  const payment = await toPay(scene);
  await fault(shop, { call: 'listPayments', kind: 'hold' });
  expect(await pay(scene, payment, CARDS.replyLost)).toBe(200);
  await faultIsMet(scene);
  await stop(scene, 'SIGKILL');
  await shop.control('POST /control/release');
  expect((await shop.attempt(payment.intentId)).state).toBe('unknown');
  await startAgain(scene);
  await becomes(scene, payment, 'applied');
});

describe.concurrent('a server that is killed while it gives money back', () => {
  let scene: Scene;
  let written: Payment;
  let late: Payment;
  /** The till was faster; the card's approval comes late, and the worker asks for the refund. */
  async function owe(how: Record<string, unknown>): Promise<Payment> {
    const { shop } = scene;
    const payment = await toPay(scene);
    expect(await pay(scene, payment, CARDS.threeDs)).toBe(200);
    expect((await till(shop, payment.reference)).body.error).toBe(0);
    await fault(shop, { call: 'createRefund', ...how });
    await answer3ds(shop, payment.intentId, 'approve');
    await becomes(scene, payment, 'returned');
    await faultIsMet(scene);
    expect((await refundOf(payment))?.state).toBe('sending');
    return payment;
  }
  const refundOf = async ({ intentId }: Payment) => {
    const { id } = await scene.shop.attempt(intentId);
    return (await refunds(scene.shop)).find(({ attempt_id }) => attempt_id === id);
  };
  const givenBackOf = async (payment: Payment) => (await charges(scene, payment))[0]?.amount_refunded;

  async function killAmidRefunds(): Promise<void> {
    scene = await openScene();
    const { shop } = scene;
    written = await owe({ kind: 'hold' });
    late = await owe({ kind: 'slowWork', delayMs: 8_000 });
    await vi.waitFor(async () => expect(await givenBackOf(written)).toBe(615), PATIENCE);
    await stop(scene, 'SIGKILL');
    await shop.control('POST /control/release');
    expect(await givenBackOf(late)).toBe(0);
    expect(await balance(shop, 'card_refund_payable')).toBe(2 * 61_500);
    await vi.waitFor(async () => expect(await givenBackOf(late)).toBe(615), PATIENCE);
    await query(scene, `update refunds set sent_at = sent_at - interval '2 minutes'`);
    await startAgain(scene);
  }
  const isDone = (payment: Payment) =>
    vi.waitFor(async () => expect((await refundOf(payment))?.state).toBe('done'), PATIENCE);
  beforeAll(killAmidRefunds, LONGEST_MS);
  afterAll(() => close(scene));

  test('after the provider’s yes and before our write: read, booked, not asked twice', async () => {
    await isDone(written);
    expect(await givenBackOf(written)).toBe(615);
  });

  test('before the provider did anything, which it then does: found done, not asked twice', async () => {
    await isDone(late);
    expect(await givenBackOf(late)).toBe(615);
    expect(await purchasesOf(scene, late)).toHaveLength(1);
  });

  test('in both cases: nothing is owed any more, and nothing waits at the provider', async () => {
    for (const payment of [written, late]) await isDone(payment);
    expect(await balance(scene.shop, 'card_refund_payable')).toBe(0);
    expect(await balance(scene.shop, 'card_clearing')).toBe(0);
  });
});

test.concurrent('a lost reply is resolved by the provider’s own notice, long before any job polls', async ({
  onTestFinished,
}) => {
  const scene = await openScene({ submittingMs: 600_000, unknownPollsMs: [600_000] });
  onTestFinished(() => close(scene));
  const { shop } = scene;
  await shop.control('POST /control/webhooks', { copies: 3 });
  const payment = await toPay(scene);
  await pay(scene, payment, CARDS.replyLost);
  await becomes(scene, payment, 'applied');
  expect(await purchasesOf(scene, payment)).toHaveLength(1);
});
