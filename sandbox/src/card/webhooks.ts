import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { WebhookBody } from '@aparta/provider-wire/clip';
import type { Table } from '../journal.ts';

/** One try to deliver a notice. */
export type WebhookTry = {
  id: string;
  paymentId: string;
  eventType: 'INSERT' | 'UPDATE';
  url: string;
  at: number;
  /** HTTP status, or why there is none. */
  result: number | string;
};

/** How notices travel; the control changes it. */
export type WebhookMode = { drop: boolean; copies: number; delayMs: number };

export type Webhooks = {
  mode: WebhookMode;
  notify(paymentId: string, url: string | undefined, eventType: 'INSERT' | 'UPDATE'): void;
  close(): void;
};

const retriesAfterMs = [0, 1_000, 5_000];

/**
 * Posts `{ id, origin, event_type }` to a payment's `webhook_url`, unsigned, up to 3 times. Only to this
 * machine: the address comes from a request, and the sandbox must not become a way to call others.
 */
export function createWebhooks(tries: Table<WebhookTry>, now: () => number, mode: WebhookMode): Webhooks {
  const closing = new AbortController();

  async function deliver(paymentId: string, url: string, eventType: 'INSERT' | 'UPDATE', delayMs: number) {
    const body: WebhookBody = { id: paymentId, origin: 'payments-api', event_type: eventType };
    await wait(delayMs, undefined, { signal: closing.signal, ref: false });
    for (const pauseMs of retriesAfterMs) {
      await wait(pauseMs, undefined, { signal: closing.signal, ref: false });
      const result = await post(url, body);
      closing.signal.throwIfAborted();
      tries.put({ id: randomUUID(), paymentId, eventType, url, at: now(), result });
      if (typeof result === 'number' && result < 300) return;
    }
  }

  async function post(url: string, body: WebhookBody): Promise<number | string> {
    if (!isLoopback(url)) return 'not sent: not an address of this machine';
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(5_000)]),
      });
      await response.body?.cancel();
      return response.status;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  return {
    mode,
    notify(paymentId, url, eventType) {
      if (url === undefined || mode.drop) return;
      for (let copy = 0; copy < mode.copies; copy += 1) {
        deliver(paymentId, url, eventType, mode.delayMs).catch((error: unknown) => {
          if (!closing.signal.aborted) throw error;
        });
      }
    },
    close: () => closing.abort(),
  };
}

function isLoopback(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return (
    /^https?:$/.test(protocol) &&
    (/^127(\.\d+){3}$/.test(hostname) || ['localhost', '[::1]'].includes(hostname))
  );
}
