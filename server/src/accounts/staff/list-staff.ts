import type { Db } from '../../platform/db/db.ts';
import type { Staff } from '../../platform/principal.ts';
import { type BranchRow, listBranches } from '../branches/store.ts';
import { listInvitations } from './invitation-store.ts';
import { listPositionsAt, needOwnersPasskey, type PositionRow } from './read-model.ts';

/** The open branches with these numbers, by name. */
export async function branchesOf(db: Db, ids: readonly number[]): Promise<BranchRow[]> {
  return listBranches(db, ids);
}

/** Who has a position at the caller's merchant, who is invited, and whether owners need a passkey. */
export async function staffOf(
  db: Db,
  { merchantId }: Staff,
): Promise<{
  positions: PositionRow[];
  invitations: Awaited<ReturnType<typeof listInvitations>>;
  ownersNeedPasskey: boolean;
}> {
  const [positions, invitations, ownersNeedPasskey] = await Promise.all([
    listPositionsAt(db, merchantId),
    listInvitations(db, merchantId),
    needOwnersPasskey(db, merchantId),
  ]);
  return { positions, invitations, ownersNeedPasskey };
}
