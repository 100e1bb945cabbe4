import { randomUUID } from 'node:crypto';
import { apiKeyHeader, type Operation } from '@aparta/provider-wire/tapi';
import type { Clock } from '../clock.ts';
import type { Journal, Table } from '../journal.ts';
import { mostTries, postNotice } from '../post-notice.ts';
import { demoAccount } from './network.ts';

/** One notice on its way, or there, or lost. */
export type NoticeRow = {
  id: string;
  operationId: string;
  body: Operation;
  /** `held` until it is let go; `dropped` never leaves. */
  state: 'held' | 'sending' | 'delivered' | 'given up' | 'dropped';
  /** When it leaves, by the machine's clock. */
  dueAt: number;
  tries: { at: number; result: number | string }[];
};

/** How notices travel: on the page for one of them, by the control for all. */
export type NoticeMode = { drop: boolean; copies: number; delayMs: number; hold: boolean };

export type CashNotices = ReturnType<typeof createCashNotices>;

type Deps = { journal: Journal; clock: Clock; origins: { product: string }; delayMs: number };

/**
 * Tells the product's webhook what the stores did, with its key, up to 3 times until it answers 200. What was on its way when
 * the sandbox stopped goes on when it starts.
 */
export function createCashNotices({ journal, clock, origins, delayMs }: Deps) {
  const notices: Table<NoticeRow> = journal.table('cashNotices');
  const closing = new AbortController();
  const firstMode: NoticeMode = { drop: false, copies: 1, delayMs, hold: false };
  let mode = firstMode;
  let key: string = demoAccount.noticeKey;
  for (const row of notices.all()) if (row.state === 'sending') void send(row);

  /** Resolves when it is told or given up, or when we close. */
  async function send({ id, body, dueAt }: NoticeRow): Promise<void> {
    const recorded = (result: number | string) => {
      const row = notices.get(id);
      if (row === undefined) return; // forgotten meanwhile
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
    /** The key that goes with every notice from here on. */
    setKey(changed: string) {
      key = changed;
    },
    notify,
    /** Sends the held ones one after another, each once the one before has been answered. */
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
