import type { Centavos } from '@aparta/domain/money';

import type { Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findAttemptByIntent, findReferencesCosting } from './store.ts';

/**
 * What a client that names no reference means to pay: what its intent already pays (sent again, it is still the same intent,
 * paid or not), else the one live reference of that buyer, merchant and amount (decisions, 'The rule'). Refuses INVALID_INPUT
 * when it is none or several.
 */
export async function inferReference(
  db: Db,
  where: { buyerId: number; merchantId: number; totalCentavos: Centavos; intentId: string | undefined },
): Promise<string> {
  const before =
    where.intentId === undefined ? undefined : await findAttemptByIntent(db, where.buyerId, where.intentId);
  const [reference, another] =
    before === undefined ? await findReferencesCosting(db, where) : [before.reference];
  if (typeof reference !== 'string' || another !== undefined) {
    throw new Refusal('INVALID_INPUT', { fields: { referencia: 'missing' } });
  }
  return reference;
}
