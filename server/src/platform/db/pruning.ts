import type { RawBuilder } from 'kysely';
import type { Db } from './db.ts';

/** Something that is forgotten once it is old enough. */
export interface Pruning {
  /** What the log calls it. */
  readonly what: string;
  /** Forgets at most `rowsAtOnce` rows and resolves with how many; fewer means that none is left. */
  readonly prune: (db: Db, rowsAtOnce: number) => Promise<number>;
}

/** A pruning of one statement. What it writes must name at most `rowsAtOnce` rows. */
export function pruning(what: string, statement: (rowsAtOnce: number) => RawBuilder<unknown>): Pruning {
  return {
    what,
    async prune(db, rowsAtOnce) {
      const { numAffectedRows = 0n } = await statement(rowsAtOnce).execute(db);
      return Number(numAffectedRows);
    },
  };
}
