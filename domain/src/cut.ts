import { type Centavos, formatMoney } from './money.ts';

/** What went through a drawer between two cuts. */
export interface Drawer {
  /** What was in it before. */
  readonly floatCentavos: Centavos;
  readonly cashTakenCentavos: Centavos;
  readonly cashReturnedCentavos: Centavos;
}

/** What a drawer should hold, in centavos. Below zero: more was given back out of it than ever came in. */
export function expectedIn({ floatCentavos, cashTakenCentavos, cashReturnedCentavos }: Drawer): number {
  return floatCentavos + cashTakenCentavos - cashReturnedCentavos;
}

/** What was counted less what should be there, in centavos: above zero there is too much, below it some is missing. */
export function differenceIn(drawer: Drawer, countedCentavos: Centavos): number {
  return countedCentavos - expectedIn(drawer);
}

/** Whether there is anything to close: of a drawer that nothing moved in it would be a cut of nothing. */
export function canBeCut(movements: number): boolean {
  return movements > 0;
}

/**
 * What a cut has to say why of: a count that is not what should be there, and another float than that of the drawer's cut before
 * (null: it has none), by which any drawer could be made to fit. Nothing is said of a count that is not made yet.
 */
export function whatNeedsReason(
  drawer: Drawer,
  countedCentavos: Centavos | undefined,
  floatBeforeCentavos: Centavos | null,
): { readonly isOff: boolean; readonly isOtherFloat: boolean } {
  return {
    isOff: countedCentavos !== undefined && differenceIn(drawer, countedCentavos) !== 0,
    isOtherFloat: floatBeforeCentavos !== null && drawer.floatCentavos !== floatBeforeCentavos,
  };
}

/** A sum that may be below zero, `-$12.50`. */
export function formatDifference(centavos: number): string {
  return `${centavos < 0 ? '-' : ''}${formatMoney(Math.abs(centavos) as Centavos)}`;
}
