import { formatMoment } from '@aparta/domain/calendar';
import { inGroups } from '@aparta/domain/in-groups';
import { formatMoney, subtract, sum } from '@aparta/domain/money';
import { groupDigits } from '@aparta/domain/payment-reference';
import { mailedName } from '@aparta/domain/web-address';

import type { Db } from '../../platform/db/db.ts';
import { type Block, mxn, note, paragraph, type ReceiptBlocks } from '../../platform/email/email-body.ts';
import { aboutInvoice, attended, bookedLater, nextDue, planRow, RECEIPT_COPY as copy } from './copy.ts';
import { findReceipt, listPlan, type PlanLine, type ReceiptRow } from './read-model.ts';

/** A buyer's receipt with its purchase's plan, for an email; undefined when they have no such receipt. */
export async function receiptBlocks(
  db: Db,
  buyerId: number,
  folio: string,
): Promise<ReceiptBlocks | undefined> {
  const receipt = await findReceipt(db, buyerId, folio);
  if (receipt === undefined) return undefined;
  return {
    ...(receipt.payerName !== null && { payerName: mailedName(receipt.payerName) }),
    paidOff: paidOffBlocks(receipt),
    receipt: blocksOf(receipt, await listPlan(db, receipt.purchaseId)),
  };
}

function paidOffBlocks({ productName, tradeName, address, phone, instalments }: ReceiptRow): Block[] {
  return [
    paragraph(productName),
    { kind: 'slots', text: copy.paidCount(instalments, instalments), count: instalments },
    paragraph([copy.pickUp(tradeName), address, phone && copy.call(phone)].filter(Boolean).join(' · ')),
    paragraph(copy.code),
  ];
}

function blocksOf(receipt: ReceiptRow, plan: readonly PlanLine[]): Block[] {
  const isActive = receipt.purchaseState !== 'cancelled';
  // Of the moment that the plan is drawn of: other payments may have come before the email went.
  const leftCentavos = sum(plan.map((line) => subtract(line.amountCentavos, line.paidCentavos)));
  return [
    {
      kind: 'rows',
      title: copy.title,
      rows: [
        { label: copy.folio, value: inGroups(receipt.folio), strong: true },
        { label: copy.date, value: formatMoment(receipt.paidAt) },
        { label: copy.booked, value: bookedLater(receipt) },
        { label: copy.payer, value: mailedName(receipt.payerName ?? '') },
        { label: copy.method, value: copy.methods[receipt.channel](receipt.last4) },
        attended(receipt),
        ...receipt.parts.map((part) => ({
          label: copy.part(part.number, receipt.instalments),
          value: formatMoney(part.amountCentavos),
        })),
        ...receipt.others.map((other) => ({
          label: copy.other(other.productName),
          value: formatMoney(other.amountCentavos),
        })),
        { label: copy.fee, value: receipt.feeCentavos > 0 ? formatMoney(receipt.feeCentavos) : '' },
        { label: copy.total, value: mxn(receipt.amountCentavos), strong: true },
        { label: copy.refunded, value: receipt.refundedCentavos > 0 ? mxn(receipt.refundedCentavos) : '' },
      ],
    },
    {
      kind: 'rows',
      title: receipt.productName,
      rows: [
        { label: copy.purchase, value: String(receipt.purchaseId) },
        { label: copy.merchant, value: receipt.tradeName },
        {
          label: 'Razón social',
          value: receipt.businessName === receipt.tradeName ? '' : receipt.businessName,
        },
        { label: copy.address, value: receipt.address },
        { label: copy.phone, value: receipt.phone },
      ],
    },
    {
      kind: 'rows',
      title: 'Tu plan de pagos',
      rows: [
        ...plan.map((line) => planRow(line, receipt)),
        {
          label: copy.balance,
          value: !isActive ? copy.cancelled : leftCentavos === 0 ? copy.paidOff : mxn(leftCentavos),
          strong: true,
        },
        { ...nextDue(receipt), strong: true },
        {
          label: copy.atTill,
          value: receipt.planReference === null ? '' : groupDigits(receipt.planReference),
        },
      ],
    },
    note(aboutInvoice(receipt)),
  ];
}
