import type { Claim } from '@aparta/contract/purchases';

import type { ClaimRow } from './read-model.ts';

export function presentClaim(claim: ClaimRow): Claim {
  const { answer, answeredAt, promisedOn } = claim;
  return {
    claimFolio: claim.folio,
    state: claim.state,
    notes: claim.notes,
    openedAt: claim.openedAt.toISOString(),
    answer:
      answer === null || answeredAt === null
        ? null
        : { text: answer, at: answeredAt.toISOString(), promisedOn },
    dueAt: claim.dueAt.toISOString(),
    isOverdue: claim.endedAt === null && claim.dueAt < claim.now,
    endedAt: claim.endedAt?.toISOString() ?? null,
  };
}
