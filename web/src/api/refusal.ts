import { refusalBody } from '@aparta/contract/endpoint';
import type { BuyerRefusalCode as RefusalCode } from '@aparta/contract/refusals';
import * as v from 'valibot';
import { unexplained } from '../copy/refusals.ts';
import type { Failure } from './api-error.ts';

/** What each refusal says, loaded on demand; undefined where it cannot be. */
export function loadRefusalTexts() {
  return import('../copy/refusal-texts.ts').then(
    ({ refusalTexts }) => refusalTexts,
    () => undefined,
  );
}

/** What a reply that is not a success says. A code that this version does not know is nonsense. */
export async function refusal(status: number, retryAfter: string | null, reply: unknown): Promise<Failure> {
  const parsed = v.safeParse(refusalBody, reply);
  if (!parsed.success) return { kind: 'nonsense', status };
  const { code, fields = {}, facts = {} } = parsed.output;
  const texts = await loadRefusalTexts();
  if (texts && !Object.hasOwn(texts, code)) return { kind: 'nonsense', status };
  const seconds = Number(retryAfter ?? Number.NaN);
  return {
    kind: 'refused',
    code: code as RefusalCode,
    status,
    fields,
    facts,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
    said: texts?.[code as RefusalCode] ?? unexplained,
  };
}
