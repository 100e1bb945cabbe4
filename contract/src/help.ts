import { LONGEST_HELP_MESSAGE, LONGEST_HELPER_NAME } from '@aparta/domain/help';
import { LONGEST_PROOF } from '@aparta/domain/work-proof';
import * as v from 'valibot';

import { pesos } from './amount.ts';
import { emailAddress } from './email-address.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { cardPayment } from './payments.ts';
import { productPictures } from './pictures.ts';
import { nameLine } from './name-line.ts';
import { idParam, line, moment, uuid } from './text.ts';

/** A link by which anybody helps to pay a purchase, as its buyer sees it. */
export const helpLink = v.object({
  linkId: uuid,
  /** What the link carries; null once nobody can pay by it. */
  helpCode: v.nullable(v.string()),
  helpMessage: v.string(),
  goal: v.nullable(pesos),
  helpState: v.picklist(['live', 'expired', 'revoked', 'closed']),
  createdAt: moment,
  expiresAt: moment,
  helped: pesos,
  /** The newest first. */
  helps: v.array(v.object({ helperName: v.string(), amount: pesos, paidAt: moment })),
});
export type HelpLink = v.InferOutput<typeof helpLink>;

/** What a code is: of one form, whoever wrote it. */
const helpCode = line(64);
const helperName = v.pipe(nameLine(LONGEST_HELPER_NAME), v.minLength(2));
/** The try whose hash shows the work (`domain/src/work-proof.ts`). */
const workProof = v.pipe(line(LONGEST_PROOF), v.regex(/^\d+$/));

export const listHelpLinks = defineEndpoint({
  name: 'listHelpLinks',
  summary: 'The links by which others help to pay a purchase, and what they gave; the newest first.',
  method: 'GET',
  path: '/v1/Sales/HelpLinksAsync/:saleId',
  access: ['buyer'],
  params: v.object({ saleId: idParam }),
  reply: envelope(v.array(helpLink)),
  refusals: ['NOT_FOUND'],
});

export const makeHelpLink = defineEndpoint({
  name: 'makeHelpLink',
  summary: 'Makes a link by which anybody helps to pay a purchase, for 30 days; answers all its links.',
  method: 'POST',
  path: '/v1/Sales/HelpLinkAsync/:saleId',
  access: ['buyer'],
  params: v.object({ saleId: idParam }),
  body: v.object({
    helpMessage: v.optional(line(LONGEST_HELP_MESSAGE), ''),
    goal: v.optional(v.nullable(v.pipe(pesos, v.minValue(1))), null),
  }),
  reply: envelope(v.array(helpLink)),
  refusals: ['NOT_FOUND', 'PURCHASE_CANCELLED', 'PURCHASE_SETTLED', 'TOO_MANY_LINKS'],
});

export const revokeHelpLink = defineEndpoint({
  name: 'revokeHelpLink',
  summary: 'Ends a link. What is under way by it may still arrive. Repeated, it answers the same.',
  method: 'PUT',
  path: '/v1/Sales/HelpLinkRevokeAsync/:saleId',
  access: ['buyer'],
  params: v.object({ saleId: idParam }),
  body: v.object({ linkId: uuid }),
  reply: envelope(v.array(helpLink)),
  refusals: ['NOT_FOUND'],
});

/** What a helper reads of the purchase that they help to pay. */
export const helped = v.object({
  /** The buyer's first name. */
  firstName: v.string(),
  productName: v.string(),
  pictures: productPictures,
  tradeName: v.string(),
  helpMessage: v.string(),
  goal: v.nullable(pesos),
  /** What of the goal is still wanted. */
  goalLeft: v.nullable(pesos),
  /** What came by this link, without fees. */
  helped: pesos,
  /** Any sum from `least` to `most` is taken; both are 0 once everything is paid. */
  least: pesos,
  most: pesos,
  cardFee: pesos,
  /** The same at a store. */
  storeFee: pesos,
  /** The most that a store takes at once, fee inside. */
  storeMost: pesos,
  /** What the shop may keep, at most, if the buyer cancels: of the buyer's own money first. */
  penalty: pesos,
  acceptsCards: v.boolean(),
  cardKey: v.string(),
});
export type Helped = v.InferOutput<typeof helped>;

export const readHelp = defineEndpoint({
  name: 'readHelp',
  summary: 'What a help link asks for. One that was revoked, expired or invented answers the same.',
  method: 'POST',
  path: '/v1/Help/ReadAsync',
  access: 'public',
  body: v.object({ helpCode }),
  reply: envelope(helped),
  refusals: ['NOT_FOUND'],
});

/** A helper's payment: nothing of the purchase, and nothing of its buyer. */
export const helpPayment = v.pick(cardPayment, [
  'intentoId',
  'state',
  'pending_action',
  'amount',
  'folio',
  'paidAt',
  'card',
  'createdAt',
  'advice',
  'refund',
]);
export type HelpPayment = v.InferOutput<typeof helpPayment>;

export const payHelp = defineEndpoint({
  name: 'payHelp',
  summary:
    'Pays by a help link with a card token, always with 3DS; safe to repeat with the same `intentoId` and body.',
  method: 'POST',
  path: '/v1/Help/PayAsync',
  access: 'public',
  body: v.object({
    helpCode,
    /** The total that the helper was shown, fee included. The server computes its own and compares. */
    amount: v.pipe(pesos, v.minValue(0.01)),
    helperName,
    helperEmail: emailAddress,
    payment_method: v.object({ token: v.pipe(line(200), v.minLength(1)) }),
    prevention_data: v.optional(
      v.object({ session_id: v.optional(line(100)), user_agent: v.optional(line(400)) }),
      {},
    ),
    intentoId: uuid,
    workProof,
  }),
  reply: envelope(helpPayment),
  refusals: [
    'NOT_FOUND',
    'AMOUNT_CHANGED',
    'INTENT_CONFLICT',
    'PURCHASE_SETTLED',
    'CARDS_NOT_ACCEPTED',
    'MERCHANT_MISCONFIGURED',
    'TOO_MANY_REJECTIONS',
    'PROVIDER_DOWN',
  ],
});

export const getHelpPayment = defineEndpoint({
  name: 'getHelpPayment',
  summary: "A helper's payment by the id that their browser made, after one more poll of the provider.",
  method: 'POST',
  path: '/v1/Help/PaymentAsync',
  access: 'public',
  body: v.object({ intentoId: uuid }),
  reply: envelope(helpPayment),
  refusals: ['NOT_FOUND'],
});

/** A number that a helper takes to a store, and what became of it: nothing of the plan, and nothing of its buyer but the first name. */
export const helpReference = v.object({
  intentoId: uuid,
  /**
   * `over`: nobody should pay by it any more (its time is over, its link ended, or nothing is owed); what a store takes all the same
   * is applied or owed back. `owed_back`: none of it could be applied. `reversed`: the store took all of it back.
   */
  storeState: v.picklist(['waiting', 'over', 'paid', 'owed_back', 'reversed']),
  /** For people; null until Tapi gave one. */
  reference: v.nullable(v.string()),
  /** What the bar code carries, as Code 128. */
  barcode: v.nullable(v.string()),
  /** What the store is asked to take, with the fee in it. */
  amount: pesos,
  fee: pesos,
  /** Whether more is asked for by now than the purchase owes: the rest would be owed back in cash. */
  tooMuch: v.boolean(),
  expiresAt: moment,
  firstName: v.string(),
  productName: v.string(),
  /** A number that a device has kept from before says none. */
  pictures: v.optional(productPictures, null),
  tradeName: v.string(),
  stores: v.array(v.object({ name: v.string(), limit: pesos })),
  /** Of all that came by it and stands; folio and moment are of the newest. */
  given: pesos,
  folio: v.nullable(v.string()),
  paidAt: v.nullable(moment),
  /** What the shop owes in cash, or has handed over. */
  owedBack: pesos,
  handedOver: v.boolean(),
  /** Each of them, the first first: a number may be paid again. */
  payments: v.optional(
    v.array(
      v.object({
        folio: v.string(),
        amount: pesos,
        paidAt: moment,
        owedBack: pesos,
        handedOver: v.boolean(),
      }),
    ),
    [],
  ),
});
export type HelpReference = v.InferOutput<typeof helpReference>;

export const helpAtStore = defineEndpoint({
  name: 'helpAtStore',
  summary:
    'A number by which stores take what a helper gives by a link, for two days; the same `intentoId` and body get the same one.',
  method: 'POST',
  path: '/v1/Help/StoreReferenceAsync',
  access: 'public',
  body: v.object({
    helpCode,
    /** The total that the helper was shown, fee included. The server computes its own and compares. */
    amount: v.pipe(pesos, v.minValue(0.01)),
    helperName,
    helperEmail: emailAddress,
    intentoId: uuid,
    workProof,
  }),
  reply: envelope(helpReference),
  refusals: [
    'NOT_FOUND',
    'AMOUNT_CHANGED',
    'INTENT_CONFLICT',
    'PURCHASE_SETTLED',
    'TOO_LATE_FOR_STORES',
    'TOO_MANY',
    'CASH_REFERENCE_REFUSED',
    'PROVIDER_DOWN',
  ],
});

export const getHelpReference = defineEndpoint({
  name: 'getHelpReference',
  summary: "What became of a helper's number for stores, by the id that their browser made.",
  method: 'POST',
  path: '/v1/Help/StorePaymentAsync',
  access: 'public',
  body: v.object({ intentoId: uuid }),
  reply: envelope(helpReference),
  refusals: ['NOT_FOUND'],
});
