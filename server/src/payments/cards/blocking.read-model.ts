import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import { OPEN_STATES } from './attempt.ts';
import { type Attempt, attempts } from './store.ts';

/** The buyer's own attempt that stands in the path of a reference, else their newest at it, whatever became of it. */
export async function findNewestAttempt(db: Db | Tx, referenceId: number): Promise<Attempt | undefined> {
  return (
    (await findBlockingAttempt(db, referenceId)) ??
    (await attempts(db)
      .where('reference_id', '=', referenceId)
      .where('help_link_id', 'is', null)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst())
  );
}

/** As text, so that the planner finds the index of these alone. */
const BLOCKS = sql<SqlBool>`state in (${sql.raw([...OPEN_STATES, 'held'].map((state) => `'${state}'`).join())})`;

/**
 * The buyer's open or held attempt at a reference, at another instalment of its purchase, or at that and others: they may start no other
 * (rules/card-attempts#states). Helpers pay beside it. Whoever would start one holds the head's lock.
 */
export async function findBlockingAttempt(db: Db | Tx, referenceId: number): Promise<Attempt | undefined> {
  return (await findOpenAtOne(db, referenceId)) ?? findOpenAtSeveral(db, referenceId);
}

/** The buyer's open or held attempt at several purchases, that of this reference among them. */
function findOpenAtSeveral(db: Db | Tx, referenceId: number): Promise<Attempt | undefined> {
  return attempts(db)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('card_attempt_parts as t')
        .innerJoin('instalments as i', 'i.purchase_id', 't.purchase_id')
        .where('i.id', '=', referenceId)
        .select('t.attempt_id'),
    )
    .where(BLOCKS)
    .limit(1)
    .executeTakeFirst();
}

function findOpenAtOne(db: Db | Tx, referenceId: number): Promise<Attempt | undefined> {
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
    .where('help_link_id', 'is', null)
    .where(BLOCKS)
    .limit(1)
    .executeTakeFirst();
}

/**
 * Whether another card payment of the buyer's own, of a purchase that this one pays, was applied since this one began. One of the two
 * was begun because the other had come to nothing: both together are more than the buyer agreed to.
 */
export async function isPaidAnew(tx: Tx, attemptId: string): Promise<boolean> {
  const purchasesOf = (alias: string) =>
    sql.raw(`(select id from (select ${alias}.purchase_id as id
      union select purchase_id from card_attempt_parts where attempt_id = ${alias}.id) p where id is not null)`);
  const { rows } = await sql`
    select from card_attempts a join card_attempts other on other.buyer_id = a.buyer_id and other.id <> a.id
    where a.id = ${attemptId} and a.help_link_id is null
      and other.help_link_id is null and other.state = 'applied' and other.state_since > a.created_at
      and exists (${purchasesOf('a')} intersect ${purchasesOf('other')})
    limit 1`.execute(tx);
  return rows.length > 0;
}
