import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { type Collector, openCollector, type ReceivedSpan } from '../../../test/collector.ts';
import { CARDS, openShop } from '../../../test/shop.ts';
import { startWorker } from '../../worker.ts';

/** The names from a span up to its root. */
function pathOf(span: ReceivedSpan, spans: readonly ReceivedSpan[]): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent === undefined ? [span.name] : [...pathOf(parent, spans), span.name];
}
const attribute = (span: ReceivedSpan, key: string) =>
  Object.values(span.attributes.find((one) => one.key === key)?.value ?? {})[0];

/** Pays by card with traces on, lets the jobs run, and returns all spans. */
async function traced(collector: Collector, share: string): Promise<ReceivedSpan[]> {
  const shop = await openShop({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: share },
  });
  try {
    const { body } = await shop.pay(await shop.reference(), CARDS.approved, { intentId: randomUUID() });
    expect(body.data.state).toBe('applied');
    const worker = await startWorker(shop.jobs, shop.settings);
    const sent = () => shop.db.selectFrom('outbox').select('state').executeTakeFirst();
    await expect.poll(sent).toEqual({ state: 'sent' });
    await worker.stop();
  } finally {
    await shop.close();
  }
  return collector.spans();
}

test('a payment is one trace: the call, its use case, what the provider was asked, each statement', async () => {
  const collector = await openCollector();
  const spans = await traced(collector, '1');
  await collector.close();
  const paths = spans.map((span) => pathOf(span, spans).join(' > '));
  const call = 'POST /v1/Clib/CreatePaymentsAsync';
  expect(paths).toEqual(
    expect.arrayContaining([
      call,
      `${call} > select`,
      `${call} > use case createCardPayment`,
      `${call} > use case createCardPayment > clip charge`,
      `${call} > use case createCardPayment > insert`,
      'job deliver_email',
      'job deliver_email > with',
    ]),
  );
  const charge = spans.find(({ name }) => name === 'clip charge')!;
  expect(attribute(charge, 'aparta.outcome')).toBe('answer');
  const root = spans.find(({ name }) => name === call)!;
  expect(attribute(root, 'http.response.status_code')).toBe(200);
  expect(
    new Set(spans.filter(({ traceId }) => traceId === root.traceId).map(({ name }) => name)).size,
  ).toBeGreaterThan(4);
});

test('a share of 0 sends nothing', async () => {
  const collector = await openCollector();
  expect(await traced(collector, '0')).toEqual([]);
  await collector.close();
});

test('a server that is not asked for metrics or traces does not even load them', async () => {
  const open = fileURLToPath(new URL('open.ts', import.meta.url));
  const loaded = async (settings: object) => {
    const script = `
      import { registerHooks } from 'node:module';
      const seen = new Set();
      registerHooks({ load(url, context, next) { seen.add(url); return next(url, context); } });
      const { openTelemetry } = await import(${JSON.stringify(open)});
      const telemetry = await openTelemetry(${JSON.stringify(settings)}, 'postgres://127.0.0.1:9/none');
      await telemetry.close();
      console.log([...seen].filter((url) => /opentelemetry|prometheus-io/.test(url)).length);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    return Number(stdout);
  };
  expect(await loaded({})).toBe(0);
  expect(await loaded({ traces: { endpoint: 'http://127.0.0.1:9', share: 1 } })).toBeGreaterThan(0);
});
