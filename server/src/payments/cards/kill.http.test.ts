import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, test, type TestContext, vi } from 'vitest';
import { answer3ds, balance, fault, givenBack, purchases, refunds, till } from '../../../test/card-acts.ts';
import { freePort } from '../../../test/free-port.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';

/**
 * A real server with its own worker, killed without warning at each step of a payment and started again. No browser and no
 * notice helps: only the jobs do. The provider's sandbox is the oracle.
 */
const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
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

/** A shop, and the server that is killed; `intentId` is of the payment that the test pays. */
interface Scene {
  readonly shop: Shop;
  intentId: string;
  server: { child: ChildProcess; url: string };
}

/** Waiting for clocks is most of each test, so they wait beside each other: each opens a scene of its own. */
async function openScene(onTestFinished: TestContext['onTestFinished']): Promise<Scene> {
  const shop = await openShop();
  await shop.control('POST /control/webhooks', { drop: true });
  const scene = { shop, intentId: randomUUID(), server: await start(shop) };
  onTestFinished(async () => {
    await stop(scene, 'SIGTERM');
    await shop.close();
  });
  return scene;
}

async function start(shop: Shop, clocks: object = {}): Promise<Scene['server']> {
  const port = await freePort();
  const child = spawn(process.execPath, [MAIN], {
    env: {
      NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'],
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

/** Pays at the real server; nobody waits for its answer. */
function pay({ shop, server, intentId }: Scene, reference: any, card: string): Promise<unknown> {
  return shop
    .cardToken(card)
    .then((token) =>
      fetch(`${server.url}/v1/Clib/CreatePaymentsAsync`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${shop.buyer.token}` },
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

const becomes = ({ shop, intentId }: Scene, state: string) =>
  vi.waitFor(async () => expect((await shop.attempt(intentId)).state).toBe(state), PATIENCE);

/** As the database's owner: lets the waits of a dead server's jobs pass. */
async function query({ shop }: Scene, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: shop.ownerUrl });
  await client.connect();
  await client.query(text);
  await client.end();
}
const emailsSent = async ({ shop }: Scene) => {
  const { emails } = await shop.control(`GET /control/emails?to=${shop.buyer.email}`);
  return emails.length as number;
};

describe.concurrent('a server that is killed while it charges', () => {
  test('after the provider’s yes and before our write: the job applies it, once', async ({
    onTestFinished,
  }) => {
    const scene = await openScene(onTestFinished);
    const { shop } = scene;
    await fault(shop, { call: 'createPayment', kind: 'hold' });
    void pay(scene, await shop.reference(), CARDS.approved);
    await vi.waitFor(async () => expect(await shop.charges()).toHaveLength(1), PATIENCE);
    await stop(scene, 'SIGKILL');
    expect((await shop.attempt(scene.intentId)).state).toBe('submitting');
    await shop.control('POST /control/release');
    scene.server = await start(shop);
    await becomes(scene, 'applied');
    expect(await shop.charges()).toHaveLength(1);
    expect(await purchases(shop)).toHaveLength(1);
    expect(await balance(shop, 'layaway_deposits')).toBe(60_000);
    await vi.waitFor(async () => expect(await emailsSent(scene)).toBe(1), PATIENCE);
  });

  test('before the provider did anything, which it then does: the job applies it, once', async ({
    onTestFinished,
  }) => {
    const scene = await openScene(onTestFinished);
    const { shop } = scene;
    await fault(shop, { call: 'createPayment', kind: 'slowWork', delayMs: 2_500 });
    void pay(scene, await shop.reference(), CARDS.approved);
    await becomes(scene, 'submitting');
    await faultIsMet(scene);
    await stop(scene, 'SIGKILL');
    expect(await shop.charges()).toEqual([]);
    scene.server = await start(shop);
    await becomes(scene, 'applied');
    expect(await shop.charges()).toHaveLength(1);
    expect(await purchases(shop)).toHaveLength(1);
  });

  test('and nothing was charged: the reference is free, and the buyer gets an email', async ({
    onTestFinished,
  }) => {
    const scene = await openScene(onTestFinished);
    const { shop } = scene;
    const reference = await shop.reference();
    await fault(shop, { call: 'createPayment', kind: 'slowWork', delayMs: 500 });
    void pay(scene, reference, CARDS.nothingHappened);
    await becomes(scene, 'submitting');
    await stop(scene, 'SIGKILL');
    scene.server = await start(shop);
    await becomes(scene, 'not_charged');
    expect(await shop.charges()).toEqual([]);
    await vi.waitFor(async () => expect(await emailsSent(scene)).toBe(1), PATIENCE);
    scene.intentId = randomUUID();
    expect(await pay(scene, reference, CARDS.approved)).toBe(200);
    await becomes(scene, 'applied');
  });

  test('while 3DS waits and the bank approves: the job applies it', async ({ onTestFinished }) => {
    const scene = await openScene(onTestFinished);
    const { shop } = scene;
    expect(await pay(scene, await shop.reference(), CARDS.threeDs)).toBe(200);
    await stop(scene, 'SIGKILL');
    await answer3ds(shop, scene.intentId, 'approve');
    scene.server = await start(shop);
    await becomes(scene, 'applied');
    expect(await purchases(shop)).toHaveLength(1);
  });

  test('while its job reads: the job of the dead server is taken up again', async ({ onTestFinished }) => {
    const scene = await openScene(onTestFinished);
    const { shop } = scene;
    await fault(shop, { call: 'listPayments', kind: 'hold' });
    expect(await pay(scene, await shop.reference(), CARDS.replyLost)).toBe(200);
    await faultIsMet(scene);
    await stop(scene, 'SIGKILL');
    await shop.control('POST /control/release');
    expect((await shop.attempt(scene.intentId)).state).toBe('unknown');
    // Its lock is minutes old before locks of dead workers are released.
    await query(
      scene,
      `update graphile_worker._private_jobs set locked_at = locked_at - interval '6 minutes'`,
    );
    scene.server = await start(shop);
    await query(scene, `select graphile_worker.add_job('free_dead_jobs')`);
    await becomes(scene, 'applied');
  });
});

describe.concurrent('a server that is killed while it gives money back', () => {
  /** The till was faster; the card's approval comes late, and the worker asks for the refund. */
  async function owe(scene: Scene, how: Record<string, unknown>): Promise<void> {
    const { shop } = scene;
    const reference = await shop.reference();
    expect(await pay(scene, reference, CARDS.threeDs)).toBe(200);
    expect((await till(shop, reference)).body.error).toBe(0);
    await fault(shop, { call: 'createRefund', ...how });
    await answer3ds(shop, scene.intentId, 'approve');
    await becomes(scene, 'returned');
    await vi.waitFor(async () => expect((await refunds(shop))[0]?.state).toBe('sending'), PATIENCE);
    await faultIsMet(scene);
  }
  const afterTwoMinutes = async (scene: Scene) => {
    await query(scene, `update refunds set sent_at = sent_at - interval '2 minutes'`);
    await query(scene, `update graphile_worker._private_jobs set run_at = now() where key like 'refund:%'`);
  };

  test('after the provider’s yes and before our write: read, booked, not asked twice', async ({
    onTestFinished,
  }) => {
    const scene = await openScene(onTestFinished);
    const { shop } = scene;
    await owe(scene, { kind: 'hold' });
    await vi.waitFor(async () => expect(await givenBack(shop)).toBe(615), PATIENCE);
    await stop(scene, 'SIGKILL');
    await shop.control('POST /control/release');
    expect(await balance(shop, 'card_refund_payable')).toBe(61_500);
    await afterTwoMinutes(scene);
    scene.server = await start(shop);
    await vi.waitFor(async () => expect((await refunds(shop))[0]?.state).toBe('done'), PATIENCE);
    expect(await givenBack(shop)).toBe(615);
    expect(await balance(shop, 'card_refund_payable')).toBe(0);
    expect(await balance(shop, 'card_clearing')).toBe(0);
  });

  test('before the provider did anything, which it then does: found done, not asked twice', async ({
    onTestFinished,
  }) => {
    const scene = await openScene(onTestFinished);
    const { shop } = scene;
    await owe(scene, { kind: 'slowWork', delayMs: 2_500 });
    await stop(scene, 'SIGKILL');
    expect(await givenBack(shop)).toBe(0);
    await vi.waitFor(async () => expect(await givenBack(shop)).toBe(615), PATIENCE);
    await afterTwoMinutes(scene);
    scene.server = await start(shop);
    await vi.waitFor(async () => expect((await refunds(shop))[0]?.state).toBe('done'), PATIENCE);
    expect(await givenBack(shop)).toBe(615);
    expect(await purchases(shop)).toHaveLength(1);
  });
});

test.concurrent('a lost reply is resolved by the provider’s own notice, long before any job polls', async ({
  onTestFinished,
}) => {
  const scene = await openScene(onTestFinished);
  const { shop } = scene;
  await stop(scene, 'SIGTERM');
  await shop.control('POST /control/webhooks', { copies: 3 });
  scene.server = await start(shop, { submittingMs: 600_000, unknownPollsMs: [600_000] });
  await pay(scene, await shop.reference(), CARDS.replyLost);
  await becomes(scene, 'applied');
  expect(await purchases(shop)).toHaveLength(1);
});
