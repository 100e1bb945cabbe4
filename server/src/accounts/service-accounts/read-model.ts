import { type RawBuilder, sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';

/** Whether a merchant takes money at tills, or at its own counter, which is one. */
export async function takesAtTill(db: Db, merchantId: number): Promise<boolean> {
  const found = await db
    .selectFrom('till_merchants as m')
    .innerJoin('service_accounts as a', 'a.id', 'm.service_account_id')
    .where('m.merchant_id', '=', merchantId)
    .where('a.revoked_at', 'is', null)
    .select('a.id')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The same of the merchant in a column of a statement. */
export const isTakenAtTill = (merchantId: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from till_merchants m join service_accounts a on a.id = m.service_account_id
    where m.merchant_id = ${sql.ref(merchantId)} and a.revoked_at is null)`;
