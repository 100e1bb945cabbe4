import type { Centavos } from '@aparta/domain/money';
import type {
  Collector,
  LedgerAccount,
  LedgerEventKind,
  ReceiptChannel,
  SettlementParty,
} from '../../platform/db/tables.ts';

/** One amount from one account to another: it is debited to `debit` and credited to `credit`. */
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

/** The reversal of transfers: each with debit and credit exchanged. */
export function mirrored(transfers: readonly Transfer[]): Transfer[] {
  return transfers.map((transfer) => ({
    debit: transfer.credit,
    debitSubject: transfer.creditSubject,
    credit: transfer.debit,
    creditSubject: transfer.debitSubject,
    amountCentavos: transfer.amountCentavos,
  }));
}

/** The account that holds a channel's money until its provider deposits it. */
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

/**
 * Where the money of a receipt goes: to a purchase with its fee (rules/ledger#postings), back (rules/ledger#not-applicable), or
 * to suspense (rules/ledger#suspense).
 */
export type ReceiptUse =
  | {
      readonly to: 'purchase';
      readonly purchaseId: number;
      readonly principalCentavos: Centavos;
      /** The other purchases that the same payment fills. */
      readonly others?: readonly { readonly purchaseId: number; readonly principalCentavos: Centavos }[];
      readonly feeCentavos: Centavos;
      /** What came beyond the balance: owed back in cash (rules/ledger#cash-receipt). */
      readonly surplus?: { readonly refundId: number; readonly amountCentavos: Centavos } | undefined;
    }
  | {
      readonly to: 'refund';
      readonly refundId: number;
      readonly method: 'card' | 'cash';
      readonly amountCentavos: Centavos;
    }
  | { readonly to: 'suspense'; readonly receiptId: number; readonly amountCentavos: Centavos };

type Credit = Pick<Transfer, 'credit' | 'creditSubject' | 'amountCentavos'>;

/** The credit sides of what money is used for; the debit side is where the money was. */
function creditsOf(use: ReceiptUse, sourceId: string): Credit[] {
  switch (use.to) {
    case 'purchase': {
      const { feeCentavos, surplus, others = [] } = use;
      const credits: Credit[] = [
        ...[use, ...others].map(({ purchaseId, principalCentavos }) => ({
          credit: 'layaway_deposits' as const,
          creditSubject: String(purchaseId),
          amountCentavos: principalCentavos,
        })),
        { credit: 'service_fee', creditSubject: sourceId, amountCentavos: feeCentavos },
      ];
      if (surplus !== undefined) credits.push(refundPayable('cash', surplus));
      return credits.filter((leg) => leg.amountCentavos > 0);
    }
    case 'refund':
      return [refundPayable(use.method, use)];
    case 'suspense':
      return [
        { credit: 'suspense', creditSubject: `receipt:${use.receiptId}`, amountCentavos: use.amountCentavos },
      ];
  }
}

function refundPayable(
  method: 'card' | 'cash',
  { refundId, amountCentavos }: { refundId: number; amountCentavos: Centavos },
): Credit {
  return { credit: `${method}_refund_payable`, creditSubject: `refund:${refundId}`, amountCentavos };
}

/** Money arrived (rules/ledger#postings). */
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

/** Money in suspense was applied or is owed back (rules/ledger#suspense). */
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

/** A card refund went through (rules/ledger#card-refund). */
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

interface HandedOver {
  readonly id: number;
  readonly merchantId: number;
  readonly amountCentavos: Centavos;
  /** How often it bounced before, since each handover is an event of its own. */
  readonly tries: number;
  readonly paidBy: 'merchant' | 'operator';
}

/** A refund was handed over in cash (rules/ledger#cash-refund-paid). */
export function cashRefundPaid(refund: HandedOver): LedgerEvent {
  return {
    merchantId: refund.merchantId,
    kind: 'cash_refund',
    sourceId: `${refund.id}:${refund.tries}`,
    transfers: [
      {
        debit: 'cash_refund_payable',
        debitSubject: `refund:${refund.id}`,
        credit: refund.paidBy === 'merchant' ? 'merchant_funds' : 'operator_current',
        creditSubject: `merchant:${refund.merchantId}`,
        amountCentavos: refund.amountCentavos,
      },
    ],
  };
}

/** A cash refund bounced (rules/ledger#cash-refund-bounced): the mirror of its handover. */
export function cashRefundBounced(refund: HandedOver): LedgerEvent {
  const paid = cashRefundPaid(refund);
  return {
    ...paid,
    kind: 'cash_refund_bounced',
    transfers: mirrored(paid.transfers),
  };
}

/** A card refund that cannot be made becomes the same debt in cash (rules/ledger#refund-moved). */
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

/**
 * A till or a store took its money back, or all of a card payment was refunded externally (rules/ledger#reversal): the exact
 * mirror of its receipt. What was owed back of it is lost if the buyer has it already (`refundIsPaid`).
 */
export function receiptReversed(
  receipt: ReceiptFacts,
  use: Exclude<ReceiptUse, { to: 'suspense' }>,
  { refundIsPaid = false } = {},
): LedgerEvent {
  const transfers = mirrored(receiptEvent(receipt, use).transfers);
  return {
    merchantId: receipt.merchantId,
    kind: `${receipt.channel}_reversal`,
    sourceId: receipt.sourceId,
    transfers: transfers.map((transfer) =>
      refundIsPaid && transfer.debit === 'cash_refund_payable'
        ? { ...transfer, ...lossOf(receipt.sourceId) }
        : transfer,
    ),
  };
}

const lossOf = (sourceId: string) => ({ debit: 'dispute_loss', debitSubject: sourceId }) as const;

/** What an external refund was: a refund that was still owed, or nothing of ours. */
export type ExternalRefundPart = { readonly amountCentavos: Centavos } & (
  | { readonly was: 'refund'; readonly refundId: number; readonly method: 'card' | 'cash' }
  | { readonly was: 'loss' }
);

/**
 * Money of a payment was refunded externally (rules/ledger#external-refund). `leftCentavos` is all that left the
 * payment so far, which tells its events apart.
 */
export function externallyRefunded(
  receipt: ReceiptFacts & { readonly leftCentavos: Centavos },
  parts: readonly ExternalRefundPart[],
): LedgerEvent {
  const { channel, merchantId, sourceId, leftCentavos } = receipt;
  const from = clearing(channel, merchantId, sourceId);
  return {
    merchantId,
    kind: 'external_refund',
    sourceId: `${sourceId}:${leftCentavos}`,
    transfers: parts.map((part) => ({
      ...(part.was === 'loss'
        ? lossOf(sourceId)
        : ({ debit: `${part.method}_refund_payable`, debitSubject: `refund:${part.refundId}` } as const)),
      credit: from.account,
      creditSubject: from.subject,
      amountCentavos: part.amountCentavos,
    })),
  };
}

/** What one payment of a cancelled purchase gives back. */
export interface CancelledReturn {
  readonly refundId: number;
  readonly method: 'card' | 'cash';
  /** The attempt or operation that brought it: the subject of its fee. */
  readonly sourceId: string;
  readonly principalCentavos: Centavos;
  readonly feeCentavos: Centavos;
}

/**
 * A purchase was cancelled (rules/ledger#cancel). All that was paid leaves the deposits; a fee that returns leaves the fees.
 */
export function purchaseCancelled(cancelled: {
  merchantId: number;
  purchaseId: number;
  returns: readonly CancelledReturn[];
  quote: { readonly penaltyCentavos: Centavos };
}): LedgerEvent {
  const subject = String(cancelled.purchaseId);
  const deposits = { debit: 'layaway_deposits', debitSubject: subject } as const;
  const penalty: Transfer = {
    ...deposits,
    credit: 'penalty_income',
    creditSubject: subject,
    amountCentavos: cancelled.quote.penaltyCentavos,
  };
  const back = cancelled.returns.flatMap((each): Transfer[] => {
    const credit = {
      credit: `${each.method}_refund_payable`,
      creditSubject: `refund:${each.refundId}`,
    } as const;
    return [
      { ...deposits, ...credit, amountCentavos: each.principalCentavos },
      { debit: 'service_fee', debitSubject: each.sourceId, ...credit, amountCentavos: each.feeCentavos },
    ];
  });
  return {
    merchantId: cancelled.merchantId,
    kind: 'cancel',
    sourceId: subject,
    transfers: [penalty, ...back].filter((transfer) => transfer.amountCentavos > 0),
  };
}

/** The goods of a purchase were handed over (rules/ledger#hand-over): what was paid for them is the merchant's. */
export function goodsDelivered(purchase: {
  merchantId: number;
  purchaseId: number;
  paidCentavos: Centavos;
}): LedgerEvent {
  const subject = String(purchase.purchaseId);
  return {
    merchantId: purchase.merchantId,
    kind: 'handover',
    sourceId: subject,
    transfers: [
      {
        debit: 'layaway_deposits',
        debitSubject: subject,
        credit: 'sale_delivered',
        creditSubject: subject,
        amountCentavos: purchase.paidCentavos,
      },
    ],
  };
}

/** The account of money that the merchant, or the operator for the merchant, has in hand. */
function handsOf(party: Collector, merchantId: number): { account: LedgerAccount; subject: string } {
  return {
    account: party === 'merchant' ? 'merchant_funds' : 'operator_current',
    subject: `merchant:${merchantId}`,
  };
}

const differenceOf = (settlementId: number) =>
  ({ account: 'settlement_difference', subject: `settlement:${settlementId}` }) as const;

interface Settled {
  readonly settlementId: number;
  readonly merchantId: number;
}

/**
 * A deposit of a chain or of Tapi pays this operation (rules/ledger#settlement). What the deposit is short of its operations, or
 * over them, stays as its difference.
 */
export function operationSettled(
  operation: Settled & { channel: 'till' | 'cash'; sourceId: string; amountCentavos: Centavos },
): LedgerEvent {
  const { settlementId, merchantId, channel, sourceId, amountCentavos } = operation;
  const to = differenceOf(settlementId);
  return {
    merchantId,
    kind: 'operation_settled',
    sourceId: `${settlementId}:${channel}:${sourceId}`,
    transfers: [
      {
        debit: to.account,
        debitSubject: to.subject,
        credit: `${channel}_clearing`,
        creditSubject: sourceId,
        amountCentavos,
      },
    ],
  };
}

/** A deposit reached the merchant or the operator, less a commission (rules/ledger#commission, rules/ledger#settlement). */
export function depositReceived(
  deposit: Settled & {
    channel: ReceiptChannel;
    party: Collector;
    amountCentavos: Centavos;
    commissionCentavos: Centavos;
  },
): LedgerEvent {
  const { settlementId, merchantId, channel, party, amountCentavos, commissionCentavos } = deposit;
  const to = handsOf(party, merchantId);
  const from = channel === 'card' ? clearing(channel, merchantId, '') : differenceOf(settlementId);
  const credit = { credit: from.account, creditSubject: from.subject } as const;
  const transfers: Transfer[] = [
    { debit: to.account, debitSubject: to.subject, ...credit, amountCentavos },
    {
      debit: 'provider_commission',
      debitSubject: `settlement:${settlementId}`,
      ...credit,
      amountCentavos: commissionCentavos,
    },
  ];
  return {
    merchantId,
    kind: 'settlement_deposit',
    sourceId: String(settlementId),
    transfers: transfers.filter((transfer) => transfer.amountCentavos > 0),
  };
}

/** The operator paid the merchant what it held, or the merchant what it owed (rules/ledger#settlement): `party` has it now. */
export function paidOut(payout: Settled & { party: Collector; amountCentavos: Centavos }): LedgerEvent {
  const { settlementId, merchantId, party, amountCentavos } = payout;
  const to = handsOf(party, merchantId);
  const from = handsOf(party === 'merchant' ? 'operator' : 'merchant', merchantId);
  return {
    merchantId,
    kind: 'settlement_payout',
    sourceId: String(settlementId),
    transfers: [
      {
        debit: to.account,
        debitSubject: to.subject,
        credit: from.account,
        creditSubject: from.subject,
        amountCentavos,
      },
    ],
  };
}

/** Says which party has a deposit's difference (rules/ledger#settlement). */
export function differenceExplained(
  explained: Settled & {
    ofId: number;
    party: SettlementParty;
    isShort: boolean;
    amountCentavos: Centavos;
  },
): LedgerEvent {
  const { settlementId, merchantId, ofId, party, isShort, amountCentavos } = explained;
  const from = differenceOf(ofId);
  const to =
    party === 'provider'
      ? ({ account: 'provider_commission', subject: from.subject } as const)
      : handsOf(party, merchantId);
  const transfer: Transfer = {
    debit: to.account,
    debitSubject: to.subject,
    credit: from.account,
    creditSubject: from.subject,
    amountCentavos,
  };
  return {
    merchantId,
    kind: 'settlement_explanation',
    sourceId: String(settlementId),
    transfers: isShort ? [transfer] : mirrored([transfer]),
  };
}
