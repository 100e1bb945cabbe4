import { add, type Centavos } from '@aparta/domain/money';
import { feeFor, type PaymentMethod } from '@aparta/domain/service-fee';
import { MOST_AT_A_STORE } from '@aparta/domain/store-chains';

import { takesAtTill } from '../../accounts/service-accounts/read-model.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Reminder, ReminderOf } from '../../platform/email/reminder-copy.ts';
import { findDue } from './reminders.read-model.ts';

/** Payments come after purchases, so `compose.ts` passes them in. */
export interface ReminderDeps {
  readonly db: Db;
  /** '' where no card is taken. */
  readonly cardKeyOf: (merchantId: number) => Promise<string>;
}

/** What a reminder says when it is sent; undefined when it is not to be sent any more. */
export async function readReminder(
  { db, cardKeyOf }: ReminderDeps,
  of: ReminderOf & { readonly buyerId: number; readonly email: string },
): Promise<Reminder | undefined> {
  const found = await findDue(db, of);
  if (found === undefined) return undefined;
  const { purchaseId, kind, dueOn } = of;
  if (!found.isConfirmed) return { purchaseId, kind, dueOn };
  const { merchantId, feeCentavos, feeMethods, owedCentavos, ...due } = found;
  const [cardKey, hasTill] = await Promise.all([cardKeyOf(merchantId), takesAtTill(db, merchantId)]);
  const total = (method: PaymentMethod): Centavos =>
    add(owedCentavos, due.lateCentavos, feeFor({ amountCentavos: feeCentavos, methods: feeMethods }, method));
  const totals = {
    ...(cardKey !== '' && { card: total('card') }),
    ...(total('cash') <= MOST_AT_A_STORE && { cash: total('cash') }),
    ...(hasTill && { till: total('till') }),
  };
  return { purchaseId, kind, dueOn, due: { ...due, owedCentavos, totals } };
}
