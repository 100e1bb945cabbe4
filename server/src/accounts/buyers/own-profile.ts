import type { Db } from '../../platform/db/db.ts';
import type { Buyer } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { recordAccountAct } from '../acts/store.ts';
import { findBuyer, type BuyerRow, type ProfileChanges, turnReminders, updateProfile } from './store.ts';

/** The caller's own row. Anybody else's id is refused like one that does not exist (rules/accounts#ownership). */
export async function ownProfile(db: Db, caller: Buyer, buyerId: number): Promise<BuyerRow> {
  const buyer = buyerId === caller.id ? await findBuyer(db, buyerId) : undefined;
  if (buyer === undefined) throw new Refusal('NOT_FOUND');
  return buyer;
}

/** Changes the caller's own profile, and returns the row as it is then. Refuses with NOT_FOUND anybody else's. */
export async function changeOwnProfile(
  db: Db,
  caller: Buyer,
  buyerId: number,
  changes: ProfileChanges,
  device: string,
): Promise<BuyerRow> {
  if (buyerId !== caller.id) throw new Refusal('NOT_FOUND');
  await transaction(db, async (tx) => {
    await updateProfile(tx, buyerId, changes);
    await recordAccountAct(tx, { buyerId, act: 'profile_changed', device });
  });
  return ownProfile(db, caller, buyerId);
}

/** Turns the caller's reminders on or off. */
export async function turnOwnReminders(
  db: Db,
  caller: Buyer,
  wanted: boolean,
  device: string,
): Promise<void> {
  await transaction(db, (tx) => turnReminders(tx, caller.id, wanted, device));
}
