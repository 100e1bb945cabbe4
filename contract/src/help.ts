import { LONGEST_HELP_MESSAGE, LONGEST_HELPER_NAME } from '@aparta/domain/help';
import { LONGEST_PROOF } from '@aparta/domain/work-proof';
import * as v from 'valibot';

import { pesos } from './amount.ts';
import { emailAddress } from './email-address.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { cardPayment } from './payments.ts';
import { productPictures } from './pictures.ts';
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
    helperName: v.pipe(line(LONGEST_HELPER_NAME), v.minLength(2)),
    helperEmail: emailAddress,
    payment_method: v.object({ token: v.pipe(line(200), v.minLength(1)) }),
    prevention_data: v.optional(
      v.object({ session_id: v.optional(line(100)), user_agent: v.optional(line(400)) }),
      {},
    ),
    intentoId: uuid,
    /** The try whose hash shows the work (`domain/src/work-proof.ts`). */
    workProof: v.pipe(line(LONGEST_PROOF), v.regex(/^\d+$/)),
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
