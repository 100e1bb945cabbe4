import { randomUUID } from 'node:crypto';
import { apiKeyHeader, type Operation } from '@aparta/provider-wire/tapi';
import type { Clock } from '../clock.ts';
import type { Journal, Table } from '../journal.ts';
import { mostTries, postNotice } from '../post-notice.ts';
import { demoAccount } from './network.ts';

/** A notice: on its way, delivered or lost. */
export type NoticeRow = {
  id: string;
  operationId: string;
  body: Operation;
  /** `held` until it is released; `dropped` is never sent. */
  state: 'held' | 'sending' | 'delivered' | 'given up' | 'dropped';
  /** When it is sent, by the real clock. */
  dueAt: number;
  tries: { at: number; result: number | string }[];
};

/** How notices are sent: one of them by the page, all by the control. */
export type NoticeMode = { drop: boolean; copies: number; delayMs: number; hold: boolean };

export type CashNotices = ReturnType<typeof createCashNotices>;

type Deps = { journal: Journal; clock: Clock; origins: { product: string }; delayMs: number };

/**
 * Posts what stores did to the product's webhook, with its key, up to 3 times until it answers 200. Notices that were on their
 * way when the sandbox stopped go on when it starts.
 */
export function createCashNotices({ journal, clock, origins, delayMs }: Deps) {
  const notices: Table<NoticeRow> = journal.table('cashNotices');
  const closing = new AbortController();
  const firstMode: NoticeMode = { drop: false, copies: 1, delayMs, hold: false };
  let mode = firstMode;
  let key: string = demoAccount.noticeKey;
  for (const row of notices.all()) if (row.state === 'sending') void send(row);

  /** Resolves when it was delivered or given up, or when the sandbox closes. */
  async function send({ id, body, dueAt }: NoticeRow): Promise<void> {
    const recorded = (result: number | string) => {
      const row = notices.get(id);
      if (row === undefined) return; // reset meanwhile
      const tries = [...row.tries, { at: clock.now(), result }];
      const state = result === 200 ? 'delivered' : tries.length === mostTries ? 'given up' : 'sending';
      notices.put({ ...row, tries, state });
    };
    try {
      await postNotice({
        url: `${origins.product}/webhooks/tapi`,
        headers: { [apiKeyHeader]: key },
        body,
        delayMs: Math.max(0, dueAt - Date.now()),
        isGood: (status) => status === 200,
        closing: closing.signal,
        recorded,
      });
    } catch (error) {
      if (!closing.signal.aborted) throw error;
    }
  }

  function notify(body: Operation, override: Partial<NoticeMode> = {}): void {
    const { drop, copies, hold, delayMs } = { ...mode, ...override };
    for (let copy = 0; copy < copies; copy += 1) {
      const row = notices.put({
        id: randomUUID(),
        operationId: body.operationId,
        body,
        state: drop ? 'dropped' : hold ? 'held' : 'sending',
        dueAt: Date.now() + delayMs,
        tries: [],
      });
      if (row.state === 'sending') void send(row);
    }
  }

  return {
    notices,
    mode: () => mode,
    setMode(changed: Partial<NoticeMode>) {
      mode = { ...firstMode, ...changed };
    },
    /** The key of all notices from now on. */
    setKey(changed: string) {
      key = changed;
    },
    notify,
    /** Sends the held notices, each after the one before was answered. */
    async release(order: 'same' | 'reverse'): Promise<number> {
      const held = notices.all().filter((row) => row.state === 'held');
      if (order === 'reverse') held.reverse();
      for (const row of held) await send(notices.put({ ...row, state: 'sending', dueAt: Date.now() }));
      return held.length;
    },
    reset() {
      mode = firstMode;
      key = demoAccount.noticeKey;
    },
    close: () => closing.abort(),
  };
}
