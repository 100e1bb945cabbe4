import type { Db } from '../../platform/db/db.ts';

/** A merchant's id at the provider, '' where it does not invoice; undefined when the buyer bought nothing there. */
export async function findBusinessUuid(
  db: Db,
  merchantId: number,
  buyerId: number,
): Promise<string | undefined> {
  const merchant = await db
    .selectFrom('merchants as m')
    .where('m.id', '=', merchantId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('purchases as p')
          .select('p.id')
          .whereRef('p.merchant_id', '=', 'm.id')
          .where('p.buyer_id', '=', buyerId),
      ),
    )
    .select('m.invoicing_business_uuid as uuid')
    .executeTakeFirst();
  return merchant?.uuid;
}
