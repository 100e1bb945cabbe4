import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import { OPEN_STATES } from './attempt.ts';
import { type Attempt, attempts } from './store.ts';

/** The attempt that stands in the path of a reference, else the newest at it, whatever became of it. */
export async function findNewestAttempt(db: Db | Tx, referenceId: number): Promise<Attempt | undefined> {
  return (
    (await findBlockingAttempt(db, referenceId)) ??
    (await attempts(db)
      .where('reference_id', '=', referenceId)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst())
  );
}

/** As text, so that the planner finds the index of these alone. */
const BLOCKS = sql<SqlBool>`state in (${sql.raw([...OPEN_STATES, 'held'].map((state) => `'${state}'`).join())})`;

/**
 * The open or held attempt at a reference, or at another instalment of its purchase: no other may start
 * (rules/card-attempts#states). Whoever would start one holds the head's lock.
 */
export async function findBlockingAttempt(db: Db | Tx, referenceId: number): Promise<Attempt | undefined> {
  return attempts(db)
    .where((eb) =>
      eb.or([
        eb('reference_id', '=', referenceId),
        eb(
          'purchase_id',
          '=',
          eb.selectFrom('instalments').where('id', '=', referenceId).select('purchase_id'),
        ),
      ]),
    )
    .where(BLOCKS)
    .limit(1)
    .executeTakeFirst();
}
