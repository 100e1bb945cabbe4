import type { Db } from '../../../platform/db/db.ts';
import type { Staff } from '../../../platform/principal.ts';
import { listSettlements, type Settlement } from '../../settlements/store.ts';

/** What the operator noted of the caller's merchant, the newest first; those `before` one, where it is named. */
export async function listShopSettlements(
  db: Db,
  { merchantId }: Staff,
  page?: { readonly before: number | undefined; readonly limit: number },
): Promise<Settlement[]> {
  const found = await listSettlements(db, merchantId, page);
  // Why one was voided is the operator's own: it may name another shop.
  return found.map((each) => (each.kind === 'void' ? { ...each, evidence: '' } : each));
}
