import { add, type Centavos, centavos, zero } from '@aparta/domain/money';
import { feeFor } from '@aparta/domain/service-fee';
import { isReceiptInvoiced } from '../../invoicing/invoices/instalment.read-model.ts';
import { recordReceipt } from '../../ledger/receipts/record-receipt.ts';
import { isWithdrawn } from '../../ledger/receipts/store.ts';
import { lockRefundsOfSource } from '../../ledger/refunds/store.ts';
import { raiseAlert, resolveAlert } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { EmailFacts } from '../../platform/email/copy.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { type CashReference, isHelpers } from '../../purchases/cash-references/store.ts';
import { applyPayment } from '../../purchases/plans/apply-payment.ts';
import { endPurchase } from '../../purchases/plans/end-purchase.ts';
import { reversePayment } from '../../purchases/plans/reverse-payment.ts';
import type { LayawayReference } from '../../purchases/layaways/read-model.ts';
import { type LockedPurchase, sumPaid } from '../../purchases/plans/store.ts';
import { STORE_REVERSED } from './copy.ts';
import { reverseDeposit } from './deposit-money.ts';
import { notifyHelperAtStore } from './notify-helper-at-store.ts';
import type { CashOperation } from './port.ts';
import { reverseOwedBack } from './reverse-owed-back.ts';
import { type Notice, resolveUnappliedCash } from './store.ts';

/** What cash pays, locked: a purchase, or a layaway's deposit and the purchase that it became. */
export interface CashSubject {
  readonly layaway: LayawayReference | undefined;
  readonly purchase: LockedPurchase | undefined;
}

/**
 * Applies cash to a purchase, whose lock the caller holds: as much as it owes, the rest is owed back by the merchant
 * (rules/ledger#cash-receipt, rules/ledger#not-applicable). Without a `reference` a person found out whose it is; of a helper's, they
 * hear of it.
 */
export async function applyCash(
  tx: Tx,
  purchase: LockedPurchase,
  sourceId: string,
  amountCentavos: Centavos,
  paidAt: Date | undefined,
  reference?: CashReference,
): Promise<'applied' | 'owed_back'> {
  const { principalCentavos, feeCentavos, surplusCentavos } = shareOut(purchase, amountCentavos);
  if (principalCentavos === 0) {
    await recordReceipt(
      tx,
      { channel: 'cash', sourceId, merchantId: purchase.merchantId, buyerId: purchase.buyerId, paidAt },
      {
        to: 'refund',
        cause: 'not_applicable',
        method: 'cash',
        attemptId: null,
        purchaseId: purchase.id,
        amountCentavos,
      },
    );
    await emailOwedBack(tx, purchase, sourceId, amountCentavos, reference, {
      purchaseIs: purchase.state === 'cancelled' ? 'cancelled' : 'paid_off',
    });
    return 'owed_back';
  }
  await applyPayment(tx, purchase, {
    channel: 'cash',
    sourceId,
    paidAt,
    principalCentavos,
    feeCentavos,
    surplusCentavos,
    isHelp: isHelpers(reference),
  });
  await notifyHelperAtStore(tx, reference, sourceId, 'help_received', add(principalCentavos, feeCentavos));
  if (surplusCentavos > 0) await emailOwedBack(tx, purchase, sourceId, surplusCentavos, reference);
  return 'applied';
}

/** How much of an amount pays the fee, how much the balance, and how much is too much. The fee is never taken alone. */
export function shareOut(purchase: LockedPurchase, amountCentavos: Centavos) {
  if (purchase.state === 'cancelled' || purchase.balanceCentavos === 0) {
    return { principalCentavos: zero, feeCentavos: zero, surplusCentavos: amountCentavos };
  }
  const policy = feeFor({ amountCentavos: purchase.feeCentavos, methods: purchase.feeMethods }, 'cash');
  const feeCentavos = amountCentavos > policy ? policy : zero;
  const principalCentavos = centavos(Math.min(amountCentavos - feeCentavos, purchase.balanceCentavos));
  return {
    principalCentavos,
    feeCentavos,
    surplusCentavos: centavos(amountCentavos - feeCentavos - principalCentavos),
  };
}

/**
 * Takes back cash whose operation Tapi reversed, by the mirror of its receipt. Where that is no longer possible, an alert asks a
 * person; an operation that was never booked needs nothing.
 */
export async function reverseCash(
  tx: Tx,
  operation: CashOperation,
  original: Notice | undefined,
  subject: CashSubject,
  helped?: CashReference,
): Promise<'reversed' | 'unapplied' | 'noted'> {
  const { layaway, purchase } = subject;
  if (original === undefined || original.outcome === 'noted') return 'noted';
  if (await isWithdrawn(tx, 'cash', original.operationId)) return 'reversed';
  const isSameSum = original.amountCentavos === (operation.amountCentavos ?? null);
  // Not applied yet: now there is nothing left to apply.
  if (isSameSum && (await resolveUnappliedCash(tx, original.operationId, 'taken_back'))) {
    await resolveAlert(tx, 'unapplied_cash', original.operationId);
    return 'noted';
  }
  const head = purchase ?? layaway;
  if (isSameSum && head !== undefined && (await reverseWhole(tx, original, subject))) {
    const amountCentavos = original.amountCentavos ?? zero;
    await sendEmail(tx, {
      topic: 'store_reversed',
      dedupeKey: `cash:${original.operationId}`,
      buyerId: head.buyerId,
      facts: {
        amountCentavos,
        ...(isHelpers(helped) && { isHelp: 1 }),
        ...(purchase !== undefined && { purchaseId: purchase.id }),
        product: head.productName,
      },
    });
    await notifyHelperAtStore(tx, helped, original.operationId, 'help_reversed', amountCentavos);
    // It could not be booked when it was told before.
    await resolveAlert(tx, 'cash_reversal_impossible', operation.operationId);
    return 'reversed';
  }
  // Who hands a refund of it over holds this lock: they are done before, or read the alert.
  await lockRefundsOfSource(tx, 'cash', original.operationId);
  await raiseAlert(tx, 'cash_reversal_impossible', operation.operationId, { reverses: operation.reverses });
  return 'unapplied';
}

/** By what it was: an instalment, a deposit, or owed back. False where a person decides. */
async function reverseWhole(
  tx: Tx,
  { operationId, outcome }: Notice,
  { layaway, purchase }: CashSubject,
): Promise<boolean> {
  if (outcome === 'owed_back') return reverseOwedBack(tx, operationId);
  if (outcome !== 'applied' || purchase === undefined) return false;
  return layaway === undefined
    ? reverseInstalment(tx, purchase, operationId)
    : reverseDeposit(tx, layaway, purchase, operationId);
}

/** Takes an instalment's cash back. A purchase whose deposit had left before, and that has no other money, ends with it. */
async function reverseInstalment(tx: Tx, purchase: LockedPurchase, sourceId: string): Promise<boolean> {
  if (purchase.state !== 'active' || (await isReceiptInvoiced(tx, 'cash', sourceId))) return false;
  if (!(await reversePayment(tx, { channel: 'cash', sourceId }, purchase.id))) return false;
  if ((await sumPaid(tx, purchase.id)) === 0)
    await endPurchase(tx, purchase.id, { event: 'voided', by: 'reversal', notes: STORE_REVERSED });
  return true;
}

/** Whoever's cash it was hears of it: the buyer, or who helped them. */
async function emailOwedBack(
  tx: Tx,
  purchase: LockedPurchase,
  operationId: string,
  amountCentavos: Centavos,
  helped: CashReference | undefined,
  why: Pick<EmailFacts, 'purchaseIs'> = {},
): Promise<void> {
  if (isHelpers(helped))
    return notifyHelperAtStore(tx, helped, operationId, 'help_cash_owed_back', amountCentavos);
  await sendEmail(tx, {
    topic: 'cash_owed_back',
    dedupeKey: `cash:${operationId}`,
    buyerId: purchase.buyerId,
    facts: {
      amountCentavos,
      ...why,
      merchantId: purchase.merchantId,
      purchaseId: purchase.id,
      product: purchase.productName,
    },
  });
}
