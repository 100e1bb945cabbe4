import type { ShopMail } from '@aparta/domain/shop-mails';

import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
import { recordStaffAct, turnMail } from './store.ts';

/** Turns one kind of email of the shop on or off, for the caller alone. */
export async function chooseMail(db: Db, caller: Staff, mail: ShopMail, isOn: boolean): Promise<void> {
  await transaction(db, async (tx) => {
    if ((await turnMail(tx, { positionId: caller.positionId, mail }, isOn)) === undefined) return;
    await recordStaffAct(tx, {
      by: caller,
      act: isOn ? 'turn_mail_on' : 'turn_mail_off',
      subject: caller.positionId,
      detail: { mail },
    });
  });
}
