import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { LedgerEventKind } from '../../platform/db/tables.ts';

/** A place in the books: whoever has read up to it goes on behind it. */
export interface Place {
  readonly position: number;
  readonly id: number;
}

/** Before everything. */
export const BEGINNING: Place = { position: 0, id: 0 };

export interface JournalEntry extends Place {
  readonly merchantId: number;
  readonly kind: LedgerEventKind;
  readonly sourceId: string;
  readonly occurredAt: Date;
  /** The purchases whose deposits it moved, by id: one payment may be of several. */
  readonly purchaseIds: readonly number[];
}

/**
 * What was booked of these merchants behind a place, in an order that never changes. What comes later stands behind what was
 * read, however late it commits: nothing is given that a transaction under way may still precede.
 */
export async function readJournal(
  db: Db | Tx,
  merchantIds: readonly number[],
  after: Place,
  most: number,
): Promise<JournalEntry[]> {
  const { rows } = await sql<JournalEntry>`
    select event.id, event.position, event.merchant_id as "merchantId", event.kind, event.source_id as "sourceId",
      event.occurred_at as "occurredAt", (
        select coalesce(json_agg(distinct purchase.id order by purchase.id), '[]') from ledger_transfers, lateral (
          select case when debit = 'layaway_deposits' then debit_subject else credit_subject end::bigint as id) purchase
        where event_id = event.id and 'layaway_deposits' in (debit, credit)) as "purchaseIds"
    from unnest(${merchantIds}::bigint[]) merchant (id), lateral (
      select * from ledger_events
      where merchant_id = merchant.id and (position, id) > (${after.position}::bigint, ${after.id}::bigint)
        and position < (select journal_horizon())
      order by position, id limit ${most}) event
    order by event.position, event.id limit ${most}`.execute(db);
  return rows;
}

/** In SQL: whether there is something of a merchant behind a place. */
export function isJournalAhead(
  merchantId: RawBuilder<unknown>,
  place: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`exists (select from ledger_events where merchant_id = ${merchantId} and (position, id) > ${place}
    and position < (select journal_horizon()))`;
}
