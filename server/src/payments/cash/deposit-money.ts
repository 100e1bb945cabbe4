import { add, type Centavos, subtract } from '@aparta/domain/money';
import { feeFor } from '@aparta/domain/service-fee';
import { isReceiptInvoiced } from '../../invoicing/invoices/instalment.read-model.ts';
import { recordReceipt } from '../../ledger/receipts/record-receipt.ts';
import type { Tx } from '../../platform/db/db.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { isReplaced, lockUnitLate, mayReserve, reserveLate } from '../../purchases/layaways/late-deposit.ts';
import type { LayawayReference } from '../../purchases/layaways/read-model.ts';
import { endPurchase } from '../../purchases/plans/end-purchase.ts';
import { reversePayment } from '../../purchases/plans/reverse-payment.ts';
import type { LockedPurchase } from '../../purchases/plans/store.ts';
import { STORE_REVERSED } from './copy.ts';

/** What stores take for a deposit: it and the fee of cash, by the frozen terms. */
export function depositByCash({ depositCentavos, feeCentavos, feeMethods }: LayawayReference) {
  const fee = feeFor({ amountCentavos: feeCentavos, methods: feeMethods }, 'cash');
  return { feeCentavos: fee, dueCentavos: add(depositCentavos, fee) };
}

/**
 * Reserves by cash that a store took, where the terms stood when it was paid and a unit is there; what came beyond them is owed
 * back, and else all of it (rules/tills-and-cash#cash-deposits). The caller holds the layaway reference's lock, and that of its
 * purchase where it has one.
 */
export async function applyDeposit(
  tx: Tx,
  layaway: LayawayReference,
  sourceId: string,
  amountCentavos: Centavos,
  paidAt: Date | undefined,
): Promise<'applied' | 'owed_back'> {
  const { feeCentavos, dueCentavos } = depositByCash(layaway);
  const why = await whyNot(tx, layaway, {
    isEnough: amountCentavos >= dueCentavos,
    begunAt: paidAt ?? layaway.now,
  });
  const unit = why === undefined ? await lockUnitLate(tx, layaway) : undefined;
  if (unit === undefined) {
    await recordReceipt(
      tx,
      { channel: 'cash', sourceId, merchantId: layaway.merchantId, buyerId: layaway.buyerId, paidAt },
      {
        to: 'refund',
        cause: 'not_applicable',
        method: 'cash',
        attemptId: null,
        purchaseId: layaway.purchaseId,
        layawayReferenceId: layaway.purchaseId === null ? layaway.id : null,
        amountCentavos,
      },
    );
    await emailOwedBack(tx, layaway, sourceId, { amountCentavos, why: why ?? 'sold_out' });
    return 'owed_back';
  }
  const surplusCentavos = subtract(amountCentavos, dueCentavos);
  const money = { channel: 'cash', sourceId, feeCentavos, surplusCentavos, paidAt, unit } as const;
  await reserveLate(tx, layaway, money);
  if (surplusCentavos > 0)
    await emailOwedBack(tx, layaway, sourceId, { amountCentavos: surplusCentavos, why: 'surplus' });
  return 'applied';
}

type WhyNot = 'taken' | 'ended' | 'late' | 'replaced' | 'short';

/** Why cash does not reserve, the stock apart. */
async function whyNot(
  tx: Tx,
  layaway: LayawayReference,
  { isEnough, begunAt }: { readonly isEnough: boolean; readonly begunAt: Date },
): Promise<WhyNot | undefined> {
  if (layaway.purchaseId !== null) return layaway.purchaseState === 'cancelled' ? 'ended' : 'taken';
  // The number lives as long as the terms, also where they were not ended yet.
  if (begunAt > layaway.expiresAt) return 'late';
  if (!mayReserve(layaway, { begunAt, isReplaced: await isReplaced(tx, layaway) })) return 'replaced';
  return isEnough ? undefined : 'short';
}

async function emailOwedBack(
  tx: Tx,
  { id, buyerId, merchantId, productName, purchaseId }: LayawayReference,
  operationId: string,
  {
    amountCentavos,
    why,
  }: { readonly amountCentavos: Centavos; readonly why: WhyNot | 'sold_out' | 'surplus' },
): Promise<void> {
  await sendEmail(tx, {
    topic: 'cash_owed_back',
    dedupeKey: `cash:${operationId}`,
    buyerId,
    facts: {
      amountCentavos,
      why,
      merchantId,
      product: productName,
      ...(purchaseId === null ? { referenceId: id } : { purchaseId }),
    },
  });
}

/**
 * Takes back a deposit whose operation Tapi reversed, and ends the purchase that it made, as a till's reversal does. False, and
 * nothing is done, where it is not the only money of an active purchase, or was invoiced.
 */
export async function reverseDeposit(
  tx: Tx,
  { priceCentavos, depositCentavos }: LayawayReference,
  purchase: LockedPurchase,
  sourceId: string,
): Promise<boolean> {
  const isOnlyMoney = purchase.balanceCentavos === subtract(priceCentavos, depositCentavos);
  if (purchase.state !== 'active' || !isOnlyMoney) return false;
  if (await isReceiptInvoiced(tx, 'cash', sourceId)) return false;
  if (!(await reversePayment(tx, { channel: 'cash', sourceId }, purchase.id))) return false;
  await endPurchase(tx, purchase.id, { event: 'voided', by: 'reversal', notes: STORE_REVERSED });
  return true;
}
