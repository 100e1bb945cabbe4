import { centavos } from '@aparta/domain/money';
import { expect, test } from 'vitest';
import {
  cardRefunded,
  cashRefundBounced,
  cashRefundPaid,
  depositReceived,
  differenceExplained,
  externallyRefunded,
  goodsDelivered,
  type LedgerEvent,
  operationSettled,
  paidOut,
  purchaseCancelled,
  receiptEvent,
  receiptReversed,
  refundMovedToCash,
  suspenseResolved,
} from './postings.ts';

/** An event as the page on the ledger writes it: its key, and a line for each transfer. */
const written = ({ merchantId, kind, sourceId, transfers }: LedgerEvent) => [
  `${kind} ${sourceId} of ${merchantId}`,
  ...transfers.map(
    ({ debit, debitSubject, credit, creditSubject, amountCentavos }) =>
      `${debit} ${debitSubject} > ${credit} ${creditSubject} ${amountCentavos}`,
  ),
];

const [merchantId, settlementId] = [1, 40];
const card = { channel: 'card', merchantId, sourceId: 'attempt' } as const;
const till = { channel: 'till', merchantId, sourceId: 'ticket' } as const;
const cash = { channel: 'cash', merchantId, sourceId: 'op' } as const;
const purchase = {
  to: 'purchase',
  purchaseId: 7,
  principalCentavos: centavos(60_000),
  feeCentavos: centavos(1_500),
} as const;
const surplus = { refundId: 9, amountCentavos: centavos(5_000) };
const refund = { id: 9, merchantId, amountCentavos: centavos(5_000) };
const handover = { ...refund, tries: 2 };
const settled = { settlementId, merchantId, amountCentavos: centavos(9_000) };

const EVENTS: [string, LedgerEvent, string[]][] = [
  [
    'a card pays a deposit with its fee',
    receiptEvent(card, purchase),
    [
      'card_receipt attempt of 1',
      'card_clearing merchant:1 > layaway_deposits 7 60000',
      'card_clearing merchant:1 > service_fee attempt 1500',
    ],
  ],
  [
    'a card pays what is late of two purchases, with one fee',
    receiptEvent(card, {
      ...purchase,
      others: [{ purchaseId: 8, principalCentavos: centavos(40_000) }],
    }),
    [
      'card_receipt attempt of 1',
      'card_clearing merchant:1 > layaway_deposits 7 60000',
      'card_clearing merchant:1 > layaway_deposits 8 40000',
      'card_clearing merchant:1 > service_fee attempt 1500',
    ],
  ],
  [
    'a till takes a payment without a fee',
    receiptEvent(till, { ...purchase, feeCentavos: centavos(0) }),
    ['till_receipt ticket of 1', 'till_clearing ticket > layaway_deposits 7 60000'],
  ],
  [
    'a store takes too much',
    receiptEvent(cash, { ...purchase, surplus }),
    [
      'cash_receipt op of 1',
      'cash_clearing op > layaway_deposits 7 60000',
      'cash_clearing op > service_fee op 1500',
      'cash_clearing op > cash_refund_payable refund:9 5000',
    ],
  ],
  [
    'a card pays what nobody owes',
    receiptEvent(card, { to: 'refund', method: 'card', ...surplus }),
    ['card_receipt attempt of 1', 'card_clearing merchant:1 > card_refund_payable refund:9 5000'],
  ],
  [
    'money comes that nobody can place',
    receiptEvent(cash, { to: 'suspense', receiptId: 3, amountCentavos: centavos(5_000) }),
    ['cash_receipt op of 1', 'cash_clearing op > suspense receipt:3 5000'],
  ],
  [
    'and is placed later',
    suspenseResolved({ ...cash, receiptId: 3 }, purchase),
    [
      'suspense_resolved 3 of 1',
      'suspense receipt:3 > layaway_deposits 7 60000',
      'suspense receipt:3 > service_fee op 1500',
    ],
  ],
  [
    'a card refund is done',
    cardRefunded(refund),
    ['card_refund 9 of 1', 'card_refund_payable refund:9 > card_clearing merchant:1 5000'],
  ],
  [
    'the merchant hands a refund over',
    cashRefundPaid({ ...handover, paidBy: 'merchant' }),
    ['cash_refund 9:2 of 1', 'cash_refund_payable refund:9 > merchant_funds merchant:1 5000'],
  ],
  [
    'the operator hands it over',
    cashRefundPaid({ ...handover, paidBy: 'operator' }),
    ['cash_refund 9:2 of 1', 'cash_refund_payable refund:9 > operator_current merchant:1 5000'],
  ],
  [
    'and it bounces',
    cashRefundBounced({ ...handover, paidBy: 'operator' }),
    ['cash_refund_bounced 9:2 of 1', 'operator_current merchant:1 > cash_refund_payable refund:9 5000'],
  ],
  [
    'a card refund is owed in cash instead',
    refundMovedToCash({ ...refund, cashRefundId: 10 }),
    ['refund_moved 9 of 1', 'card_refund_payable refund:9 > cash_refund_payable refund:10 5000'],
  ],
  [
    'a store takes its money back',
    receiptReversed(cash, { ...purchase, surplus }),
    [
      'cash_reversal op of 1',
      'layaway_deposits 7 > cash_clearing op 60000',
      'service_fee op > cash_clearing op 1500',
      'cash_refund_payable refund:9 > cash_clearing op 5000',
    ],
  ],
  [
    'a store takes back money of which the buyer has a part: that part alone is lost',
    receiptReversed(cash, { ...purchase, surplus }, { refundIsPaid: true }),
    [
      'cash_reversal op of 1',
      'layaway_deposits 7 > cash_clearing op 60000',
      'service_fee op > cash_clearing op 1500',
      'dispute_loss op > cash_clearing op 5000',
    ],
  ],
  [
    'the panel refunds what we owed, and more',
    externallyRefunded({ ...card, leftCentavos: centavos(8_000) }, [
      { was: 'refund', method: 'card', ...surplus },
      { was: 'loss', amountCentavos: centavos(3_000) },
    ]),
    [
      'external_refund attempt:8000 of 1',
      'card_refund_payable refund:9 > card_clearing merchant:1 5000',
      'dispute_loss attempt > card_clearing merchant:1 3000',
    ],
  ],
  [
    'a purchase is cancelled: a penalty, one card with its fee, one store without',
    purchaseCancelled({
      merchantId,
      purchaseId: 7,
      quote: { penaltyCentavos: centavos(10_000) },
      returns: [
        {
          refundId: 11,
          method: 'card',
          sourceId: 'attempt',
          principalCentavos: centavos(50_000),
          feeCentavos: centavos(1_500),
        },
        {
          refundId: 12,
          method: 'cash',
          sourceId: 'op',
          principalCentavos: centavos(4_000),
          feeCentavos: centavos(0),
        },
      ],
    }),
    [
      'cancel 7 of 1',
      'layaway_deposits 7 > penalty_income 7 10000',
      'layaway_deposits 7 > card_refund_payable refund:11 50000',
      'service_fee attempt > card_refund_payable refund:11 1500',
      'layaway_deposits 7 > cash_refund_payable refund:12 4000',
    ],
  ],
  [
    'and without a penalty',
    purchaseCancelled({ merchantId, purchaseId: 7, quote: { penaltyCentavos: centavos(0) }, returns: [] }),
    ['cancel 7 of 1'],
  ],
  [
    'goods are handed over: what was paid for them is the merchant’s',
    goodsDelivered({ merchantId, purchaseId: 7, paidCentavos: centavos(60_000) }),
    ['handover 7 of 1', 'layaway_deposits 7 > sale_delivered 7 60000'],
  ],
  [
    'a deposit of a chain pays an operation',
    operationSettled({ ...settled, channel: 'till', sourceId: 'ticket' }),
    [
      'operation_settled 40:till:ticket of 1',
      'settlement_difference settlement:40 > till_clearing ticket 9000',
    ],
  ],
  [
    'a chain deposits with the operator, less its commission',
    depositReceived({ ...settled, channel: 'till', party: 'operator', commissionCentavos: centavos(200) }),
    [
      'settlement_deposit 40 of 1',
      'operator_current merchant:1 > settlement_difference settlement:40 9000',
      'provider_commission settlement:40 > settlement_difference settlement:40 200',
    ],
  ],
  [
    'the card provider deposits with the merchant',
    depositReceived({ ...settled, channel: 'card', party: 'merchant', commissionCentavos: centavos(0) }),
    ['settlement_deposit 40 of 1', 'merchant_funds merchant:1 > card_clearing merchant:1 9000'],
  ],
  [
    'the operator pays the merchant',
    paidOut({ ...settled, party: 'merchant' }),
    ['settlement_payout 40 of 1', 'merchant_funds merchant:1 > operator_current merchant:1 9000'],
  ],
  [
    'the merchant pays the operator',
    paidOut({ ...settled, party: 'operator' }),
    ['settlement_payout 40 of 1', 'operator_current merchant:1 > merchant_funds merchant:1 9000'],
  ],
  [
    'the provider kept what a deposit is short of',
    differenceExplained({ ...settled, ofId: 39, party: 'provider', isShort: true }),
    [
      'settlement_explanation 40 of 1',
      'provider_commission settlement:39 > settlement_difference settlement:39 9000',
    ],
  ],
  [
    'the merchant has what it is over',
    differenceExplained({ ...settled, ofId: 39, party: 'merchant', isShort: false }),
    [
      'settlement_explanation 40 of 1',
      'settlement_difference settlement:39 > merchant_funds merchant:1 9000',
    ],
  ],
];

test.each(EVENTS)('%s', (_what, event, lines) => {
  expect(written(event)).toEqual(lines);
});
