import { pesosFromCentavos } from '@aparta/contract/amount';
import type * as contract from '@aparta/contract/moving';
import { changesLeft, firstParts, freeDays, whyFixed } from '@aparta/domain/moving';

import { movablePlanOf, type MovableRow, type PlanChangeRow } from './read-model.ts';

/** What may be changed of a plan now, and what was. */
export function presentMoving(row: MovableRow): contract.Moving {
  const plan = movablePlanOf(row);
  return {
    movesAllowed: plan.rule.movesAllowed,
    movesLeft: plan.isActive ? changesLeft(plan) : 0,
    moveDays: plan.rule.moveDays,
    movable: plan.instalments.flatMap(({ number }) => {
      const days = freeDays(plan, number);
      if (days === undefined || whyFixed(plan, number) !== undefined) return [];
      const parts = firstParts(plan, number);
      return {
        number,
        earliest: days.from,
        latest: days.to,
        firstParts: parts
          ? { least: pesosFromCentavos(parts.least), most: pesosFromCentavos(parts.most) }
          : null,
      };
    }),
    planChanges: presentPlanChanges(row.changes),
  };
}

export function presentPlanChanges(changes: readonly PlanChangeRow[]): contract.PlanChanges {
  return changes.map((change) => ({
    changeNumber: change.sequence,
    changeKind: change.kind,
    number: change.number,
    fromDay: change.fromDay,
    toDay: change.toDay,
    amount: pesosFromCentavos(change.amountCentavos),
    firstPart: change.firstCentavos === null ? null : pesosFromCentavos(change.firstCentavos),
    at: new Date(change.changedAt).toISOString(),
  }));
}
