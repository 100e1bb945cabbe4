import { timingSafeEqual } from 'node:crypto';

import { SHOP_MAILS, type ShopMail } from '@aparta/domain/shop-mails';

import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { type KeyRing, keyedHash } from '../../platform/secrets.ts';
import { recordStaffAct, turnMail } from './store.ts';

interface Named {
  readonly positionId: string;
  readonly mail: ShopMail;
}

const signed = (keyRing: KeyRing, { positionId, mail }: Named): Buffer =>
  keyedHash(keyRing, 'unsubscribe', `${positionId}.${mail}`);

/** What turns off one kind of email for one owner, and nothing else. It lasts as long as its key. */
export function unsubscribeCode(keyRing: KeyRing, named: Named): string {
  return `${named.positionId}.${named.mail}.${signed(keyRing, named).toString('base64url')}`;
}

/** What a code turns off; undefined for one that we did not write. */
export function readUnsubscribeCode(keyRing: KeyRing, code: string): Named | undefined {
  const [positionId = '', kind, signature = ''] = code.split('.');
  const mail = SHOP_MAILS.find((each) => each === kind);
  if (mail === undefined) return undefined;
  const given = Buffer.from(signature, 'base64url');
  const isOurs = [...keyRing.keys.keys()].some((current) => {
    const ours = signed({ ...keyRing, current }, { positionId, mail });
    return ours.length === given.length && timingSafeEqual(ours, given);
  });
  return isOurs ? { positionId, mail } : undefined;
}

/** Turns off what a code names, in the name of its owner; false for a code that we did not write. */
export async function unsubscribe(db: Db, keyRing: KeyRing, code: string): Promise<boolean> {
  const named = readUnsubscribeCode(keyRing, code);
  if (named === undefined) return false;
  await transaction(db, async (tx) => {
    const by = await turnMail(tx, named, false);
    if (by === undefined) return;
    await recordStaffAct(tx, {
      by,
      act: 'turn_mail_off',
      subject: by.positionId,
      detail: { mail: named.mail, from: 'email' },
    });
  });
  return true;
}
