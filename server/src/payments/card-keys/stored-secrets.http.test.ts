import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { fault, runRefunds, till } from '../../../test/card-acts.ts';
import { openCollector } from '../../../test/collector.ts';
import { PASSWORD } from '../../../test/make.ts';
import { CARDS, MERCHANT_KEYS, openShop, type Shop } from '../../../test/shop.ts';

let shop: Shop;
afterEach(() => shop.close());

/** All that was written anywhere but in the columns made for it: jobs, emails, alerts, till operations. */
async function written(): Promise<string> {
  const client = new pg.Client({ connectionString: shop.ownerUrl });
  await client.connect();
  const texts: string[] = [];
  for (const table of [
    'graphile_worker._private_jobs',
    'outbox',
    'alerts',
    'card_attempts',
    'refunds',
    'till_operations',
    'ledger_events',
    'ledger_transfers',
  ]) {
    const { rows } = await client.query(`select row_to_json(t)::text as row from ${table} t`);
    texts.push(...rows.map(({ row }) => String(row)));
  }
  await client.end();
  return texts.join('\n');
}

test('no card, token, key, password, address or phone is in a log line, a job, an email, an alert, a metric or a trace', async () => {
  const collector = await openCollector();
  shop = await openShop({
    clocks: { rejectionsPerBuyer: 99, rejectionsPerReference: 99, rejectionsPerCard: 99, cardsPerBuyer: 99 },
    env: { METRICS_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  const tokens: string[] = [];
  const canaries = [MERCHANT_KEYS.secret, MERCHANT_KEYS.publicKey, PASSWORD, shop.buyer.token];
  const reference = await shop.reference();
  const tokenOf = async (number: string) => {
    const cardToken = await shop.cardToken(number);
    tokens.push(cardToken);
    canaries.push(number);
    return cardToken;
  };
  const pay = async (number: string, change: Record<string, unknown> = {}) => {
    const cardToken = await tokenOf(number);
    return shop.ask('POST /v1/Clib/CreatePaymentsAsync', {
      token: shop.buyer.token,
      body: {
        amount: 615,
        currency: 'MXN',
        description: 'canary-description',
        payment_method: { token: cardToken },
        customer: {
          email: 'canary-mail@example.mx',
          phone: '5599887766',
          address: { street: 'canary-street', number: '1', postal_code: '01000' },
        },
        prevention_data: { session_id: 'canary-session', user_agent: 'canary-agent' },
        apartaBusinnessId: shop.merchantId,
        referencia: reference.paymentReference,
        intentoId: randomUUID(),
        ...change,
      },
    });
  };

  // Refused at the border, by us, by the provider; an echo of the token in the provider's own error.
  await pay(CARDS.approved, { amount: 1 });
  await pay(CARDS.approved, { amount: 'canary-amount' });
  await pay(CARDS.approved, { customer: { email: 'canary-mail@example.mx', phone: 'x'.repeat(99) } });
  await pay(CARDS.insufficientFunds);
  await pay('4000002007000001');
  for (const status of [400, 422, 500]) {
    const token = await tokenOf(CARDS.approved);
    const body = { error_code: token, message: `token ${token}`, detail: [CARDS.approved] };
    await fault(shop, { call: 'createPayment', kind: 'status', status, body });
    const intentoId = randomUUID();
    expect((await pay(CARDS.approved, { payment_method: { token }, intentoId })).status).toBe(200);
    await shop.age(intentoId, 18 * 60_000);
    await shop.poll(intentoId, 2);
    expect((await shop.attempt(intentoId)).state).toBe('not_charged');
  }
  // A key that is refused, a way in that is wrong, a body that is no JSON.
  await shop.ask('POST /v1/TokenBuyer/Authenticate', {
    body: { user: shop.buyer.email, password: PASSWORD },
  });
  await shop.ask('POST /v1/TokenBuyer/Authenticate', { body: { user: 'x', password: 'canary-password' } });
  await shop.ask('POST /v1/Clib/CreatePaymentsAsync', {
    token: 'canary-bearer',
    body: '{"token":"canary-body',
  });
  await shop.ask(`GET /v1/Clib/GetAttemptAsync/canary-path?code=canary-query`, { token: shop.buyer.token });
  await shop.ask(`POST /webhooks/clip/${'c'.repeat(40)}`, { body: { id: 'canary-hint' } });
  // Approved after the till was faster, and given back.
  await pay(CARDS.slow);
  await till(shop, reference);
  await new Promise((resolve) => setTimeout(resolve, 250));
  await shop.job.sweep_card_payments(undefined, shop.jobs.log);
  await runRefunds(shop);
  expect((await shop.db.selectFrom('refunds').select('state').execute()).map((row) => row.state)).toEqual([
    'done',
  ]);
  // A key that does not open any more.
  await shop.db.updateTable('provider_credentials').set({ secret_key_id: 'lost' }).execute();
  const next = await shop.reference();
  const refused = await pay(CARDS.approved, { referencia: next.paymentReference });
  expect(refused.body.code).toBe('MERCHANT_MISCONFIGURED');

  // The instrumentation recorded the same calls, refunds, jobs and statements.
  const at = await shop.telemetry.listen();
  const metrics = await (await fetch(`http://127.0.0.1:${at?.port}/metrics`)).text();
  expect(metrics).toContain(
    'aparta_provider_call_seconds_count{provider="clip",operation="charge",outcome="unreachable"}',
  );
  await shop.telemetry.close();
  await collector.close();
  const traces = collector.text();
  expect(traces).toContain('clip charge');
  expect(traces).toContain('insert into \\"card_attempts\\"');

  const nonces = await shop.db.selectFrom('card_attempts').select('webhook_nonce').execute();
  const logs = shop.logged();
  expect(logs).toContain('card attempt resolved');
  const secrets = [...canaries, ...tokens].filter((text) => text !== '');
  for (const secret of [...secrets, 'canary-', '5599887766', ...nonces.map((row) => row.webhook_nonce)])
    for (const text of [logs, metrics, traces]) expect(text).not.toContain(secret);
  const stored = await written();
  expect(stored).toContain('layaway_paid');
  for (const secret of [...secrets, 'canary-', '5599887766']) expect(stored).not.toContain(secret);
});
