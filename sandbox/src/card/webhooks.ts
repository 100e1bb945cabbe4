import { randomUUID } from 'node:crypto';
import type { WebhookBody } from '@aparta/provider-wire/clip';
import type { Table } from '../journal.ts';
import { postNotice } from '../post-notice.ts';

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

/** How notices are sent; the control changes it. */
export type WebhookMode = { drop: boolean; copies: number; delayMs: number };

export type Webhooks = {
  mode: WebhookMode;
  notify(paymentId: string, url: string | undefined, eventType: 'INSERT' | 'UPDATE'): void;
  close(): void;
};

/** Posts `{ id, origin, event_type }` to a payment's `webhook_url`, unsigned. */
export function createWebhooks(tries: Table<WebhookTry>, now: () => number, mode: WebhookMode): Webhooks {
  const closing = new AbortController();

  return {
    mode,
    notify(paymentId, url, eventType) {
      if (url === undefined || mode.drop) return;
      const body: WebhookBody = { id: paymentId, origin: 'payments-api', event_type: eventType };
      for (let copy = 0; copy < mode.copies; copy += 1) {
        postNotice({
          url,
          body,
          delayMs: mode.delayMs,
          isGood: (status) => status < 300,
          closing: closing.signal,
          recorded: (result) => tries.put({ id: randomUUID(), paymentId, eventType, url, at: now(), result }),
        }).catch((error: unknown) => {
          if (!closing.signal.aborted) throw error;
        });
      }
    },
    close: () => closing.abort(),
  };
}
