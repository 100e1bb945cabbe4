import { referenceExpiry } from '@aparta/domain/calendar';
import { parseLayawayReference } from '@aparta/domain/layaway-reference';
import { depositOf, planProblem } from '@aparta/domain/plan';
import { holdBuyer } from '../../accounts/buyers/store.ts';
import type { Db } from '../../platform/db/db.ts';
import { databaseNow, refusedBy, transaction } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { isSoldOut, lockUnit, takeUnit } from '../holds/find-unit.ts';
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
  /** The buyer confirmed that they want one more of a product that they reserved today. */
  readonly repeat: boolean;
  readonly sourceAddress: string;
}

/**
 * Makes a layaway reference and answers its id. It freezes today's price, deposit, plan, fee, penalty, promise of delivery and rule of its end until 23:59 Mexico City,
 * `referenceDays` days on (rules/layaways#frozen-terms). The buyer's open one of the product is answered instead, if there is
 * one. Refuses NOT_A_LAYAWAY, NOT_FOUND, NOT_ON_SALE, SOLD_OUT, RECENTLY_RESERVED and TOO_MANY.
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
      await holdBuyer(tx, buyerId);
      const open = await findOpenReference(tx, buyerId, offer.productId);
      const locked = open && (await lockReference(tx, open.id));
      if (locked?.state === 'open') {
        if (locked.expiresAt > locked.now || (await hasAttemptInPlay(tx, locked.id))) return locked.id;
        await closeReference(tx, locked.id, 'expired');
      }
      if (offer.withdrawn || planProblem(terms) !== undefined) throw new Refusal('NOT_ON_SALE');
      if (!request.repeat && (await reservedRecently(tx, buyerId, offer.productId)))
        throw new Refusal('RECENTLY_RESERVED');
      if ((await countRecentReferences(tx, buyerId)) >= MOST_PER_HOUR)
        throw new Refusal('TOO_MANY', { retryAfterSeconds: 3600 });
      const wanting = { productId: offer.productId, countsUnits: offer.countsUnits, holdState: null };
      if (await isSoldOut(tx, wanting)) throw new Refusal('SOLD_OUT');
      const id = await insertReference(tx, {
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
        deliveryDays: offer.deliveryDays,
        endDaysLate: offer.endDaysLate,
        expiresAt: referenceExpiry(await databaseNow(tx), deps.referenceDays),
      });
      if (!offer.holdsReferences) return id;
      const unit = await lockUnit(tx, wanting);
      if (unit === undefined) throw new Refusal('SOLD_OUT');
      await takeUnit(tx, id, unit);
      return id;
    });
  } catch (error) {
    // Another tab was faster: answer its reference.
    if (refusedBy(error) !== 'layaway_references_one_open_per_product') throw error;
    const winner = await findOpenReference(deps.db, buyerId, offer.productId);
    if (winner === undefined) throw error;
    return winner.id;
  }
}
