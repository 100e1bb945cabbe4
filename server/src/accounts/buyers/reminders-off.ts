import { timingSafeEqual } from 'node:crypto';

import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { type KeyRing, keyedHash } from '../../platform/secrets.ts';
import { turnReminders } from './store.ts';

const signed = (keyRing: KeyRing, buyerId: string): Buffer =>
  keyedHash(keyRing, 'unsubscribe', `recordatorios.${buyerId}`);

/** What turns off a buyer's reminders, and nothing else. It lasts as long as its key. */
export function remindersOffCode(keyRing: KeyRing, buyerId: number): string {
  return `recordatorios.${buyerId}.${signed(keyRing, String(buyerId)).toString('base64url')}`;
}

/** Whose reminders a code turns off; undefined for one that we did not write. */
export function readRemindersOffCode(keyRing: KeyRing, code: string): number | undefined {
  const [what, buyerId = '', signature = '', ...more] = code.split('.');
  if (what !== 'recordatorios' || more.length > 0) return undefined;
  const given = Buffer.from(signature, 'base64url');
  const isOurs = [...keyRing.keys.keys()].some((current) => {
    const ours = signed({ ...keyRing, current }, buyerId);
    return ours.length === given.length && timingSafeEqual(ours, given);
  });
  return isOurs ? Number(buyerId) : undefined;
}

/** Turns off the reminders that a code names; false for one that we did not write. */
export async function turnRemindersOff(db: Db, keyRing: KeyRing, code: string): Promise<boolean> {
  const buyerId = readRemindersOffCode(keyRing, code);
  if (buyerId === undefined) return false;
  await transaction(db, (tx) => turnReminders(tx, buyerId, false, ''));
  return true;
}
