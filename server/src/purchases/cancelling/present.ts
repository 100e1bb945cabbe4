import { pesosFromCentavos } from '@aparta/contract/amount';
import type { CancelQuote, Refund } from '@aparta/contract/cancellations';

import type { RefundState } from '../../platform/db/tables.ts';
import type { Quote } from './end-with-refunds.ts';
import type { RefundRow } from './read-model.ts';

/** What the buyer is told of each state. */
const STATES = {
  owed: 'owed',
  sending: 'confirming',
  unknown: 'confirming',
  blocked: 'in_review',
  done: 'done',
  moved_to_cash: 'owed',
} as const satisfies Record<RefundState, Refund['state']>;

export function presentRefund(refund: RefundRow): Refund {
  return {
    id: refund.id,
    amount: pesosFromCentavos(refund.amountCentavos),
    way: refund.method,
    state: STATES[refund.state],
    last4: refund.last4,
    payerName: refund.payerName,
    folio: refund.folio,
    createdAt: refund.createdAt.toISOString(),
    doneAt: refund.doneAt?.toISOString() ?? null,
  };
}

export function presentQuote({ quote, payments, penaltyFreeUntil, isInvoiced }: Quote): CancelQuote {
  return {
    paid: pesosFromCentavos(quote.paidCentavos),
    penalty: pesosFromCentavos(quote.penaltyCentavos),
    penaltyFreeUntil: penaltyFreeUntil.toISOString(),
    feesReturned: pesosFromCentavos(quote.feeReturnedCentavos),
    feesKept: pesosFromCentavos(quote.feeKeptCentavos),
    refund: pesosFromCentavos(quote.refundCentavos),
    returns: quote.returns.flatMap((back) => {
      const payment = payments.find(({ receiptId }) => String(receiptId) === back.id);
      if (payment === undefined || back.refundCentavos === 0) return [];
      return [
        {
          folio: payment.folio,
          amount: pesosFromCentavos(back.refundCentavos),
          way: back.method,
          last4: payment.last4,
          payerName: payment.payerName,
          paidAt: payment.paidAt.toISOString(),
        },
      ];
    }),
    invoiced: isInvoiced,
  };
}
