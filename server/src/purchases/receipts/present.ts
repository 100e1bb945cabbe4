import { pesosFromCentavos } from '@aparta/contract/amount';
import type { Receipt } from '@aparta/contract/receipts';

import { shortName } from '@aparta/domain/short-name';

import { invoicingOf } from './invoicing-of.ts';
import type { ReceiptRow } from './read-model.ts';

const METHODS = { card: 'card', till: 'till', cash: 'cash' } as const;

export function presentReceipt(row: ReceiptRow): Receipt {
  return {
    folio: row.folio,
    paidAt: row.paidAt.toISOString(),
    bookedAt: row.bookedAt.toISOString(),
    amount: pesosFromCentavos(row.amountCentavos),
    fee: pesosFromCentavos(row.feeCentavos),
    method: METHODS[row.channel],
    last4: row.last4,
    payerName: row.payerName,
    takenBy: row.takenBy === null ? null : shortName(row.takenBy),
    branch: row.branch,
    ventaId: row.purchaseId,
    productName: row.productName,
    merchant: {
      id: row.merchantId,
      tradeName: row.tradeName,
      businessName: row.businessName,
      address: row.address,
      phone: row.phone,
    },
    buyerName: row.buyerName,
    parts: row.parts.map((part) => ({
      number: part.number,
      of: row.instalments,
      amount: pesosFromCentavos(part.amountCentavos),
    })),
    others: row.others.map(({ purchaseId, productName, amountCentavos }) => ({
      ventaId: purchaseId,
      productName,
      amount: pesosFromCentavos(amountCentavos),
    })),
    cancelled: row.purchaseState === 'cancelled',
    balance: pesosFromCentavos(row.balanceCentavos),
    nextDueOn: row.nextDueOn,
    refunded: pesosFromCentavos(row.refundedCentavos),
    ...invoicingOf(row),
    invoicedHere: row.isInvoicedHere,
  };
}
