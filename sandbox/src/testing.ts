import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Payment } from '@aparta/provider-wire/clip';
import { createSandbox, type SandboxOptions } from './app.ts';
import { demoMerchants, type Merchant } from './card/merchants.ts';

export type Reply<T = unknown> = { status: number; body: T; headers: Headers };

/** A sandbox on free ports with short waits, and HTTP calls to it, until the test ends. */
export async function startSandbox(options: Partial<SandboxOptions> = {}) {
  const sandbox = await createSandbox({
    productOrigin: 'http://localhost:3399',
    waits: { webhookMs: 0, approveLaterMs: 50, approveAloneMs: 50, lateReplyMs: 200 },
    ...options,
  });
  onTestFinished(() => sandbox.close());
  const [merchant] = demoMerchants as [Merchant, ...Merchant[]];

  async function call<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers = {},
  ): Promise<Reply<T>> {
    const response = await fetch(new URL(path, sandbox.apiUrl), {
      method,
      headers: {
        authorization: `Basic ${btoa(`${merchant.id}:${merchant.secret}`)}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as T, headers: response.headers };
  }

  /** A token from the card frame's own origin. */
  async function tokenOf(number: string): Promise<string> {
    const card = { apiKey: merchant.id, number, holder: 'Ana Torres', cvv: '123', month: 12, year: 2040 };
    const { body } = await call<{ id: string }>('POST', `${sandbox.frameOrigin}/tokens`, card);
    return body.id;
  }

  /** POST /payments with a fresh token of that card. */
  async function charge(number: string, more: Record<string, unknown> = {}): Promise<Reply<Payment>> {
    return call('POST', '/payments', {
      amount: 615,
      currency: 'MXN',
      payment_method: { token: await tokenOf(number) },
      customer: { email: 'ana@example.com', phone: '5512345678' },
      external_reference: 'attempt-1',
      ...more,
    });
  }

  const control = <T = unknown>(path: string, body: unknown) => call<T>('POST', `/control/${path}`, body);
  return { ...sandbox, merchant, call, tokenOf, charge, control };
}

/** One request that the sandbox sent to the product. */
export type Seen = { path: string; headers: Record<string, string | string[] | undefined>; body: unknown };

/** A stand-in for the product: keeps every request in order, and answers as `answer` says (200 and `{}` by default). */
export async function startProduct(
  answer: (seen: Seen) => { status?: number; body?: unknown } = () => ({}),
): Promise<{ origin: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => void reply(request, response));
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await new Response(request as unknown as ReadableStream).text();
    const one = { path: request.url ?? '', headers: request.headers, body: JSON.parse(text) as unknown };
    seen.push(one);
    const { status = 200, body = {} } = answer(one);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
