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

/** A sum that may be below zero, `-$12.50`. */
export function formatDifference(centavos: number): string {
  return `${centavos < 0 ? '-' : ''}${formatMoney(Math.abs(centavos) as Centavos)}`;
}
