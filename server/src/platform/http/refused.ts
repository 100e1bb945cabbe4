import type { Endpoint } from '@aparta/contract/endpoint';
import { REFUSALS, type RefusalCode } from '@aparta/contract/refusals';
import { TILL_ERRORS, type TillError, type TillReply } from '@aparta/contract/tills';
import type { FastifyError } from 'fastify';

import { busy } from '../db/admission.ts';
import { isDatabaseAway, isDatabaseCrowded } from '../db/outage.ts';
import { Refusal } from '../refusal.ts';
import { REFUSAL_STATUS } from './refusal-status.ts';

/** A refusal as it goes out. */
export interface RefusedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Framework and body-parser errors, by their code; the framework's own words are not passed on. */
const FRAMEWORK_REFUSALS: Readonly<Record<string, () => Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Refusal('BODY_TOO_LARGE'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Refusal('UNSUPPORTED_BODY'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Refusal('INVALID_INPUT', { fields: { body: 'wrong length' } }),
  FST_ERR_BAD_URL: () => new Refusal('NOT_FOUND'),
  FST_ERR_MAX_PARAM_LENGTH: () => new Refusal('NOT_FOUND'),
};

/**
 * Any error as a refusal. What is neither ours, the database's absence nor the framework's is INTERNAL, unless it says itself
 * that the path leads nowhere: the file server throws such. `mayBeDone`: the call has committed something, or perhaps; then
 * nobody is told that nothing was done.
 */
export function asRefusal(error: unknown, mayBeDone = false): Refusal {
  if (isDatabaseAway(error)) return new Refusal(mayBeDone ? 'TOO_SLOW' : 'DATABASE_AWAY');
  if (error === busy || isDatabaseCrowded(error)) return mayBeDone ? new Refusal('TOO_SLOW') : BUSY;
  if (error instanceof Refusal) return error;
  const { code, statusCode } = error instanceof Error ? (error as Partial<FastifyError>) : {};
  const known = FRAMEWORK_REFUSALS[code ?? '']?.();
  if (known !== undefined) return known;
  return new Refusal(statusCode !== undefined && NOWHERE.has(statusCode) ? 'NOT_FOUND' : 'INTERNAL');
}

/** One for all, like what it stands for. */
const BUSY = new Refusal('BUSY', { retryAfterSeconds: 1 });

const NOWHERE: ReadonlySet<number> = new Set([400, 403, 404]);

/** The reply to a refused call: the envelope, or a till's own form (rules/wire#envelope). */
export function refusedReply(
  refusal: Refusal,
  requestId: string,
  form: Endpoint['refusalForm'],
): RefusedReply {
  const { retryAfterSeconds, fields, ...facts } = refusal.facts;
  const status = REFUSAL_STATUS[refusal.code];
  const wait = retryAfterSeconds ?? (status === 503 ? 5 : undefined);
  const headers: Record<string, string> =
    wait === undefined ? {} : { 'retry-after': String(Math.ceil(wait)) };
  if (form === 'till')
    return { status: TILL_STATUSES.has(status) ? status : 200, headers, body: tillRefusal(refusal) };
  return {
    status,
    headers,
    body: {
      isSuccess: false,
      code: refusal.code,
      message: REFUSALS[refusal.code],
      data: null,
      ...(status >= 500 && { requestId }),
      ...(fields && { fields }),
      ...(Object.keys(facts).length > 0 && { facts }),
    },
  };
}

/** A till that is signed in reads `error` alone, so its refusals are HTTP 200. */
const TILL_STATUSES: ReadonlySet<number> = new Set([401, 403, 405]);

/** What a till may do about it: `busy` says that nothing was booked, `malformed` that repeating it helps nobody. */
const TILL_REFUSALS: Partial<Record<RefusalCode, readonly [TillError, string]>> = {
  BUSY: [TILL_ERRORS.busy, 'Ocupado, no se cobró, repite'],
  DATABASE_AWAY: [TILL_ERRORS.busy, 'Ocupado, no se cobró, repite'],
  UNAVAILABLE: [TILL_ERRORS.busy, 'Ocupado, no se cobró, repite'],
  TOO_MANY: [TILL_ERRORS.busy, 'Demasiadas solicitudes, no se cobró, repite en un momento'],
  INVALID_INPUT: [TILL_ERRORS.malformed, 'Solicitud incorrecta'],
  UNSUPPORTED_BODY: [TILL_ERRORS.malformed, 'Solicitud incorrecta: el cuerpo debe ser JSON'],
  BODY_TOO_LARGE: [TILL_ERRORS.malformed, 'Solicitud incorrecta: el cuerpo es demasiado grande'],
  METHOD_NOT_ALLOWED: [TILL_ERRORS.malformed, 'Método incorrecto: use POST'],
  NOT_FOUND: [TILL_ERRORS.malformed, 'Esa operación no existe'],
  SESSION_DEAD: [TILL_ERRORS.malformed, 'Sesión vencida, inicie de nuevo'],
  NOT_ALLOWED: [TILL_ERRORS.malformed, 'Sin permiso para esta operación'],
};

function tillRefusal({ code, facts }: Refusal): TillReply {
  const [error, sentence] = TILL_REFUSALS[code] ?? [
    TILL_ERRORS.internal,
    'No se pudo procesar. No entregues comprobante y consulta la operación.',
  ];
  const fields = Object.keys(facts.fields ?? {});
  // `body`: the whole of it, which a cashier has no name for.
  const wrong = fields.includes('body') ? 'el cuerpo no se entiende' : `revise ${fields.join(', ')}`;
  const mensaje = fields.length === 0 ? sentence : `${sentence}: ${wrong}`;
  return { error, mensaje, autorizacion: '' };
}
