import { showsWork, workText } from '@aparta/domain/work-proof';
import { sha256 } from './sha256.ts';

const encoder = new TextEncoder();

/** The first of `count` tries from `first` on that shows the work of one payment; undefined where none does. */
export function tryWork(code: string, intentId: string, first: number, count: number): number | undefined {
  for (let attempt = first; attempt < first + count; attempt += 1)
    if (showsWork(sha256(encoder.encode(workText(code, intentId, attempt))))) return attempt;
  return undefined;
}
