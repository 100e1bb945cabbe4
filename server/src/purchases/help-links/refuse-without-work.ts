import { createHash } from 'node:crypto';
import { showsWork, WORK_BITS, workText } from '@aparta/domain/work-proof';

import { Refusal } from '../../platform/refusal.ts';

/** How much of it a server asks for, in leading bits that are zero. */
export const HELP_WORK = { helpWorkBits: WORK_BITS };

/** Refuses INVALID_INPUT to who asks by a link without the work that a browser does for it (rules/helping#card-testing). */
export function refuseWithoutWork(
  {
    code,
    intentId,
    workProof,
  }: { readonly code: string; readonly intentId: string; readonly workProof: string },
  { helpWorkBits }: typeof HELP_WORK,
): void {
  const text = workText(code, intentId, Number(workProof));
  if (!showsWork(createHash('sha256').update(text).digest(), helpWorkBits))
    throw new Refusal('INVALID_INPUT', { fields: { workProof: 'no work' } });
}
