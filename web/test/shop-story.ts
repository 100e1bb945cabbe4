import type { ShopPurchaseStory } from '@aparta/contract/counter-purchases';

const AT = '2026-11-20T18:00:00.000Z';

/** Of $3,000: its deposit and a part of the second payment were paid, then its buyer cancelled it. */
export const cancelledStory: ShopPurchaseStory = {
  kind: 'purchase',
  id: 41,
  reference: '21000482101',
  state: 'cancelled',
  productName: 'Lavadora',
  buyer: 'Marisol R.',
  madeAt: AT,
  price: 3000,
  paid: 700,
  balance: 0,
  listed: 0,
  nextDueOn: null,
  lateDays: 0,
  expiresAt: null,
  settledAt: null,
  keptIn: null,
  handedOverAt: null,
  ends: null,
  cancelledAt: AT,
  handedOver: null,
  ending: null,
  claim: null,
  endedBy: 'buyer',
  cancelNotes: 'Ya no lo quiero',
  mayEnd: false,
  contact: null,
  schedule: [
    { number: 1, dueOn: '2026-11-20', amount: 600, balance: 0, late: false },
    { number: 2, dueOn: '2026-12-20', amount: 1200, balance: 1100, late: false },
    { number: 3, dueOn: '2027-01-20', amount: 1200, balance: 1200, late: false },
  ],
  planChanges: [],
  frozen: null,
  payments: [],
  refunds: [],
  emails: [],
};
