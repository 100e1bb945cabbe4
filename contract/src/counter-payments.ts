import * as v from 'valibot';

import { pesos } from './amount.ts';
import { shopRefund } from './counter-purchases.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { productPictures } from './pictures.ts';
import { day, idField, idParam, line, moment, uuid } from './text.ts';

const parts = v.array(v.object({ number: v.number(), of: v.number(), amount: pesos }));
const counterSum = v.object({ amount: pesos, fills: parts });

/** What a printed number, or a receipt's folio, stands for at the counter. */
export const counterReference = v.object({
  /** The number to take money by. */
  reference: v.string(),
  kind: v.picklist(['deposit', 'instalments']),
  state: v.picklist(['open', 'sold_out', 'expired', 'cancelled', 'paid_off']),
  productName: v.string(),
  pictures: productPictures,
  buyer: v.string(),
  balance: pesos,
  fee: pesos,
  late: v.boolean(),
  expiresAt: v.nullable(moment),
  nextDueOn: v.nullable(day),
  instalments: v.array(
    v.object({ number: v.number(), dueOn: v.nullable(day), amount: pesos, balance: pesos }),
  ),
  next: v.nullable(counterSum),
  all: v.nullable(counterSum),
  minimum: v.nullable(pesos),
  asked: v.nullable(counterSum),
  // A server of the version before says nothing of these.
  purchaseId: v.optional(v.nullable(idField), null),
  /** Of a purchase that was cancelled: what its merchant still owes back in cash. */
  owedBack: v.optional(pesos, 0),
  /** The newest payment of its purchase, whoever took it: somebody may ask for the same one again. */
  lastPaid: v.optional(v.nullable(v.object({ amount: pesos, at: moment })), null),
});
export type CounterReference = v.InferOutput<typeof counterReference>;

/** The receipt of an operation of a counter, for the shop. */
export const counterReceipt = v.object({
  id: uuid,
  folio: v.string(),
  takenAt: moment,
  branchId: idField,
  branch: v.string(),
  takenBy: v.string(),
  device: v.nullable(v.string()),
  productName: v.string(),
  buyer: v.string(),
  amount: pesos,
  fee: pesos,
  method: v.picklist(['cash', 'terminal']),
  tendered: v.nullable(pesos),
  change: v.nullable(pesos),
  last4: v.nullable(v.string()),
  authorisation: v.nullable(v.string()),
  parts,
  balance: pesos,
  nextDueOn: v.nullable(day),
  /** `id`: of the press that did it, null of one without; a server of the version before says nothing of it. */
  reversal: v.nullable(
    v.object({ at: moment, by: v.string(), reason: v.string(), id: v.optional(v.nullable(uuid)) }),
  ),
  // A server of the version before says nothing of these.
  purchaseId: v.optional(v.nullable(idField), null),
  /** Whether its purchase was: then it is not reversed any more. */
  cancelled: v.optional(v.boolean(), false),
  /** What goes back of it since. */
  refund: v.optional(v.nullable(v.object({ amount: pesos, doneAt: v.nullable(moment) })), null),
  /** Whose shop it is, for the paper. */
  merchant: v.optional(
    v.nullable(v.object({ tradeName: v.string(), address: v.string(), phone: v.string() })),
    null,
  ),
  /** What any sum of the purchase is taken by; null once nothing is left. */
  planReference: v.optional(v.nullable(v.string()), null),
});
export type CounterReceipt = v.InferOutput<typeof counterReceipt>;

const folioParam = v.pipe(v.string(), v.regex(/^[0-9A-Z]{10}$/));

export const lookUpReference = defineEndpoint({
  name: 'lookUpReference',
  summary:
    'What a printed number or a folio stands for, what is owed, and what each sum would fill. It changes nothing.',
  method: 'GET',
  path: '/v1/counter/references/:code',
  access: ['staff'],
  act: 'look_up',
  params: v.object({ code: line(40) }),
  query: v.object({
    amount: v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}(\.\d{1,2})?$/), v.transform(Number), pesos)),
  }),
  reply: envelope(counterReference),
  refusals: ['NOT_FOUND', 'TOO_MANY'],
});

/** Why taking a payment is refused. By itself: the applications are built without the refusals of endpoints. */
export const TAKE_REFUSALS = [
  'NOT_FOUND',
  'AMOUNT_CHANGED',
  'REFERENCE_EXPIRED',
  'REFERENCE_PAID',
  'REFERENCE_CANCELLED',
  'SOLD_OUT',
  'PURCHASE_SETTLED',
  'PURCHASE_CANCELLED',
  'INTENT_CONFLICT',
  'PAYMENT_REVERSED',
  'OVER_CAP',
  'TOO_MANY',
] as const;

export const takePayment = defineEndpoint({
  name: 'takePayment',
  summary:
    'Takes money for a deposit or a purchase, once per `id`: the same call gets the same receipt, however often it is made.',
  method: 'POST',
  path: '/v1/counter/payments',
  access: ['staff'],
  act: 'take_payment',
  body: v.object({
    id: uuid,
    branchId: idField,
    reference: line(40),
    amount: pesos,
    method: v.picklist(['cash', 'terminal']),
    tendered: v.optional(pesos),
    last4: v.optional(v.pipe(v.string(), v.regex(/^\d{4}$/))),
    authorisation: v.optional(v.pipe(line(20), v.minLength(1))),
    balanceShown: v.optional(pesos),
  }),
  reply: envelope(counterReceipt),
  refusals: TAKE_REFUSALS,
});

export const findPayment = defineEndpoint({
  name: 'findPayment',
  summary:
    'The receipt of what was taken under the `id` that its device made. NOT_FOUND: nothing is booked under it, and the same call of `takePayment` may be made again.',
  method: 'GET',
  path: '/v1/counter/payments/:id',
  access: ['staff'],
  act: 'see_receipt',
  params: v.object({ id: uuid }),
  reply: envelope(counterReceipt),
  refusals: ['NOT_FOUND'],
});

export const dropPayment = defineEndpoint({
  name: 'dropPayment',
  summary:
    'Gives a press up whose money was not received: nothing is booked under its `id` any more, however late its call still comes. Answers the receipt of one that was booked after all, which stays.',
  method: 'POST',
  path: '/v1/counter/payments/:id/drop',
  access: ['staff'],
  act: 'take_payment',
  params: v.object({ id: uuid }),
  body: v.object({ branchId: idField }),
  reply: envelope(v.nullable(counterReceipt)),
  refusals: ['NOT_FOUND'],
});

export const reversePayment = defineEndpoint({
  name: 'reversePayment',
  summary:
    'Takes a payment of the counter back on its day of Mexico City, with a reason, once per `id`. One that is reversed already answers its receipt, whose `reversal.id` says by which press.',
  method: 'POST',
  path: '/v1/counter/receipts/:folio/reverse',
  access: ['staff'],
  act: 'reverse_payment',
  params: v.object({ folio: folioParam }),
  // A screen of the version before names no press.
  body: v.object({ id: v.optional(uuid), reason: v.pipe(line(200), v.minLength(3)) }),
  reply: envelope(counterReceipt),
  refusals: ['NOT_FOUND', 'NOT_REVERSIBLE', 'PRESS_DROPPED'],
});

export const dropReversal = defineEndpoint({
  name: 'dropReversal',
  summary:
    'Gives a press of `reversePayment` up by which nothing was given back: it takes nothing back any more, however late its call still comes. Answers the receipt of one that did after all.',
  method: 'POST',
  path: '/v1/counter/receipts/:folio/reverse/drop',
  access: ['staff'],
  // Whoever pressed, in any later role.
  act: 'see_receipt',
  params: v.object({ folio: folioParam }),
  body: v.object({ id: uuid }),
  reply: envelope(v.nullable(counterReceipt)),
  refusals: ['NOT_FOUND'],
});

export const payRefund = defineEndpoint({
  name: 'payRefund',
  summary:
    "Says that a refund owed in cash was handed over, out of the caller's drawer in a branch, once per `id`; what the shop's own terminal took, perhaps on that. Any refund of the merchant's, for the amount that was shown.",
  method: 'POST',
  path: '/v1/counter/refunds/:refundId/pay',
  access: ['staff'],
  act: 'pay_refund',
  params: v.object({ refundId: idParam }),
  body: v.object({
    id: uuid,
    branchId: idField,
    amount: pesos,
    // A screen of the version before asks for cash, and names nothing.
    method: v.optional(v.picklist(['cash', 'terminal']), 'cash'),
  }),
  reply: envelope(shopRefund),
  refusals: [
    'NOT_FOUND',
    'REFUND_DONE',
    'REFUND_TAKEN_BACK',
    'AMOUNT_CHANGED',
    'INTENT_CONFLICT',
    'PRESS_DROPPED',
  ],
});

export const dropRefund = defineEndpoint({
  name: 'dropRefund',
  summary:
    'Gives a press of `payRefund` up by which nothing was handed over: nothing is written by it any more, however late its call still comes. Answers the refund of one that was written after all.',
  method: 'POST',
  path: '/v1/counter/refunds/:refundId/pay/drop',
  access: ['staff'],
  // Whoever pressed, in any later role.
  act: 'see_receipt',
  params: v.object({ refundId: idParam }),
  body: v.object({ id: uuid }),
  reply: envelope(v.nullable(shopRefund)),
  refusals: ['NOT_FOUND'],
});

export const findPaidRefund = defineEndpoint({
  name: 'findPaidRefund',
  summary:
    "The refund that the caller's press of this `id` handed over, as it stands; null while nothing is written of it, and the same call of `payRefund` may be made again.",
  method: 'GET',
  path: '/v1/counter/refunds/paid/:id',
  access: ['staff'],
  act: 'see_receipt',
  params: v.object({ id: uuid }),
  // A server of the version before has no such path: that it says NOT_FOUND says nothing of the press.
  reply: envelope(v.nullable(shopRefund)),
  refusals: [],
});

export const getCounterReceipt = defineEndpoint({
  name: 'getCounterReceipt',
  summary: 'The receipt of a payment that was taken at a counter.',
  method: 'GET',
  path: '/v1/counter/receipts/:folio',
  access: ['staff'],
  act: 'see_receipt',
  params: v.object({ folio: folioParam }),
  reply: envelope(counterReceipt),
  refusals: ['NOT_FOUND'],
});
