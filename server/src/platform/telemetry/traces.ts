import { AsyncLocalStorage } from 'node:async_hooks';

import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

import { NOOP_INSTRUMENTATION, type Instrumentation, type Work } from './instrumentation.ts';

/** Longer statements are cut. */
const LONGEST_STATEMENT = 2_000;

export interface Traces {
  readonly instrumentation: Instrumentation;
  /** Sends the remaining spans; waits at most 5 s for the collector. */
  close(): Promise<void>;
}

/**
 * Spans for request, use case or job, provider call and statement, sent to an OTLP collector over HTTP. They carry what `Instrumentation`
 * is told and nothing else: no query string, no parameter of a statement, no message of an error. A caller's own trace is not
 * continued, and none is passed on: both would be strangers' data. `share` of all traces, 0 to 1, are kept.
 */
export function openTraces(options: { endpoint: string; share: number; version: string }): Traces {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'aparta', 'service.version': options.version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.share) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${options.endpoint}/v1/traces`, timeoutMillis: 5_000 }),
      }),
    ],
  });
  const tracer = provider.getTracer('aparta');
  const current = new AsyncLocalStorage<Context>();
  const begin = (name: string, kind: SpanKind, attributes: Record<string, string>) =>
    tracer.startSpan(name, { kind, attributes }, current.getStore() ?? ROOT_CONTEXT);
  const within = <T>(span: Span, work: () => T): T =>
    current.run(trace.setSpan(current.getStore() ?? ROOT_CONTEXT, span), work);

  return {
    instrumentation: {
      ...NOOP_INSTRUMENTATION,
      request(requestId) {
        const span = begin('request', SpanKind.SERVER, { 'aparta.request_id': requestId });
        return {
          within: (work) => within(span, work),
          ended({ method, route, status, refusal }) {
            span.updateName(`${method} ${route}`);
            span.setAttributes({
              'http.request.method': method,
              'http.route': route,
              'http.response.status_code': status,
              ...(refusal !== undefined && { 'aparta.refusal': refusal }),
            });
            if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
            span.end();
          },
        };
      },
      async during(work, run, outcomeOf) {
        const [name, attributes] = nameOf(work);
        const span = begin(name, work.kind === 'provider' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes);
        try {
          const result = await within(span, run);
          if (outcomeOf !== undefined) span.setAttribute('aparta.outcome', outcomeOf(result));
          return result;
        } catch (error) {
          // Its name alone: a message may quote what was sent.
          span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      },
      statement({ text, ms, failed }) {
        const parent = current.getStore();
        if (parent === undefined) return; // of no request and no job
        const span = tracer.startSpan(
          /^\s*\w+/.exec(text)?.[0].trim().toLowerCase() ?? 'statement',
          {
            kind: SpanKind.CLIENT,
            startTime: Date.now() - ms,
            attributes: {
              'db.system.name': 'postgresql',
              'db.query.text': text.slice(0, LONGEST_STATEMENT),
            },
          },
          parent,
        );
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    },
    async close() {
      await provider.shutdown().catch(() => {});
    },
  };
}

function nameOf(work: Work): [string, Record<string, string>] {
  return work.kind === 'provider'
    ? [
        `${work.provider} ${work.operation}`,
        { 'aparta.provider': work.provider, 'aparta.operation': work.operation },
      ]
    : [`${work.kind} ${work.name}`, {}];
}
