import { randomUUID } from 'node:crypto';
import { forgetBuyerAccount, lockBuyerToForget } from '../../accounts/buyers/retention.ts';
import { forgetBuyerConsentSources } from '../../accounts/legal/retention.ts';
import { forgetBuyerFiscalClients } from '../../invoicing/fiscal-clients/retention.ts';
import { forgetBuyerInvoices } from '../../invoicing/invoices/retention.ts';
import { forgetBuyerCards } from '../../payments/cards/retention.ts';
import type { Tx } from '../../platform/db/db.ts';
import { forgetBuyerEmails, forgetHelperEmails } from '../../platform/email/retention.ts';
import { forgetBuyerClaims } from '../../purchases/claims/retention.ts';
import { deliverUnseen } from '../../purchases/hand-over/deliver-purchase.ts';
import { forgetBuyerHandOvers } from '../../purchases/hand-over/retention.ts';
import { forgetBuyerStoreHelpers } from '../../purchases/cash-references/retention.ts';
import { forgetBuyerHelpLinks } from '../../purchases/help-links/retention.ts';
import { forgetBuyerReferences } from '../../purchases/layaways/retention.ts';
import { forgetBuyerCancelNotes } from '../../purchases/plans/retention.ts';
import { paymentsOf, readHelpersAttempts, readTies, type Ties } from './read-model.ts';

export type Erasure =
  | { readonly kind: 'erased' }
  | { readonly kind: 'unknown' }
  /** Something of theirs is still open and has to end first. */
  | { readonly kind: 'tied'; readonly ties: Ties };

/**
 * Erases a buyer for good (LFPDPPP: cancellation, except for what a law wants kept). Their sessions end at once, emails that
 * wait are dropped, their address is free again. The ledger, receipts and stamped invoices stay, and the books still balance.
 * `passwordHash` is of a secret that nobody knows; `delivered` says that they were handed what they paid off,
 * which ends those purchases: nobody is left who could show a code for them. `again` is after a restore: what the backup has waiting
 * for helpers was sent before.
 */
export async function eraseBuyer(
  tx: Tx,
  buyerId: number,
  { passwordHash, delivered, again = false }: { passwordHash: string; delivered: boolean; again?: boolean },
): Promise<Erasure> {
  const buyer = await lockBuyerToForget(tx, buyerId);
  if (buyer === undefined) return { kind: 'unknown' };
  const found = await readTies(tx, buyerId);
  const ties = { ...found, ...(delivered && { paidOffPurchases: [] }), ...(again && { helperEmails: [] }) };
  if (Object.values(ties).some((open: readonly unknown[]) => open.length > 0)) return { kind: 'tied', ties };

  for (const purchaseId of found.paidOffPurchases) await deliverUnseen(tx, purchaseId);
  const erasedEmail = unusedEmail(buyerId);
  await forgetBuyerEmails(tx, buyerId, { email: buyer.email, erasedEmail });
  // While their payments still tell which emails went to helpers: afterwards nobody finds those by an address.
  await forgetHelperEmails(tx, paymentsOf(await readHelpersAttempts(tx, { buyerId })));
  await forgetBuyerAccount(tx, buyerId, { erasedEmail, passwordHash });
  await forgetBuyerConsentSources(tx, buyerId);
  await forgetBuyerReferences(tx, buyerId);
  await forgetBuyerCancelNotes(tx, buyerId);
  await forgetBuyerHandOvers(tx, buyerId);
  await forgetBuyerClaims(tx, buyerId);
  await forgetBuyerHelpLinks(tx, buyerId);
  await forgetBuyerStoreHelpers(tx, buyerId);
  await forgetBuyerCards(tx, buyerId);
  await forgetBuyerInvoices(tx, buyerId);
  await forgetBuyerFiscalClients(tx, buyerId, erasedEmail);
  return { kind: 'erased' };
}

/** An address that is never delivered to (RFC 2606), and that nobody can guess and sign up with first. */
function unusedEmail(buyerId: number): string {
  return `erased-${buyerId}-${randomUUID()}@erased.invalid`;
}
