import { sql, type Selectable } from 'kysely';

import type { Db } from '../../platform/db/db.ts';
import { pictureOf } from '../read-model.ts';
import type { MerchantsTable, ProductsTable } from '../../platform/db/tables.ts';

export type MerchantRow = Selectable<MerchantsTable> & {
  /** The public key of the card frame; null where no card can be used. */
  readonly card_key: string | null;
  /** Whether the buyer has something open or active there. */
  readonly is_customer: boolean;
};

/** A merchant as one buyer sees it. */
export async function findMerchant(db: Db, id: number, buyerId: number): Promise<MerchantRow | undefined> {
  return db
    .selectFrom('merchants')
    .selectAll('merchants')
    .select((merchant) => [
      merchant
        .selectFrom('provider_credentials as credential')
        .select('credential.public_key')
        .whereRef('credential.merchant_id', '=', 'merchants.id')
        .where('credential.provider', '=', 'clip')
        .where('credential.retired_at', 'is', null)
        .as('card_key'),
      merchant
        .or([
          merchant.exists(
            merchant
              .selectFrom('layaway_references as reference')
              .select(sql`1`.as('one'))
              .whereRef('reference.merchant_id', '=', 'merchants.id')
              .where('reference.buyer_id', '=', buyerId)
              .where('reference.state', '=', 'open')
              .where('reference.expires_at', '>', sql<Date>`app_now()`),
          ),
          merchant.exists(
            merchant
              .selectFrom('purchases as purchase')
              .select(sql`1`.as('one'))
              .whereRef('purchase.merchant_id', '=', 'merchants.id')
              .where('purchase.buyer_id', '=', buyerId)
              .where('purchase.state', '<>', 'cancelled'),
          ),
        ])
        .$castTo<boolean>()
        .as('is_customer'),
    ])
    .where('merchants.id', '=', id)
    .executeTakeFirst();
}

export type OnSale = Selectable<ProductsTable> & {
  /** What names its picture; null without one. */
  readonly picture: string | null;
  /** No unit is for sale, and none is kept for a reservation of this buyer. */
  readonly isSoldOut: boolean;
};

/** A product that is on sale, as one buyer sees it. */
export async function findOnSale(db: Db, id: number, buyerId: number): Promise<OnSale | undefined> {
  return db
    .selectFrom('products as d')
    .selectAll('d')
    .select(pictureOf('d.id').as('picture'))
    .select(
      sql<boolean>`d.counts_units
        and not exists (select from product_units u join branches w on w.id = u.branch_id
          where u.product_id = d.id and u.free_units > 0 and w.closed_at is null)
        and not exists (select from layaway_references l join holds h on h.layaway_reference_id = l.id and h.state = 'held'
          where l.product_id = d.id and l.buyer_id = ${buyerId} and l.state = 'open')`.as('isSoldOut'),
    )
    .where('d.id', '=', id)
    .where('d.withdrawn_at', 'is', null)
    .executeTakeFirst();
}

export type StoredMerchant = Selectable<MerchantsTable> & {
  readonly company: string;
  readonly products: number;
  /** The public half of today's card keys; null where cards are not taken. */
  readonly card_key: string | null;
};

/** Merchants as the operator keeps them, all or one. */
export async function listMerchants(db: Db, id?: number): Promise<StoredMerchant[]> {
  return db
    .selectFrom('merchants')
    .innerJoin('companies as company', 'company.id', 'merchants.company_id')
    .leftJoin('provider_credentials as credential', (join) =>
      join
        .onRef('credential.merchant_id', '=', 'merchants.id')
        .on('credential.provider', '=', 'clip')
        .on('credential.retired_at', 'is', null),
    )
    .selectAll('merchants')
    .select(['company.name as company', 'credential.public_key as card_key'])
    .select(
      sql<number>`(select count(*) from products where merchant_id = merchants.id and withdrawn_at is null)`.as(
        'products',
      ),
    )
    .$if(id !== undefined, (query) => query.where('merchants.id', '=', id ?? 0))
    .orderBy('merchants.id')
    .execute();
}
