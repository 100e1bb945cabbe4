import { layawayReferenceExpiry } from '@aparta/domain/calendar';
import { parseLayawayReference } from '@aparta/domain/layaway-reference';
import { depositOf, planProblem } from '@aparta/domain/plan';
import type { Db } from '../../platform/db/db.ts';
import { databaseNow, refusedBy, transaction } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findOffer, findOpenReference, hasAttemptInPlay } from './read-model.ts';
import {
  closeReference,
  countRecentReferences,
  insertReference,
  lockReference,
  reservedRecently,
} from './store.ts';

const MOST_PER_HOUR = 30;

export interface ReferenceRequest {
  /** The text of the product's QR; of it only merchant and product are believed (rules/threats#forged-references). */
  readonly qrText: string;
  /** The buyer said that a second one of a product reserved today is meant. */
  readonly repeat: boolean;
  readonly sourceAddress: string;
}

/**
 * Freezes a layaway's terms (rules/layaways#frozen-terms): price, deposit, plan, fee and penalty of this moment, until 23:59
 * Mexico City two days on. While one of the same buyer and product is alive, that one is returned. Refuses NOT_A_LAYAWAY,
 * NOT_FOUND, NOT_ON_SALE, RECENTLY_RESERVED and TOO_MANY.
 */
export async function createReference(
  deps: { db: Db; referenceDays: number },
  buyerId: number,
  request: ReferenceRequest,
): Promise<number> {
  const parsed = parseLayawayReference(request.qrText);
  if (!parsed.ok) throw new Refusal('NOT_A_LAYAWAY');
  const offer = await findOffer(deps.db, parsed.value.businessId, parsed.value.productId);
  if (offer === undefined) throw new Refusal('NOT_FOUND');
  const terms = {
    priceCentavos: offer.priceCentavos,
    depositBasisPoints: offer.depositBasisPoints,
    frequencyDays: offer.frequencyDays,
    durationDays: offer.planDurationDays,
  };

  try {
    return await transaction(deps.db, async (tx) => {
      const open = await findOpenReference(tx, buyerId, offer.productId);
      const alive = open && (await lockReference(tx, open.id));
      if (alive?.state === 'open') {
        if (alive.expiresAt > alive.now || (await hasAttemptInPlay(tx, alive.id))) return alive.id;
        await closeReference(tx, alive.id, 'expired');
      }
      if (offer.withdrawn || planProblem(terms) !== undefined) throw new Refusal('NOT_ON_SALE');
      if (!request.repeat && (await reservedRecently(tx, buyerId, offer.productId)))
        throw new Refusal('RECENTLY_RESERVED');
      if ((await countRecentReferences(tx, buyerId)) >= MOST_PER_HOUR)
        throw new Refusal('TOO_MANY', { retryAfterSeconds: 3600 });
      return insertReference(tx, {
        buyerId,
        merchantId: offer.merchantId,
        productId: offer.productId,
        sourceAddress: request.sourceAddress,
        priceCentavos: offer.priceCentavos,
        depositCentavos: depositOf(terms),
        depositBasisPoints: offer.depositBasisPoints,
        frequencyDays: offer.frequencyDays,
        planDurationDays: offer.planDurationDays,
        feeCentavos: offer.feeCentavos,
        feeMethods: offer.feeMethods,
        penaltyCentavos: offer.penaltyCentavos,
        expiresAt: layawayReferenceExpiry(await databaseNow(tx), deps.referenceDays),
      });
    });
  } catch (error) {
    // Two tabs at once: the other one's reference is the reference.
    if (refusedBy(error) !== 'layaway_references_one_open_per_product') throw error;
    const winner = await findOpenReference(deps.db, buyerId, offer.productId);
    if (winner === undefined) throw error;
    return winner.id;
  }
}
