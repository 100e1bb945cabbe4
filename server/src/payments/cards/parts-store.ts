import type { Centavos } from '@aparta/domain/money';

import type { Db, Tx } from '../../platform/db/db.ts';

/** What an attempt pays of one of several purchases. */
export interface AttemptPart {
  readonly purchaseId: number;
  /** The oldest unpaid of it when the attempt began. */
  readonly instalmentId: number;
  readonly amountCentavos: Centavos;
}

/** Throws on `card_attempts_one_own_open_per_purchase`, and at the commit on `card_attempt_parts_add_up`. */
export async function insertParts(tx: Tx, attemptId: string, parts: readonly AttemptPart[]): Promise<void> {
  await tx
    .insertInto('card_attempt_parts')
    .values(
      parts.map((part) => ({
        attempt_id: attemptId,
        purchase_id: part.purchaseId,
        instalment_id: part.instalmentId,
        amount_centavos: part.amountCentavos,
      })),
    )
    .execute();
}

/** The parts of an attempt at several purchases, by purchase. */
export async function listParts(db: Db | Tx, attemptId: string): Promise<AttemptPart[]> {
  return db
    .selectFrom('card_attempt_parts')
    .select([
      'purchase_id as purchaseId',
      'instalment_id as instalmentId',
      'amount_centavos as amountCentavos',
    ])
    .where('attempt_id', '=', attemptId)
    .orderBy('purchase_id')
    .execute();
}
