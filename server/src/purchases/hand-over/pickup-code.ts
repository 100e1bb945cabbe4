import { randomInt } from 'node:crypto';

import { judgePickup, PICKUP_DAYS, PICKUP_REPLACED, type PickupVerdict } from '@aparta/domain/pickup-code';

import type { Tx } from '../../platform/db/db.ts';
import { type KeyRing, seal, unseal } from '../../platform/secrets.ts';
import type { LockedPurchase } from '../plans/store.ts';
import { countPickupTry, findPickupCode, type PickupRow, putPickupCode } from './store.ts';

/** A purchase's code, opened: its digits first, then those that it replaced. */
export interface OpenPickup extends Omit<PickupRow, 'ciphertext' | 'keyId'> {
  readonly digits: readonly string[];
}

type Owner = Pick<LockedPurchase, 'id' | 'buyerId' | 'merchantId' | 'now'>;

const boundTo = ({ id, merchantId }: Owner) => ({ merchantId, field: `pickup_code:${id}` });

/** The code of a purchase whose lock the caller holds; undefined before its buyer looked. */
export async function openPickup(tx: Tx, keyRing: KeyRing, purchase: Owner): Promise<OpenPickup | undefined> {
  const row = await findPickupCode(tx, purchase.id);
  if (row === undefined) return undefined;
  const { ciphertext, keyId, ...code } = row;
  return { ...code, digits: unseal(keyRing, ciphertext, { ...boundTo(purchase), keyId }).split(' ') };
}

/** Makes a code, or another for `known`, unlike those that it remembers. */
export async function makePickup(
  tx: Tx,
  keyRing: KeyRing,
  purchase: Owner,
  known: readonly string[] = [],
): Promise<void> {
  let fresh: string;
  do fresh = String(randomInt(1_000_000)).padStart(6, '0');
  while (known.includes(fresh));
  const digits = [fresh, ...known.slice(0, PICKUP_REPLACED)];
  await putPickupCode(tx, purchase, seal(keyRing, digits.join(' '), boundTo(purchase)), PICKUP_DAYS);
}

/** What digits are to the code of a purchase whose lock the caller holds; a wrong one counts. Without a code all are wrong. */
export async function tryPickup(
  tx: Tx,
  keyRing: KeyRing,
  purchase: Owner,
  digits: string,
): Promise<{ readonly verdict: PickupVerdict; readonly code: OpenPickup | undefined }> {
  const code = await openPickup(tx, keyRing, purchase);
  const verdict = code === undefined ? 'wrong' : judgePickup(code, digits, purchase.now);
  if (verdict === 'wrong') await countPickupTry(tx, purchase.id);
  return { verdict, code };
}
