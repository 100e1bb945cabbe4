import { refusalBody } from '@aparta/contract/endpoint';
import * as v from 'valibot';
import { isRefusalCode } from '../copy/refusals.ts';
import type { Failure } from './api-error.ts';

/** What a reply that is not a success says. */
export function refusal(status: number, retryAfter: string | null, reply: unknown): Failure {
  const parsed = v.safeParse(refusalBody, reply);
  if (!parsed.success || !isRefusalCode(parsed.output.code)) return { kind: 'nonsense', status };
  const seconds = Number(retryAfter ?? Number.NaN);
  return {
    kind: 'refused',
    code: parsed.output.code,
    status,
    fields: parsed.output.fields ?? {},
    facts: parsed.output.facts ?? {},
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  };
}
