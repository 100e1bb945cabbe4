import type { Db } from '../../../platform/db/db.ts';
import type { Staff } from '../../../platform/principal.ts';
import { listSettlements, type Settlement } from '../../settlements/store.ts';

/** What the operator noted for the caller's merchant, the newest first. */
export async function listShopSettlements(db: Db, { merchantId }: Staff): Promise<Settlement[]> {
  return listSettlements(db, merchantId);
}
