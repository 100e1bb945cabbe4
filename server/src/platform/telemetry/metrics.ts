import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';

import { cashNotice } from '@aparta/contract/cash';
import type { AttemptState } from '../db/tables.ts';
import { databaseGauges } from './database-gauges.ts';
import { NOOP_INSTRUMENTATION, type Vitals, type Instrumentation } from './instrumentation.ts';

export interface Metrics {
  readonly instrumentation: Instrumentation;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
  /** Serves them at `/metrics` on a listener of its own, which buyers never reach. Returns its port. */
  listen(at: { host: string; port: number }): Promise<number>;
  close(): Promise<void>;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** A series for each state from the start, so that the first move is seen as one. */
const ATTEMPT_STATES: Record<AttemptState, 0> = {
  submitting: 0,
  pending_3ds: 0,
  unknown: 0,
  held: 0,
  rejected: 0,
  not_charged: 0,
  abandoned: 0,
  applied: 0,
  returned: 0,
};
const CASH_OUTCOMES = ['applied', 'owed_back', 'unapplied', 'reversed', 'noted', 'known'];

const QUICK_BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SLOW_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40];
const RESOLVE_BUCKETS = [1, 3, 10, 30, 60, 120, 300, 900, 1_800, 3_600, 21_600, 86_400];

/**
 * Counts what is reported, and reads the rest when it is scraped. No label comes from outside: routes are patterns, methods a
 * closed set, all others words of the code.
 */
export function openMetrics(options: { databaseUrl: string; version: string; freshMs: number }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'aparta_build_info',
    help: 'Always 1; what is running',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: options.version, node: process.version }, 1);

  const requests = new Histogram({
    name: 'aparta_http_request_seconds',
    help: 'Requests by route pattern, method and class of status',
    labelNames: ['method', 'route', 'status'],
    buckets: QUICK_BUCKETS,
    registers,
  });
  const busy = new Counter({
    name: 'aparta_calls_refused_busy_total',
    help: 'Calls that were refused because others were first; nothing of them was done',
    registers,
  });
  const providerCalls = new Histogram({
    name: 'aparta_provider_call_seconds',
    help: 'Calls to providers; unreachable: sent, or perhaps sent, and no usable answer',
    labelNames: ['provider', 'operation', 'outcome'],
    buckets: SLOW_BUCKETS,
    registers,
  });
  const jobRuns = new Histogram({
    name: 'aparta_job_run_seconds',
    help: 'Runs of jobs',
    labelNames: ['task', 'outcome'],
    buckets: QUICK_BUCKETS,
    registers,
  });
  const attemptMoves = new Counter({
    name: 'aparta_card_attempts_moved_total',
    help: 'Card attempts that entered a state',
    labelNames: ['to'],
    registers,
  });
  const resolving = new Histogram({
    name: 'aparta_card_resolve_seconds',
    help: 'From the beginning of a card attempt until it was applied',
    buckets: RESOLVE_BUCKETS,
    registers,
  });
  const cashNotices = new Counter({
    name: 'aparta_cash_notices_total',
    help: 'Final notices of the cash network, by what became of them; unapplied belongs to no purchase yet',
    labelNames: ['outcome'],
    registers,
  });
  // A series that begins at 1 has no increase: they begin at 0.
  for (const to of Object.keys(ATTEMPT_STATES)) attemptMoves.inc({ to }, 0);
  for (const outcome of CASH_OUTCOMES) cashNotices.inc({ outcome }, 0);
  for (const status of ['4xx', '5xx']) requests.zero({ method: 'POST', route: cashNotice.path, status });

  const database = databaseGauges(registry, options);

  async function text(): Promise<string> {
    await database.refresh();
    return registry.metrics();
  }

  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    text().then(
      (body) => response.writeHead(200, { 'content-type': registry.contentType }).end(body),
      () => response.writeHead(500).end(),
    );
  });

  return {
    instrumentation: {
      ...NOOP_INSTRUMENTATION,
      vitals: (vitals) => measureVitals(registry, vitals),
      request: (requestId) => ({
        ...NOOP_INSTRUMENTATION.request(requestId),
        ended({ method, route, status, seconds, refusal }) {
          if (refusal === 'BUSY') busy.inc();
          requests.observe(
            {
              method: METHODS.has(method) ? method : 'OTHER',
              route,
              status: `${Math.floor(status / 100)}xx`,
            },
            seconds,
          );
        },
      }),
      async during(work, run, outcomeOf) {
        if (work.kind === 'use case') return run(); // its request is measured
        const startedAt = performance.now();
        let outcome = 'failed';
        try {
          const result = await run();
          outcome = outcomeOf?.(result) ?? 'done';
          return result;
        } finally {
          const seconds = (performance.now() - startedAt) / 1_000;
          if (work.kind === 'provider') {
            const { provider, operation } = work;
            providerCalls.observe({ provider, operation, outcome }, seconds);
          } else jobRuns.observe({ task: work.name, outcome }, seconds);
        }
      },
      attemptMoved({ to, ageMs }) {
        attemptMoves.inc({ to });
        if (to === 'applied') resolving.observe(Math.max(ageMs, 0) / 1_000);
      },
      cashNotice: (outcome) => cashNotices.inc({ outcome }),
    },
    text,
    async listen({ host, port }) {
      server.listen(port, host);
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    },
    async close() {
      if (server.listening) {
        server.close();
        server.closeAllConnections();
      }
      await database.close();
    },
  };
}

function measureVitals(registry: Registry, vitals: Vitals): void {
  const registers = [registry];
  new Gauge({
    name: 'aparta_database_pool_connections',
    help: "Connections of the application's pool, by state; most is its limit",
    labelNames: ['state'],
    registers,
    collect() {
      const { inUse, idle, most } = vitals.pool();
      this.set({ state: 'in_use' }, inUse);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'most' }, most);
    },
  });
  new Gauge({
    name: 'aparta_database_pool_waiting',
    help: 'Work that waits for a connection of the pool',
    registers,
    collect() {
      this.set(vitals.pool().waiting);
    },
  });
  new Gauge({
    name: 'aparta_card_charges_paused',
    help: '1 while no new charge is sent because the card provider does not answer',
    registers,
    collect() {
      this.set(vitals.chargesPaused() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'aparta_streams_open',
    help: 'Screens that hear of changes by an open stream',
    registers,
    collect() {
      this.set(vitals.streams().open);
    },
  });
  new Gauge({
    name: 'aparta_streams_deaf_seconds',
    help: 'How long the server has not heard of changes; screens then ask by themselves',
    registers,
    collect() {
      this.set(vitals.streams().deafMs / 1_000);
    },
  });
  new Counter({
    name: 'aparta_log_failures_total',
    help: 'How often the log could not be written; the server goes on without it',
    registers,
    collect() {
      this.reset();
      this.inc(vitals.logFailures());
    },
  });
  new Gauge({
    name: 'aparta_jobs_silent_seconds',
    help: 'How long the workers of a lane of jobs have heard nothing from the queue; 0 while all are at work',
    labelNames: ['lane'],
    registers,
    collect() {
      for (const [lane, ms] of Object.entries(vitals.jobsSilentMs())) this.set({ lane }, ms / 1_000);
    },
  });
}
