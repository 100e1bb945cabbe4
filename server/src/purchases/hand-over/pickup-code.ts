import { randomInt } from 'node:crypto';

import { judgePickup, PICKUP_DAYS, PICKUP_REPLACED, type PickupVerdict } from '@aparta/domain/pickup-code';

import type { Tx } from '../../platform/db/db.ts';
import { type KeyRing, seal, unseal } from '../../platform/secrets.ts';
import type { LockedPurchase } from '../plans/store.ts';
import {
  countPickupTry,
  findPickupCode,
  lockPickupCodes,
  type PickupRow,
  putPickupCode,
  type SealedDigits,
  storeDigits,
} from './store.ts';

/** A purchase's code, opened: its digits first, then those that it replaced. */
export interface OpenPickup extends Omit<PickupRow, 'ciphertext' | 'keyId'> {
  readonly digits: readonly string[];
}

type Owner = Pick<LockedPurchase, 'id' | 'buyerId' | 'merchantId' | 'now'>;

const boundTo = ({ id, merchantId }: Pick<Owner, 'id' | 'merchantId'>) => ({
  merchantId,
  field: `pickup_code:${id}`,
});

/**
 * The code of a purchase whose lock the caller holds; undefined before its buyer looked. One that no key opens any more has no
 * digits and has ended, so that its buyer gets another.
 */
export async function openPickup(tx: Tx, keyRing: KeyRing, purchase: Owner): Promise<OpenPickup | undefined> {
  const row = await findPickupCode(tx, purchase.id);
  if (row === undefined) return undefined;
  const { ciphertext, keyId, ...code } = row;
  const text = opened(keyRing, { ciphertext, keyId }, purchase);
  return text === undefined
    ? { ...code, digits: [], expiresAt: purchase.now }
    : { ...code, digits: text.split(' ') };
}

function opened(
  keyRing: KeyRing,
  { ciphertext, keyId }: SealedDigits,
  purchase: Pick<Owner, 'id' | 'merchantId'>,
): string | undefined {
  try {
    return unseal(keyRing, ciphertext, { ...boundTo(purchase), keyId });
  } catch {
    return undefined;
  }
}

/** Seals with the ring's current key what others of its keys sealed; what none of them opens stays as it is. */
export async function resealPickupCodes(
  keyRing: KeyRing,
  tx: Tx,
): Promise<{ readonly resealed: number; readonly unopened: number }> {
  const old = await lockPickupCodes(tx, { notOf: keyRing.current });
  let resealed = 0;
  for (const code of old) {
    const text = opened(keyRing, code, code);
    if (text === undefined) continue;
    await storeDigits(tx, code.id, seal(keyRing, text, boundTo(code)));
    resealed += 1;
  }
  return { resealed, unopened: old.length - resealed };
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

/**
 * What digits are to the code of a purchase whose lock the caller holds; a wrong one counts. Without a code all are wrong; for
 * one that no key opens all are expired, which sends its buyer to look.
 */
export async function tryPickup(
  tx: Tx,
  keyRing: KeyRing,
  purchase: Owner,
  digits: string,
): Promise<{ readonly verdict: PickupVerdict; readonly code: OpenPickup | undefined }> {
  const code = await openPickup(tx, keyRing, purchase);
  const verdict = code === undefined ? 'wrong' : judge(code, digits, purchase.now);
  if (verdict === 'wrong') await countPickupTry(tx, purchase.id);
  return { verdict, code };
}

function judge(code: OpenPickup, digits: string, now: Date): PickupVerdict {
  return code.digits.length === 0 ? 'expired' : judgePickup(code, digits, now);
}
