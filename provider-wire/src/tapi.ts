/**
 * Tapi's wire, as far as it is known: sign-in, cash references, operations, payment notices.
 *
 * Known from Tapi's documentation and its integrators: the sign-in, the keys per service, the error envelope,
 * `GET /operation/{operationId}`, that the key of references creates and retrieves them at `/reference`, and how notices
 * of bill payments are answered and repeated. The body of POST /reference and `references[0].value` are those of spec §7.
 *
 * Not found anywhere, so assumed here and nowhere else; to be settled with Tapi before going live:
 * - `debtExpirationDate` is a day, `YYYY-MM-DD`, at whose end in Mexico City the reference expires;
 * - the same `externalRequestId` with the same body answers the reference that it already has;
 * - `references[0].value` is what the store scans, with nothing around it;
 * - every field of a notice ({@link operation}), `reversed` with `reversedOperationId`, and how `hash` is made (it is not
 *   read);
 * - the lookup of an operation takes the key of references, and answers the fields of the notice;
 * - a reference is retrieved by our own id, named as the lookup of bill payments names a client's id, and with its operations
 *   ({@link referenceState});
 * - the limits of an amount and of the expiry.
 *
 * - https://www.tapila.dev/api-reference/login (sign-in)
 * - https://docs.gr4vy.com/connections/payments/mattilda-tapi (what references need)
 */
import { pesosToCentavos } from '@aparta/domain/money';
import * as v from 'valibot';

// --- Headers --------------------------------------------------------------------------------------------

/** Each service of Tapi has a key of its own. Notices carry the one that we gave Tapi. */
export const apiKeyHeader = 'x-api-key';

/** The `accessToken` of the sign-in, on every call but that one. */
export const tokenHeader = 'x-authorization-token';

// --- POST {login base}/login ----------------------------------------------------------------------------

export const loginRequest = v.object({
  clientUsername: v.string(),
  password: v.string(),
});
export type LoginRequest = v.InferOutput<typeof loginRequest>;

/** `refreshToken` comes too and is of no use: its endpoint answers 403. Several tokens may live at once. */
export const loginReply = v.looseObject({ accessToken: v.pipe(v.string(), v.nonEmpty()) });
export type LoginReply = v.InferOutput<typeof loginReply>;

const jwtPayload = v.pipe(v.string(), v.parseJson(), v.looseObject({ exp: v.pipe(v.number(), v.finite()) }));

/** When an access token dies: the `exp` of its payload. Undefined when it cannot be read. */
export function accessTokenExpiry(accessToken: string): Date | undefined {
  const payload = v.safeParse(jwtPayload, decodeBase64Url(accessToken.split('.')[1] ?? ''));
  return payload.success ? new Date(payload.output.exp * 1_000) : undefined;
}

function decodeBase64Url(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

// --- POST {API base}/reference --------------------------------------------------------------------------

const isAmount = (pesos: number): boolean => pesosToCentavos(pesos) !== undefined;

/** Body of POST /reference (spec §7). OPEN: the amount is what is due, and the store may take another. */
export const referenceRequest = v.object({
  generationData: v.pipe(
    v.array(v.object({ modalityId: v.string(), identifierName: v.string(), identifierValue: v.string() })),
    v.minLength(1),
  ),
  additionalData: v.object({ email: v.string(), debtExpirationDate: v.pipe(v.string(), v.isoDate()) }),
  externalRequestId: v.pipe(v.string(), v.uuid()),
  companyCode: v.string(),
  externalClientId: v.string(),
  amountType: v.literal('OPEN'),
  /** Pesos. */
  amount: v.pipe(v.number(), v.gtValue(0), v.check(isAmount, 'pesos with at most 2 decimals')),
  currency: v.literal('MXN'),
});
export type ReferenceRequest = v.InferOutput<typeof referenceRequest>;

export const referenceReply = v.looseObject({
  references: v.pipe(
    v.array(v.looseObject({ value: v.pipe(v.string(), v.trim(), v.minLength(4), v.maxLength(60)) })),
    v.minLength(1),
  ),
});
export type ReferenceReply = v.InferOutput<typeof referenceReply>;

// --- GET {API base}/operation/{operationId} and the notice ----------------------------------------------

/** The known statuses. On the wire it is a string: a new one must not make a payment unreadable. */
export const operationStatuses = ['processing', 'confirmed', 'failed', 'reversed'] as const;
export type OperationStatus = (typeof operationStatuses)[number];

/** A field that must not make the rest unreadable when it is not what was assumed. */
const textOrNothing = v.fallback(v.optional(v.string()), undefined);

/**
 * Theirs are UUIDs. Operators read it, type it and find it in the logs, so what is no plain word is not taken: an operation without
 * a number cannot be asked about.
 */
const operationId = v.pipe(v.string(), v.regex(/^\w[\w.:-]{0,99}$/));
const idOrNothing = v.fallback(v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(100))), undefined);

/**
 * One operation at a store, as its lookup answers it and as its notice carries it. Only its number and its status must
 * be there; what else is missing or odd is left out, for it must be told apart from no notice at all.
 */
export const operation = v.looseObject({
  operationId,
  status: v.string(),
  /** `references[0].value`, as the store took it. */
  reference: textOrNothing,
  externalRequestId: textOrNothing,
  externalClientId: textOrNothing,
  companyCode: textOrNothing,
  /** Pesos. */
  amount: v.fallback(v.optional(v.pipe(v.number(), v.check(isAmount, 'pesos'))), undefined),
  currency: textOrNothing,
  /** ISO-8601 with its offset. */
  paidAt: textOrNothing,
  /** The chain. */
  store: textOrNothing,
  /** Who took the money in it. */
  agent: textOrNothing,
  hash: textOrNothing,
  /** Of a reversal, which has a number of its own: the operation that it takes back. */
  reversedOperationId: idOrNothing,
});
export type Operation = v.InferOutput<typeof operation>;

/**
 * What a notice is answered, with 200; anything else brings it again, up to 3 times in all. It may come again after
 * that too. It carries our key in {@link apiKeyHeader}.
 */
export const noticeReply = { status: 'Confirm' } as const;

// --- GET {API base}/reference/{externalRequestId}?type=external-request-id -------------------------------

/** A reference with all that stores did with it. An operation that cannot be read is null, so that it hides no other. */
export const referenceState = v.looseObject({
  externalRequestId: v.string(),
  operations: v.array(v.fallback(v.nullable(operation), null)),
});
export type ReferenceState = v.InferOutput<typeof referenceState>;

// --- Errors ---------------------------------------------------------------------------------------------

export const errorBody = v.looseObject({ message: v.nullish(v.string()), code: v.nullish(v.string()) });
export type ErrorBody = v.InferOutput<typeof errorBody>;

/** `code` of a sign-in with a wrong user or password (401). A wrong key is a 403. */
export const badCredentialsCode = 'ALO04140';
