import type { Endpoint } from '@aparta/contract/endpoint';
import { REFUSALS } from '@aparta/contract/refusals';
import { TILL_ERRORS, type TillReply } from '@aparta/contract/tills';
import type { FastifyError } from 'fastify';

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
 * Any error as a refusal. What is neither ours nor the framework's is INTERNAL, unless it says itself that the path leads
 * nowhere: the file server throws such.
 */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { code, statusCode } = error instanceof Error ? (error as Partial<FastifyError>) : {};
  const known = FRAMEWORK_REFUSALS[code ?? '']?.();
  if (known !== undefined) return known;
  return new Refusal(statusCode !== undefined && NOWHERE.has(statusCode) ? 'NOT_FOUND' : 'INTERNAL');
}

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
  if (form === 'till') return { status: tillStatus(status), headers, body: tillRefusal(refusal) };
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
function tillStatus(status: number): number {
  return status === 401 || status === 403 || status === 405 ? status : 200;
}

function tillRefusal({ code }: Refusal): TillReply {
  return {
    error: TILL_ERRORS.internal,
    mensaje: TILL_MESSAGES[code] ?? 'Error interno, reintente',
    autorizacion: '',
  };
}

/** What a cashier can do about it. */
const TILL_MESSAGES: Partial<Record<Refusal['code'], string>> = {
  INVALID_INPUT: 'Solicitud incorrecta',
  UNSUPPORTED_BODY: 'Solicitud incorrecta',
  BODY_TOO_LARGE: 'Solicitud incorrecta',
  SESSION_DEAD: 'Sesión vencida, inicie de nuevo',
  NOT_ALLOWED: 'Sin permiso para esta operación',
  TOO_MANY: 'Demasiadas solicitudes, espere un momento',
};
