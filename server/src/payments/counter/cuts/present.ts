import { pesosFromCentavos } from '@aparta/contract/amount';
import type { Cut, CutSummary, Shift } from '@aparta/contract/counter-cuts';

import type { CutRow, CutWithMovements, DrawerSums, Movement } from './read-model.ts';
import type { DrawerWithMovements } from './read-cuts.ts';

export function presentShift({ since, floatBeforeCentavos, list, ...drawer }: DrawerWithMovements): Shift {
  return {
    ...sumsOf(drawer),
    since: since?.toISOString() ?? null,
    floatBefore: floatBeforeCentavos === null ? null : pesosFromCentavos(floatBeforeCentavos),
    list: list.map(presentMovement),
  };
}

export function presentCutSummary(cut: CutRow): CutSummary {
  return {
    ...sumsOf(cut),
    id: cut.id,
    number: cut.number,
    closedBy: cut.closedBy,
    from: cut.fromAt.toISOString(),
    until: cut.untilAt.toISOString(),
    float: pesosFromCentavos(cut.floatCentavos),
    counted: pesosFromCentavos(cut.countedCentavos),
    reason: cut.reason,
    floatReason: cut.floatReason,
  };
}

export function presentCut({ cut, list }: CutWithMovements): Cut {
  return { ...presentCutSummary(cut), list: list.map(presentMovement) };
}

function sumsOf(drawer: DrawerSums) {
  return {
    branchId: drawer.branchId,
    branch: drawer.branchName,
    positionId: drawer.positionId,
    name: drawer.name,
    cashTaken: pesosFromCentavos(drawer.cashTakenCentavos),
    cashReturned: pesosFromCentavos(drawer.cashReturnedCentavos),
    terminalTaken: pesosFromCentavos(drawer.terminalTakenCentavos),
    terminalReturned: pesosFromCentavos(drawer.terminalReturnedCentavos),
    movements: drawer.movements,
  };
}

function presentMovement({ kind, folio, refundId, at, method, amountCentavos, isReversed }: Movement) {
  return {
    kind,
    folio,
    refundId,
    at: at.toISOString(),
    method,
    amount: pesosFromCentavos(amountCentavos),
    reversed: isReversed,
  };
}
