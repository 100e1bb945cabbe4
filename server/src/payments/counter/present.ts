import { pesosFromCentavos } from '@aparta/contract/amount';
import type { CounterReceipt, CounterReference } from '@aparta/contract/counter-payments';
import type { ShopRefund } from '@aparta/contract/counter-purchases';
import type { CounterSum } from '@aparta/domain/counter-quote';
import { type Centavos, subtract, zero } from '@aparta/domain/money';
import { shortName } from '@aparta/domain/short-name';

import { presentPictures } from '../../catalogue/present.ts';
import type { LookedUpAtCounter } from './find-owed.ts';
import type { RefundOfShop } from './read-model.ts';
import type { CounterReceiptRow } from './receipt.ts';

const orNull = (amount: Centavos | null) => (amount === null ? null : pesosFromCentavos(amount));

export function presentLookedUp(found: LookedUpAtCounter): CounterReference {
  const of = found.instalments.length;
  const present = (sum: CounterSum | undefined) =>
    sum === undefined
      ? null
      : { amount: pesosFromCentavos(sum.amountCentavos), fills: fillsOf(sum.fills, of) };
  const next = found.instalments.find(({ balanceCentavos }) => balanceCentavos > 0);
  return {
    reference: found.reference,
    kind: found.kind,
    state: found.state,
    productName: found.productName,
    pictures: presentPictures(found.productId, found.picture),
    buyer: shortName(found.buyerName),
    balance: pesosFromCentavos(found.balanceCentavos),
    fee: pesosFromCentavos(found.feeCentavos),
    late: found.isLate,
    expiresAt: found.expiresAt?.toISOString() ?? null,
    nextDueOn: next?.dueOn ?? null,
    instalments: found.instalments.map(({ number, dueOn, amountCentavos, balanceCentavos }) => ({
      number,
      dueOn: dueOn ?? null,
      amount: pesosFromCentavos(amountCentavos),
      balance: pesosFromCentavos(balanceCentavos),
    })),
    next: present(found.quote?.next),
    all: present(found.quote?.all),
    minimum: found.quote === undefined ? null : pesosFromCentavos(found.quote.minimumCentavos),
    asked: present(found.asked),
    purchaseId: found.purchaseId,
    owedBack: pesosFromCentavos(found.owedBackCentavos),
    lastPaid:
      found.lastPaid === undefined
        ? null
        : { amount: pesosFromCentavos(found.lastPaid.amountCentavos), at: found.lastPaid.at.toISOString() },
  };
}

function fillsOf(parts: CounterSum['fills'], of: number): CounterReceipt['parts'] {
  return parts.map(({ number, amountCentavos }) => ({
    number,
    of,
    amount: pesosFromCentavos(amountCentavos),
  }));
}

export function presentCounterReceipt({ operation, receipt, refund }: CounterReceiptRow): CounterReceipt {
  const { amountCentavos, tenderedCentavos, reversedAt, reversedBy, reason, reversalId } = operation;
  const isCancelled = receipt.purchaseState === 'cancelled';
  return {
    id: operation.requestId,
    folio: operation.folio,
    takenAt: operation.takenAt.toISOString(),
    branchId: operation.branchId,
    branch: operation.branchName,
    takenBy: operation.takenBy,
    device: operation.deviceName,
    productName: receipt.productName,
    buyer: shortName(receipt.buyerName),
    amount: pesosFromCentavos(amountCentavos),
    fee: pesosFromCentavos(receipt.feeCentavos),
    method: operation.method,
    tendered: orNull(tenderedCentavos),
    change: tenderedCentavos === null ? null : pesosFromCentavos(subtract(tenderedCentavos, amountCentavos)),
    last4: operation.last4,
    authorisation: operation.authorisation,
    parts: fillsOf(receipt.parts, receipt.instalments),
    // Of a purchase that ended nobody owes anything.
    balance: pesosFromCentavos(isCancelled ? zero : receipt.balanceCentavos),
    nextDueOn: receipt.nextDueOn,
    reversal:
      reversedAt === null
        ? null
        : { at: reversedAt.toISOString(), by: reversedBy ?? '', reason: reason ?? '', id: reversalId },
    purchaseId: receipt.purchaseId,
    cancelled: isCancelled,
    refund:
      refund === undefined
        ? null
        : { amount: pesosFromCentavos(refund.amountCentavos), doneAt: refund.doneAt?.toISOString() ?? null },
    merchant: { tradeName: receipt.tradeName, address: receipt.address, phone: receipt.phone },
    planReference: receipt.planReference,
  };
}

export function presentShopRefund(refund: RefundOfShop): ShopRefund {
  const { id, amountCentavos, method, state, folio, last4, isTakenBack, payerName, at, doneAt } = refund;
  return {
    id,
    amount: pesosFromCentavos(amountCentavos),
    method,
    state,
    folio,
    last4,
    storeReversed: isTakenBack && state === 'owed',
    payerName: payerName === null ? null : shortName(payerName),
    at: at.toISOString(),
    doneAt: doneAt?.toISOString() ?? null,
  };
}
