import { readFile } from 'node:fs/promises';

import { combineInstrumentation, NOOP_INSTRUMENTATION, type Instrumentation } from './instrumentation.ts';
import { SERVER_FOLDER } from '../files/server-folder.ts';

export interface TelemetrySettings {
  /** Where `/metrics` is served; undefined: nowhere. */
  readonly metrics:
    | { readonly host: string; readonly port: number; readonly metricsFreshMs: number }
    | undefined;
  /** The collector of traces, without a slash at its end; undefined: none are made. `share` of them, 0 to 1, are kept. */
  readonly traces: { readonly endpoint: string; readonly share: number } | undefined;
}

export interface Telemetry {
  readonly instrumentation: Instrumentation;
  /** Serves the metrics, if they are wanted; returns where. */
  listen(): Promise<{ host: string; port: number } | undefined>;
  close(): Promise<void>;
}

/** Opens what the settings ask for; the rest is not loaded. */
export async function openTelemetry(
  { metrics: at, traces: to }: TelemetrySettings,
  databaseUrl: string,
): Promise<Telemetry> {
  if (at === undefined && to === undefined) {
    return { instrumentation: NOOP_INSTRUMENTATION, listen: async () => undefined, close: async () => {} };
  }
  const manifest = await readFile(new URL('package.json', SERVER_FOLDER), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const metrics =
    at && (await import('./metrics.ts')).openMetrics({ databaseUrl, version, freshMs: at.metricsFreshMs });
  const traces = to && (await import('./traces.ts')).openTraces({ ...to, version });
  let closing: Promise<void> | undefined;
  return {
    instrumentation:
      metrics && traces
        ? combineInstrumentation(metrics.instrumentation, traces.instrumentation)
        : (metrics?.instrumentation ?? traces?.instrumentation ?? NOOP_INSTRUMENTATION),
    listen: async () => (at && metrics ? { host: at.host, port: await metrics.listen(at) } : undefined),
    close: () => (closing ??= Promise.all([metrics?.close(), traces?.close()]).then(() => {})),
  };
}
