import { createHash } from 'node:crypto';
import { showsWork, workText } from '@aparta/domain/work-proof';

import { Refusal } from '../../platform/refusal.ts';

/** Refuses INVALID_INPUT to who asks by a link without the work that a browser does for it (rules/helping#card-testing). */
export function refuseWithoutWork({
  code,
  intentId,
  workProof,
}: {
  readonly code: string;
  readonly intentId: string;
  readonly workProof: string;
}): void {
  const text = workText(code, intentId, Number(workProof));
  if (!showsWork(createHash('sha256').update(text).digest()))
    throw new Refusal('INVALID_INPUT', { fields: { workProof: 'no work' } });
}
