import { raiseAlert } from '../../platform/alerts.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Log } from '../../platform/logging.ts';
import { type BrokenProof, proveBooks } from './proofs.read-model.ts';

export interface ProveDeps {
  readonly db: Db;
  /** A connection for statements that may take minutes; closed when they are done. */
  readonly openForLong: () => Db;
}

export interface Proven {
  readonly broken: readonly BrokenProof[];
  readonly tookMs: number;
}

/** Proves the books and records the outcome, which the metrics read. Each broken proof raises an alert. */
export async function proveAndRemember(deps: ProveDeps, log: Log): Promise<Proven> {
  const startedAt = performance.now();
  const slow = deps.openForLong();
  let broken: BrokenProof[];
  try {
    broken = await proveBooks(slow);
  } finally {
    await slow.destroy();
  }
  const tookMs = Math.round(performance.now() - startedAt);
  for (const { proof, subjects } of broken) await raiseAlert(deps.db, 'books_broken', proof, { subjects });
  await deps.db.insertInto('book_proofs').values({ broken: broken.length, took_ms: tookMs }).execute();
  log[broken.length > 0 ? 'error' : 'info']({ broken: broken.length, tookMs }, 'the books were proven');
  return { broken, tookMs };
}
