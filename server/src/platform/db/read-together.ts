import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from './db.ts';

interface Asked<K, V> {
  readonly key: K;
  readonly resolve: (value: V) => void;
  readonly reject: (error: unknown) => void;
}

/** What is sent for many belongs to no call, whichever asked first. */
const nowhere = AsyncLocalStorage.snapshot();

/**
 * A read outside any transaction that many calls ask for: what is asked in one turn of the event loop is one statement, and
 * nobody waits for longer. `many` answers all keys, in their order.
 */
export function readTogether<K, V>(
  many: (db: Db, keys: readonly K[]) => Promise<readonly V[]>,
): (db: Db, key: K) => Promise<V> {
  const waiting = new WeakMap<Db, Asked<K, V>[]>();

  async function send(db: Db): Promise<void> {
    const those = waiting.get(db) ?? [];
    waiting.delete(db);
    try {
      const ask = () =>
        many(
          db,
          those.map(({ key }) => key),
        );
      const values = await (those.length === 1 ? ask() : nowhere(ask));
      for (const [place, { resolve }] of those.entries()) resolve(values[place] as V);
    } catch (error) {
      for (const { reject } of those) reject(error);
    }
  }

  return (db, key) =>
    new Promise((resolve, reject) => {
      const those = waiting.get(db);
      if (those !== undefined) return void those.push({ key, resolve, reject });
      waiting.set(db, [{ key, resolve, reject }]);
      // After all sockets have been read: their calls come in one turn, each in a callback of its own.
      setImmediate(() => void send(db));
    });
}
