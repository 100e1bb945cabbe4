import type { Tx } from './db.ts';

const waiting = new WeakMap<Tx, (() => void)[]>();

/** Does something, such as writing a log line, once what the transaction did stands; never, should it be rolled back. */
export function afterCommit(tx: Tx, act: () => void): void {
  const acts = waiting.get(tx);
  if (acts === undefined) waiting.set(tx, [act]);
  else acts.push(act);
}

/** Does what waited for a transaction's commit. */
export function committed(tx: Tx | undefined): void {
  for (const act of (tx && waiting.get(tx)) ?? []) act();
}
