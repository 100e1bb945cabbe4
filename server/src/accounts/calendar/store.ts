import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';

export interface CalendarLink {
  readonly id: string;
  readonly madeAt: Date;
}

/** A buyer's; undefined without one. */
export async function findCalendarLink(db: Db, buyerId: number): Promise<CalendarLink | undefined> {
  return db
    .selectFrom('calendar_links')
    .select(['id', 'made_at as madeAt'])
    .where('buyer_id', '=', buyerId)
    .executeTakeFirst();
}

/** Whose it is; undefined for one that was replaced or revoked. */
export async function findCalendarOwner(db: Db, id: string): Promise<number | undefined> {
  const found = await db
    .selectFrom('calendar_links')
    .select('buyer_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return found?.buyer_id;
}

/** Makes a buyer's, in the place of the one before. */
export async function replaceCalendarLink(tx: Tx, buyerId: number): Promise<CalendarLink> {
  return tx
    .insertInto('calendar_links')
    .values({ buyer_id: buyerId })
    .onConflict((conflict) =>
      conflict
        .column('buyer_id')
        .doUpdateSet({ id: sql<string>`gen_random_uuid()`, made_at: sql<Date>`app_now()` }),
    )
    .returning(['id', 'made_at as madeAt'])
    .executeTakeFirstOrThrow();
}

/** Revokes a buyer's; false when they have none. */
export async function deleteCalendarLinkOf(tx: Tx, buyerId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('calendar_links')
    .where('buyer_id', '=', buyerId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
