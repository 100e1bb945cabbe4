import { refusalBody } from '@aparta/contract/endpoint';
import type { RefusalCode } from '@aparta/contract/refusals';
import type { AlertText } from '@aparta/ui/alert.tsx';
import * as v from 'valibot';
import type { Failure } from './api-error.ts';
import { unexplained } from './copy.ts';

/** What an application says of refusals, by their code. */
export type RefusalTexts = Readonly<Partial<Record<RefusalCode, AlertText>>>;

/** What a reply that is not a success says. A code that this version does not know is nonsense. */
export async function readRefusal(
  status: number,
  retryAfter: string | null,
  reply: unknown,
  { loadTexts, heard }: { loadTexts: () => Promise<RefusalTexts | undefined>; heard?: () => void },
): Promise<Failure> {
  const parsed = v.safeParse(refusalBody, reply);
  if (!parsed.success) return { kind: 'nonsense', status };
  if (status < 500) heard?.();
  const { code, fields = {}, facts = {} } = parsed.output;
  const texts = await loadTexts();
  if (texts && !Object.hasOwn(texts, code)) return { kind: 'nonsense', status };
  const seconds = Number(retryAfter ?? Number.NaN);
  return {
    kind: 'refused',
    code: code as RefusalCode,
    status,
    fields,
    facts: facts['until'] === undefined ? facts : await datesInWords(facts),
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
    said: texts?.[code as RefusalCode] ?? unexplained,
  };
}

type Facts = Extract<Failure, { kind: 'refused' }>['facts'];

/** Days as the screens write them; few refusals name one. */
async function datesInWords(facts: Facts): Promise<Facts> {
  const words = await import('./date-in-words.ts').catch(() => undefined);
  return words ? { ...facts, until: words.dateInWords(facts['until']) } : facts;
}
