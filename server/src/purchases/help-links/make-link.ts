import { LIVE_HELP_LINKS } from '@aparta/domain/help';
import type { Centavos } from '@aparta/domain/money';

import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findHelpable, type HelpLinkRow, listHelpLinks, lockHelpable } from './read-model.ts';
import { endHelpLink, insertHelpLink } from './store.ts';

/** The links of a buyer's purchase, the newest first, and who gave what by them. Refuses NOT_FOUND. */
export async function readHelpLinks(db: Db, buyerId: number, purchaseId: number): Promise<HelpLinkRow[]> {
  if ((await findHelpable(db, buyerId, purchaseId)) === undefined) throw new Refusal('NOT_FOUND');
  return listHelpLinks(db, purchaseId);
}

/**
 * Makes a link by which anybody helps to pay a buyer's purchase (rules/helping#links), and answers all of them. Refuses NOT_FOUND,
 * PURCHASE_CANCELLED, PURCHASE_SETTLED, and TOO_MANY_LINKS beside three that live.
 */
export async function makeHelpLink(
  db: Db,
  buyerId: number,
  purchaseId: number,
  { message, goalCentavos }: { readonly message: string; readonly goalCentavos: Centavos | null },
): Promise<HelpLinkRow[]> {
  return transaction(db, async (tx) => {
    const purchase = await lockHelpable(tx, buyerId, purchaseId);
    if (purchase === undefined) throw new Refusal('NOT_FOUND');
    if (purchase.state === 'cancelled') throw new Refusal('PURCHASE_CANCELLED');
    if (purchase.balanceCentavos === 0) throw new Refusal('PURCHASE_SETTLED');
    if (purchase.liveLinks >= LIVE_HELP_LINKS) throw new Refusal('TOO_MANY_LINKS');
    const { merchantId } = purchase;
    await insertHelpLink(tx, { purchaseId, buyerId, merchantId, message, goalCentavos });
    return listHelpLinks(tx, purchaseId);
  });
}

/** Ends a link of a buyer's purchase; one that ended before stays so. Payments under way are not stopped. Refuses NOT_FOUND. */
export async function revokeHelpLink(
  db: Db,
  buyerId: number,
  purchaseId: number,
  linkId: string,
): Promise<HelpLinkRow[]> {
  return transaction(db, async (tx) => {
    const purchase = await lockHelpable(tx, buyerId, purchaseId);
    const links = purchase === undefined ? [] : await listHelpLinks(tx, purchaseId);
    if (!links.some(({ id }) => id === linkId)) throw new Refusal('NOT_FOUND');
    await endHelpLink(tx, linkId, 'revoked');
    return listHelpLinks(tx, purchaseId);
  });
}
