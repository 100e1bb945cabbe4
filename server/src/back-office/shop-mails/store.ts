import { sql } from 'kysely';

import { isJournalAhead, type Place } from '../../ledger/books/journal.ts';
import type { Tx } from '../../platform/db/db.ts';

export interface ShopPlace extends Place {
  readonly merchantId: number;
}

/** Lets the books of these shops be read, from their beginning. */
export async function insertPlaces(tx: Tx, merchantIds: readonly number[]): Promise<void> {
  await sql`insert into shop_mail_places select id, 0, 0 from unnest(${merchantIds}::bigint[]) id
    on conflict do nothing`.execute(tx);
}

/** Shops of whose books something has not been read, for whoever asks alone. */
export async function takePlaces(tx: Tx, most: number): Promise<ShopPlace[]> {
  const { rows } = await sql<ShopPlace>`
    select merchant_id as "merchantId", position, last_event_id as id from shop_mail_places place
    where ${isJournalAhead(sql`place.merchant_id`, sql`(place.position, place.last_event_id)`)}
    order by merchant_id limit ${most} for no key update skip locked`.execute(tx);
  return rows;
}

export async function movePlace(tx: Tx, { merchantId, position, id }: ShopPlace): Promise<void> {
  await tx
    .updateTable('shop_mail_places')
    .set({ position, last_event_id: id })
    .where('merchant_id', '=', merchantId)
    .execute();
}

/** Passes over what was booked of a shop. */
export async function skipBooked(tx: Tx, merchantId: number): Promise<void> {
  await sql`update shop_mail_places set position = journal_horizon(), last_event_id = 0
    where merchant_id = ${merchantId}`.execute(tx);
}
