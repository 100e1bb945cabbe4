import type { Centavos } from '@aparta/domain/money';

import type { Db } from '../db/db.ts';
import { Refusal } from '../refusal.ts';
import { findReferencesCosting } from './store.ts';

/**
 * What a client that names no reference means to pay: the one live reference of that buyer, merchant and amount (decisions,
 * 'The rule'). Refuses INVALID_INPUT when it is none or several.
 */
export async function inferReference(
  db: Db,
  where: { buyerId: number; merchantId: number; totalCentavos: Centavos },
): Promise<string> {
  const [reference, another] = await findReferencesCosting(db, where);
  if (reference === undefined || another !== undefined) {
    throw new Refusal('INVALID_INPUT', { fields: { referencia: 'missing' } });
  }
  return reference;
}
