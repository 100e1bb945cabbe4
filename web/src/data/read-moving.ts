import { centavosFromPesos } from '@aparta/contract/amount';
import type { Moving as Wire } from '@aparta/contract/moving';
import { mexicoCityDate, type DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';

/** What its buyer may change of a plan, and what they changed. */
export type Moving = {
  left: number;
  /** By how many days at most each time. */
  days: number;
  movable: readonly Movable[];
  /** The oldest first. */
  changes: readonly PlanChange[];
};

/** An instalment that may be changed now. */
export type Movable = {
  number: number;
  earliest: DateOnly;
  latest: DateOnly;
  /** The bounds of the first of two parts; undefined where it cannot be split. */
  firstParts: { least: Centavos; most: Centavos } | undefined;
};

export type PlanChange = {
  sequence: number;
  kind: 'moved' | 'split';
  /** The instalment's when it was changed. */
  number: number;
  fromDay: DateOnly;
  toDay: DateOnly;
  amount: Centavos;
  first: Centavos | undefined;
  on: DateOnly;
};

/** Undefined where the shop offers no changes and none was made. */
export function readMoving(wire: Wire | null): Moving | undefined {
  if (wire === null) return undefined;
  return {
    left: wire.movesLeft,
    days: wire.moveDays,
    movable: wire.movable.map(({ firstParts, ...movable }) => ({
      ...movable,
      firstParts: firstParts
        ? { least: centavosFromPesos(firstParts.least), most: centavosFromPesos(firstParts.most) }
        : undefined,
    })),
    changes: wire.planChanges.map(
      ({ changeNumber: sequence, changeKind: kind, amount, firstPart, at, ...change }) => ({
        ...change,
        sequence,
        kind,
        amount: centavosFromPesos(amount),
        first: firstPart === null ? undefined : centavosFromPesos(firstPart),
        on: mexicoCityDate(new Date(at)),
      }),
    ),
  };
}
