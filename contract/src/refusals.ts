/** What the server refuses to buyers, service accounts and anybody, each with its meaning. The web's copy must cover it by type. */
const BUYER_REFUSALS = {
  // Any endpoint
  INVALID_INPUT: 'A field of the request is missing or not acceptable; `fields` names it.',
  SESSION_DEAD: 'There is no session, or it has ended.',
  NOT_ALLOWED: 'This kind of credential does not reach this call.',
  NOT_FOUND: 'It does not exist, or it is not yours.',
  TOO_MANY: 'Too many tries; wait as long as `Retry-After` says.',
  METHOD_NOT_ALLOWED: 'The path exists, but not with this method.',
  BODY_TOO_LARGE: 'The body is larger than this call accepts.',
  UNSUPPORTED_BODY: 'The body is not JSON.',
  TOO_SLOW:
    'The call took longer than its limit, or the database went away while it was saving; look again before repeating it.',
  BUSY: 'Too much is asked of the server at once. Nothing was done; repeat the same call after `Retry-After`.',
  DATABASE_AWAY: 'The database does not answer. Nothing was done; repeat the same call after `Retry-After`.',
  UNAVAILABLE: 'The server cannot serve this now; try again shortly.',
  INTERNAL: 'Something failed on the server; the request id finds it in the logs.',

  // Account
  WRONG_CREDENTIALS: 'The user or the password is wrong.',
  EMAIL_TAKEN: 'An account with this email address exists.',
  WRONG_PASSWORD: 'The signed-in person gave another password than theirs; the session goes on.',
  PASSWORD_TOO_SHORT: 'The password has fewer than 8 characters.',
  PASSWORD_TOO_LONG: 'The password has more than 128 characters.',
  PASSWORD_TOO_COMMON: 'The password is among the ones that everybody tries first.',
  RESET_CODE_DEAD: 'The one-time code is wrong, used, replaced or expired; a new email brings a new one.',
  TERMS_NOT_ACCEPTED: 'The terms must be accepted to open an account.',
  TERMS_CHANGED: 'The terms that were shown are not in force; `facts.version` names those that are.',
  CONFIRMATION_DEAD: 'The link that confirms an email address is wrong, used, replaced or expired.',

  // Layaway
  NOT_A_LAYAWAY: 'The reference is not one for making a layaway.',
  NOT_ON_SALE: 'The product is not offered any more.',
  SOLD_OUT: 'The shop counts this product, and no unit of it is left. Nothing was charged.',
  RECENTLY_RESERVED:
    'The buyer reserved this product in the last 24 hours; send `repeat` to reserve it again.',
  REFERENCE_EXPIRED: 'The reference has expired.',
  REFERENCE_PAID: 'The reference is already paid.',
  REFERENCE_CANCELLED: 'The reference was cancelled.',

  // Card payments
  AMOUNT_CHANGED: 'The amount shown is not the amount to pay; `facts.amount` is the current one.',
  ATTEMPT_OPEN: 'A payment of this is still open; `facts` carries its id and state.',
  INTENT_CONFLICT: 'This `intentoId` was already used with other content.',
  CARDS_NOT_ACCEPTED: 'The merchant has no card payments configured.',
  MERCHANT_MISCONFIGURED: "The merchant's card configuration does not work.",
  PROVIDER_DOWN: 'The payment provider does not answer; nothing was charged.',
  TOO_MANY_REJECTIONS: 'Too many rejected payments; wait as long as `Retry-After` says.',
  CONFIRM_EMAIL_FIRST: 'No more card payments today before the email address is confirmed.',

  // Purchases
  PURCHASE_CANCELLED: 'The purchase is cancelled.',
  PURCHASE_SETTLED: 'Everything of it is paid already.',
  PUSH_NOT_TAKEN: 'Nothing is pushed here, or the address or keys are of no push service that we know.',
  TOO_MANY_LINKS: 'The purchase has three live help links; end one before you make another.',
  NOT_PAID_OFF: 'Something of it is still to be paid.',
  HANDED_OVER: 'The goods were handed over already.',
  CLAIM_TOO_EARLY: 'The shop may still hand it over in time; `facts.day` is the last day of its promise.',
  CLAIM_ENDED: 'The claim has ended.',
  QUOTE_CHANGED: 'Cancelling gives back another sum now; `facts.refund` is the current one.',
  PLAN_CHANGED: 'The plan is not the one that was shown; read the purchase again.',
  NOT_MOVABLE: 'The rule of the merchant does not allow this change; `facts.problem` says why.',
  CASH_REFERENCE_REFUSED: 'The cash network gives no reference for this sum.',
  TOO_LATE_FOR_STORES: 'The plan may end by its rule today: a number for stores would outlive it.',

  // Invoices
  FISCAL_DATA_WRONG:
    'SAT would not take these data; `fields` names each wrong one and what is wrong with it.',
  FISCAL_CLIENT_EXISTS: 'The buyer has a tax identity with this RFC already.',
  FISCAL_CLIENTS_FULL: 'The buyer has as many tax identities as may be kept; `facts.most` is how many.',
  FISCAL_CLIENT_IN_USE: 'An invoice with these data is in process: correct them, or wait for it.',
  NOT_INVOICEABLE: 'Only a fully paid instalment of an active purchase can be invoiced.',
  INVOICING_NOT_OFFERED: 'The merchant has no invoicing configured.',
  INVOICE_TOO_LATE:
    'The merchant takes no more requests for an invoice of that month; `facts` carries until when it did, and whom to ask.',
  INVOICE_OTHER_RFC:
    'The instalment has an invoice already, issued or in process, with another RFC: `facts` carries which, and whom to ask.',
  INVOICE_REFUSED:
    'SAT or the invoicing provider refused; `facts` carries the field at fault and their words.',
} as const satisfies Record<string, string>;

export type BuyerRefusalCode = keyof typeof BUYER_REFUSALS;

/** What it refuses to the people of a shop alone. */
const COUNTER_REFUSALS = {
  ROLE_NOT_ALLOWED: 'The role of the signed-in person does not include this act.',
  INVITATION_DEAD:
    'The invitation is wrong, used, replaced, withdrawn or expired; a new one brings a new link.',
  STAFF_EXISTS: 'This email address has a position at the merchant already.',
  OVER_CAP: 'The branch or the shop has taken as much today as it may; nothing was taken.',
  PAYMENT_REVERSED: 'The payment of this `id` was taken back; a new one has a new `id`.',
  NOT_REVERSIBLE:
    'It is not of today, was invoiced or handed on, its purchase ended, or other money of it came after.',
  PRESS_DROPPED:
    'Its person said that this press gave nothing back: it changes nothing any more, and another has a new `id`.',
  REFUND_DONE: 'The refund is owed no more: it was handed over, or the money went back another way.',
  REFUND_TAKEN_BACK:
    'Whoever paid may have their money back already, by the store or their card: nothing is handed over until the operator booked that.',
  PAYMENT_TAKEN_BACK:
    'Money of the purchase may have gone back, by the store or a card: nothing is handed over until the operator has seen to it.',
  PICKUP_WRONG: 'These digits are no pickup code of this purchase.',
  PICKUP_LOCKED: 'Five wrong tries: only a new code of the buyer opens it.',
  PICKUP_REPLACED: 'The buyer replaced this pickup code by another.',
  PICKUP_EXPIRED: 'The pickup code has ended; the buyer sees a new one as soon as they look.',
  CUT_CHANGED: 'What is in the drawer is not what was seen: more was taken or given back, or it was cut.',
  PRODUCT_CHANGED: 'Somebody else changed the product since it was read; read it again.',
  NOT_KEPT: 'Nothing is kept for that number: it is not counted, was handed over, or went back on sale.',
  KEPT_ELSEWHERE: 'Another branch keeps it; `branch` says which.',
  UNITS_CHANGED:
    'There are not as many units as the count was made over; `free` says how many. Nothing changed.',
  SKU_TAKEN: 'Another product of the merchant has this code, in any case.',
  PICTURE_UNREADABLE: 'It is no JPEG, PNG or WebP that can be read; HEIC and SVG are none.',
  PICTURE_TOO_LARGE: 'The picture has more than 8 MB or 50 million pixels.',
  PRICE_WITHOUT_PLAN: "The merchant's plan cannot divide this price.",
  LAST_OWNER: 'It is the only owner that the merchant has.',
  OWN_SESSION_NEEDED: 'The session was opened by PIN on a shared device; this asks for one of their own.',
  PASSWORD_NEEDED: 'The session is older than 10 minutes; this asks for the password again.',
  PASSKEY_REFUSED:
    'The passkey is unknown, removed or of nobody who works here, or what it signed is not what was asked of it just now.',
  PASSKEY_NEEDED:
    'A merchant of which the person is an owner asks for a passkey: sign in with it, or add the first one.',
  PASSKEY_FIRST: 'This is set in a session that a passkey opened.',
  PASSKEYS_FULL: 'The person has as many passkeys as may be kept.',
  LAST_PASSKEY: 'It is the only passkey of an owner whose merchant asks for one.',
  ENROLMENT_DEAD: 'The code that enrols a device is wrong, used or expired.',
  DEVICE_DEAD: 'The device is not enrolled, or not any more.',
  PIN_NOT_SET: 'The person has no PIN yet; their password sets one.',
  PIN_TOO_EASY: 'The PIN is among those that everybody tries first.',
  WRONG_PIN: 'The PIN is wrong; `facts.left` is how many tries are left on this device.',
  PIN_LOCKED: 'Five wrong PINs: a manager or owner lifts it for this device.',
} as const satisfies Record<string, string>;

/** The closed list; the HTTP status of each is the server's affair (`server/src/platform/http/refusal-status.ts`). */
export const REFUSALS = { ...BUYER_REFUSALS, ...COUNTER_REFUSALS };

export type RefusalCode = keyof typeof REFUSALS;

export const REFUSAL_CODES = Object.keys(REFUSALS) as RefusalCode[];
