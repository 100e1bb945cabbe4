import { type Centavos, sum, zero } from '@aparta/domain/money';
import type { LedgerAccount, LedgerEventKind, ReceiptChannel } from '../db/tables.ts';

/** One amount from one account to another; `debit` receives it in the bookkeeper's sense. */
export interface Transfer {
  readonly debit: LedgerAccount;
  readonly debitSubject: string;
  readonly credit: LedgerAccount;
  readonly creditSubject: string;
  readonly amountCentavos: Centavos;
}

/** Something that happened to money, once: (kind, sourceId) is unique in the books. */
export interface LedgerEvent {
  readonly merchantId: number;
  readonly kind: LedgerEventKind;
  readonly sourceId: string;
  readonly transfers: readonly Transfer[];
}

/** Where money of a channel stands until its provider hands it on. */
function clearing(
  channel: ReceiptChannel,
  merchantId: number,
  sourceId: string,
): { account: LedgerAccount; subject: string } {
  return channel === 'card'
    ? { account: 'card_clearing', subject: `merchant:${merchantId}` }
    : { account: `${channel}_clearing`, subject: sourceId };
}

export interface ReceiptFacts {
  readonly channel: ReceiptChannel;
  readonly merchantId: number;
  readonly sourceId: string;
}

/** Where the money of a receipt goes: to a purchase with its fee (L1 to L3), back (L5, L6), or to suspense (L7). */
export type ReceiptUse =
  | {
      readonly to: 'purchase';
      readonly purchaseId: number;
      readonly principalCentavos: Centavos;
      readonly feeCentavos: Centavos;
    }
  | {
      readonly to: 'refund';
      readonly refundId: number;
      readonly way: 'card' | 'cash';
      readonly amountCentavos: Centavos;
    }
  | { readonly to: 'suspense'; readonly receiptId: number; readonly amountCentavos: Centavos };

/** The credit side of a use of money; the debit side is where it stood. */
function creditsOf(
  use: ReceiptUse,
  sourceId: string,
): { credit: LedgerAccount; creditSubject: string; amountCentavos: Centavos }[] {
  switch (use.to) {
    case 'purchase':
      return [
        {
          credit: 'layaway_deposits',
          creditSubject: String(use.purchaseId),
          amountCentavos: use.principalCentavos,
        },
        { credit: 'service_fee' as const, creditSubject: sourceId, amountCentavos: use.feeCentavos },
      ].filter((leg) => leg.amountCentavos > 0) as {
        credit: LedgerAccount;
        creditSubject: string;
        amountCentavos: Centavos;
      }[];
    case 'refund':
      return [
        {
          credit: `${use.way}_refund_payable`,
          creditSubject: `refund:${use.refundId}`,
          amountCentavos: use.amountCentavos,
        },
      ];
    case 'suspense':
      return [
        { credit: 'suspense', creditSubject: `receipt:${use.receiptId}`, amountCentavos: use.amountCentavos },
      ];
  }
}

/** Money arrived: L1 to L7 (payments.md §2.3). */
export function receiptEvent(receipt: ReceiptFacts, use: ReceiptUse): LedgerEvent {
  const from = clearing(receipt.channel, receipt.merchantId, receipt.sourceId);
  return {
    merchantId: receipt.merchantId,
    kind: `${receipt.channel}_receipt`,
    sourceId: receipt.sourceId,
    transfers: creditsOf(use, receipt.sourceId).map((to) => ({
      debit: from.account,
      debitSubject: from.subject,
      ...to,
    })),
  };
}

/** Money in suspense found its home: L8. */
export function suspenseResolved(
  receipt: ReceiptFacts & { receiptId: number },
  use: Exclude<ReceiptUse, { to: 'suspense' }>,
): LedgerEvent {
  return {
    merchantId: receipt.merchantId,
    kind: 'suspense_resolved',
    sourceId: String(receipt.receiptId),
    transfers: creditsOf(use, receipt.sourceId).map((to) => ({
      debit: 'suspense',
      debitSubject: `receipt:${receipt.receiptId}`,
      ...to,
    })),
  };
}

/** A card refund went through: L11. */
export function cardRefunded(refund: {
  id: number;
  merchantId: number;
  amountCentavos: Centavos;
}): LedgerEvent {
  return {
    merchantId: refund.merchantId,
    kind: 'card_refund',
    sourceId: String(refund.id),
    transfers: [
      {
        debit: 'card_refund_payable',
        debitSubject: `refund:${refund.id}`,
        credit: 'card_clearing',
        creditSubject: `merchant:${refund.merchantId}`,
        amountCentavos: refund.amountCentavos,
      },
    ],
  };
}

/** A card refund that cannot be made becomes the same debt in cash: L12. */
export function refundMovedToCash(refund: {
  id: number;
  merchantId: number;
  cashRefundId: number;
  amountCentavos: Centavos;
}): LedgerEvent {
  return {
    merchantId: refund.merchantId,
    kind: 'refund_moved',
    sourceId: String(refund.id),
    transfers: [
      {
        debit: 'card_refund_payable',
        debitSubject: `refund:${refund.id}`,
        credit: 'cash_refund_payable',
        creditSubject: `refund:${refund.cashRefundId}`,
        amountCentavos: refund.amountCentavos,
      },
    ],
  };
}

/** What an event moves in all. */
export function totalOf(event: LedgerEvent): Centavos {
  return sum(event.transfers.map((transfer) => transfer.amountCentavos)) ?? zero;
}
