import { beforeTries, showsWork } from '@aparta/domain/work-proof';
import { sha256After } from './sha256.ts';

const encoder = new TextEncoder();

/** The first of `count` tries from `first` on that shows the work of one payment; undefined where none does. */
export function tryWork(code: string, intentId: string, first: number, count: number): number | undefined {
  const hash = sha256After(encoder.encode(beforeTries(code, intentId)));
  for (let attempt = first; attempt < first + count; attempt += 1)
    if (showsWork(hash(encoder.encode(String(attempt))))) return attempt;
  return undefined;
}
