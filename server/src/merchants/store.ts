import { sql, type Selectable } from 'kysely';

import type { Db } from '../db/db.ts';
import type { CompaniesTable, MerchantsTable, ProductsTable } from '../db/tables.ts';

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
              .where('purchase.state', '=', 'active'),
          ),
        ])
        .$castTo<boolean>()
        .as('is_customer'),
    ])
    .where('merchants.id', '=', id)
    .executeTakeFirst();
}

export type ProductRow = Selectable<ProductsTable>;

/** A product that is on sale. */
export async function findProduct(db: Db, id: number): Promise<ProductRow | undefined> {
  return db
    .selectFrom('products')
    .selectAll()
    .where('id', '=', id)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst();
}

export type CompanyRow = Omit<Selectable<CompaniesTable>, 'logo'> & { readonly has_logo: boolean };

export async function findCompany(db: Db, id: number): Promise<CompanyRow | undefined> {
  return db
    .selectFrom('companies')
    .select(['id', 'name', 'phone', 'external_ref_antad', 'logo_file_name', 'created_at'])
    .select(sql<boolean>`logo is not null`.as('has_logo'))
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The bytes of the logo that has exactly this name. */
export async function findLogo(db: Db, fileName: string): Promise<Buffer | undefined> {
  const company = await db
    .selectFrom('companies')
    .select('logo')
    .where('logo_file_name', '=', fileName)
    .executeTakeFirst();
  return company?.logo ?? undefined;
}
