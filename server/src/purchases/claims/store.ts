import type { DateOnly } from '@aparta/domain/calendar';
import { sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';
import { deferMove, moveState } from '../../platform/lifecycle.ts';
import { CLAIM, type ClaimEvent } from './claim.ts';

export interface NewClaim {
  readonly purchaseId: number;
  readonly buyerId: number;
  readonly merchantId: number;
  readonly folio: string;
  readonly notes: string;
  readonly dueAt: Date;
}

/** Opens a claim of a purchase, whose lock the caller holds. `claims_one_open` refuses a second. */
export async function insertClaim(tx: Tx, claim: NewClaim): Promise<void> {
  await tx
    .insertInto('claims')
    .values({
      purchase_id: claim.purchaseId,
      buyer_id: claim.buyerId,
      merchant_id: claim.merchantId,
      folio: claim.folio,
      notes: claim.notes,
      due_at: claim.dueAt,
    })
    .execute();
}

export interface ClaimAnswer {
  readonly positionId: string;
  readonly text: string;
  readonly promisedOn: DateOnly | null;
  readonly dueAt: Date;
}

/** Writes what the shop says to an open claim. The caller holds its purchase's lock. */
export async function putAnswer(tx: Tx, id: number, answer: ClaimAnswer): Promise<void> {
  await moveState(tx, CLAIM, {
    event: 'answered',
    where: sql`id = ${id}`,
    set: {
      answer: answer.text,
      promised_on: answer.promisedOn,
      answered_at: sql`app_now()`,
      answered_by: answer.positionId,
      due_at: answer.dueAt,
    },
  });
}

/** Ends the open claim of a purchase, where there is one. The caller holds the purchase's lock. Deferred. */
export async function endClaimOf(
  tx: Tx,
  purchaseId: number,
  event: Exclude<ClaimEvent, 'answered'>,
): Promise<void> {
  await deferMove(tx, CLAIM, {
    event,
    where: sql`purchase_id = ${purchaseId} and ended_at is null`,
    set: { ended_at: sql`app_now()` },
  });
}
