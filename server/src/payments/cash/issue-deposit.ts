import { type Centavos, centavosToPesos } from '@aparta/domain/money';

import type { Tx } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import {
  type CashReference,
  closeRequest,
  countRecent,
  findRequested,
  findValid,
  insertRequest,
  markIssued,
} from '../../purchases/cash-references/store.ts';
import { isSoldOut } from '../../purchases/holds/find-unit.ts';
import { refuseUnlessOpen } from '../../purchases/layaways/late-deposit.ts';
import type { LayawayReference } from '../../purchases/layaways/read-model.ts';
import { lockReference } from '../../purchases/layaways/store.ts';
import { depositByCash } from './deposit-money.ts';

const MOST_PER_HOUR = 30;

/** Refuses TOO_MANY to a buyer who asked for many references in this hour. */
export async function refuseTooMany(tx: Tx, buyerId: number): Promise<void> {
  if ((await countRecent(tx, buyerId)) >= MOST_PER_HOUR)
    throw new Refusal('TOO_MANY', { retryAfterSeconds: 3_600 });
}

/**
 * The valid cash reference of a layaway's deposit, or the request for one. It is always for the whole deposit, and lives as long as
 * the layaway's terms. The caller holds the layaway reference's lock.
 */
export async function requestDeposit(
  tx: Tx,
  buyerId: number,
  layaway: LayawayReference,
  chosenCentavos: Centavos | undefined,
): Promise<CashReference> {
  if (layaway.buyerId !== buyerId) throw new Refusal('NOT_FOUND');
  refuseUnlessOpen(layaway);
  const { dueCentavos: amountCentavos } = depositByCash(layaway);
  if (chosenCentavos !== undefined && chosenCentavos !== layaway.depositCentavos)
    throw new Refusal('AMOUNT_CHANGED', { amount: centavosToPesos(amountCentavos) });
  if (await isSoldOut(tx, layaway)) throw new Refusal('SOLD_OUT');
  const wanted = { payableId: layaway.id, amountCentavos, isChosen: false };
  const found = (await findValid(tx, layaway.id)) ?? (await findRequested(tx, wanted));
  if (found !== undefined) return found;
  await refuseTooMany(tx, buyerId);
  return insertRequest(tx, {
    ...wanted,
    purchaseId: null,
    layawayReferenceId: layaway.id,
    merchantId: layaway.merchantId,
    expiresAt: layaway.expiresAt,
  });
}

/**
 * Keeps the number that Tapi gave for a deposit, and returns the valid one: two tabs that asked at once get the same. Undefined
 * when the layaway was paid or ended meanwhile: the number is closed.
 */
export async function saveDepositNumber(
  tx: Tx,
  requested: CashReference,
  providerReference: string,
): Promise<CashReference | undefined> {
  const layaway = await lockReference(tx, requested.payableId);
  const isOpen = layaway?.state === 'open';
  if (!isOpen || (await findValid(tx, requested.payableId)) !== undefined)
    await closeRequest(tx, requested.id);
  await markIssued(tx, requested.id, providerReference);
  return isOpen ? findValid(tx, requested.payableId) : undefined;
}
