import { type RawBuilder, sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';

/** Whether the merchant with this id in a statement takes money at tills, or at its own counter, which is one. */
export const acceptsTills = (merchantId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from till_merchants m join service_accounts a on a.id = m.service_account_id
    where m.merchant_id = ${merchantId} and a.revoked_at is null)`;

/** The same of one merchant. */
export async function takesAtTill(db: Db, merchantId: number): Promise<boolean> {
  const { rows } = await sql<{ takes: boolean }>`select ${acceptsTills(sql`${merchantId}`)} as takes`.execute(
    db,
  );
  return rows[0]?.takes ?? false;
}
