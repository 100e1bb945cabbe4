import type { WEBHOOK_TYPES } from './counter-webhooks.ts';

/** How a shop's system hears of its money, for the page. */
export const WEBHOOK_GUIDE = [
  'The owner adds your address at the counter, under Avisos, and gives you its secret (`whsec_…`), which is shown once. It needs `https` and a public address; redirects are not followed.',
  'Each event is a POST with `webhook-id`, `webhook-timestamp` and `webhook-signature`, by the rules of standardwebhooks.com. Verify the body as it came, before you parse it, with any of their libraries; they refuse what is older than five minutes.',
  'Answer 2xx within 10 seconds, and work on it afterwards. Anything else is sent again: after 30 seconds, then less and less often, for three days. An address that took nothing in three days is switched off; on again, it gets what it missed.',
  'An event may come twice, under the same `webhook-id`: do nothing the second time. `timestamp` is when it was booked. `sequence` numbers the events of your address without a gap; after a failure they may come in another order.',
  'To try it without money, the owner sends your address a `webhook.test` there, under Avisos: signed, numbered and sent again as every other event.',
  'For 24 hours after a change of the secret the header has two signatures; the libraries take either.',
  'There are ids and sums in it, and nothing of the buyer. `channel` is `card`, `cash` (a store) or `till` (a chain’s, or your own counter), whose operation `till` names; it is null otherwise.',
] as const;

const PURCHASE = { merchantId: 1, purchaseId: 1042, sku: 'LB-REF-14', price: 8499, balance: 6799.2 };
const PAYMENT = {
  ...PURCHASE,
  folio: 'K7Q2M9XW4T',
  channel: 'till',
  amount: 1699.8,
  applied: 1699.8,
  isDeposit: true,
  till: { compañia: 'CAJA-DEMO', sucursal: '1', idtransaccion: 'A-000123' },
};
const { balance: _balance, ...CANCELLED } = PURCHASE;

/** What each event carries, and when it comes. */
export const WEBHOOK_EXAMPLES: Readonly<
  Record<(typeof WEBHOOK_TYPES)[number], readonly [when: string, data: Readonly<Record<string, unknown>>]>
> = {
  'payment.taken': [
    'Money of a purchase was taken, by whatever way; what goes back whole is not told. `amount` is what was paid, with the fee, `applied` what filled the purchase, `balance` what is left. One payment of several purchases comes once for each, under one `folio`: `amount` is its share, with the fee at the least `purchaseId`.',
    PAYMENT,
  ],
  'payment.reversed': [
    'A payment was taken back, whole: by a till or counter on its day, by a store or of a card perhaps weeks later. `balance` is what is owed again; 0 where it was the only money and the purchase ended, whose `purchase.cancelled` comes behind it.',
    { ...PAYMENT, balance: 0 },
  ],
  'purchase.paid_off': [
    'Nothing is owed any more. It comes behind the payment that did it.',
    { ...PURCHASE, balance: 0 },
  ],
  'purchase.cancelled': [
    'The purchase ended, and nothing is owed of it. `kept` is the penalty, `returned` what the buyer gets back, with the fee where that is not kept; both are 0 behind the `payment.reversed` that ended it.',
    { ...CANCELLED, kept: 200, returned: 1499.8 },
  ],
  'webhook.test': [
    'The owner asked for it at the counter. No money moved: verify it, answer 2xx, and do nothing.',
    { merchantId: 1 },
  ],
};
