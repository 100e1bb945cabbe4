import { type DateOnly, mexicoCityDate } from '@aparta/domain/calendar';
import { isLate, nextPayable } from '@aparta/domain/instalments';
import { type Centavos, subtract } from '@aparta/domain/money';
import { STATUS_CODES, type PurchaseStatusCode } from '@aparta/domain/purchase-status';

import type { PurchaseState } from '../../platform/db/tables.ts';

interface PlannedRow {
  readonly number: number;
  readonly dueOn: DateOnly;
  readonly amountCentavos: Centavos;
  readonly paidCentavos: Centavos;
}

/** An instalment with its balance and status. */
export type Standing<T> = T & {
  readonly balanceCentavos: Centavos;
  /** Past due, of an active purchase. */
  readonly late: boolean;
  /** The one that can be paid now. */
  readonly payable: boolean;
};

export interface PurchaseStanding<T> {
  readonly statusCode: PurchaseStatusCode;
  readonly instalments: readonly Standing<T>[];
  readonly paidInstalments: number;
  readonly next: Standing<T> | undefined;
}

/** The status of a purchase and its instalments on the day it was read, in Mexico City (spec §4, rules/layaways#late). */
export function standingOf<T extends PlannedRow>(purchase: {
  readonly state: PurchaseState;
  readonly now: Date;
  readonly instalments: readonly T[];
}): PurchaseStanding<T> {
  const statusCode = STATUS_CODES[purchase.state];
  const today = mexicoCityDate(purchase.now);
  const owed = purchase.instalments.map((instalment) => ({
    ...instalment,
    balanceCentavos: subtract(instalment.amountCentavos, instalment.paidCentavos),
  }));
  const payable = nextPayable(statusCode, owed)?.number;
  const instalments = owed.map((instalment) => ({
    ...instalment,
    late: purchase.state === 'active' && isLate(instalment, today),
    payable: instalment.number === payable,
  }));
  return {
    statusCode,
    instalments,
    paidInstalments: owed.filter(({ balanceCentavos }) => balanceCentavos === 0).length,
    next: instalments.find((instalment) => instalment.payable),
  };
}
