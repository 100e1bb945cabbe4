import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code?: number };
}

/** A trace collector on the loopback that keeps what it receives. */
export interface Collector {
  readonly url: string;
  spans(): ReceivedSpan[];
  /** All that was sent, as text. */
  text(): string;
  close(): Promise<void>;
}

export async function openCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () =>
      bodies.flatMap((body) =>
        JSON.parse(body).resourceSpans.flatMap((resource: any) =>
          resource.scopeSpans.flatMap((scope: any) => scope.spans),
        ),
      ),
    text: () => bodies.join('\n'),
    async close() {
      server.close().closeAllConnections();
    },
  };
}
