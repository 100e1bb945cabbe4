import type { Centavos } from '@aparta/domain/money';

import type { Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findReferenceOfIntent, findReferencesCosting } from './read-model.ts';

/**
 * What a client that names no reference means to pay: what its intent already pays, paid or not, else the one live reference of
 * that buyer, merchant and amount. Refuses INVALID_INPUT when there is none or several.
 */
export async function inferReference(
  db: Db,
  where: { buyerId: number; merchantId: number; totalCentavos: Centavos; intentId: string | undefined },
): Promise<string> {
  const before =
    where.intentId === undefined ? undefined : await findReferenceOfIntent(db, where.buyerId, where.intentId);
  const [reference, another] = before === undefined ? await findReferencesCosting(db, where) : [before];
  if (reference === undefined || another !== undefined) {
    throw new Refusal('INVALID_INPUT', { fields: { referencia: 'missing' } });
  }
  return reference;
}
