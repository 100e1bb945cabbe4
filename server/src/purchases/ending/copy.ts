import { type DateOnly, formatDateLong } from '@aparta/domain/calendar';

/** Why a purchase ended, as its buyer and its shop read it. */
export function endedByRule({ dueOn, endDaysLate }: { dueOn: DateOnly; endDaysLate: number }): string {
  return `El abono que venció el ${formatDateLong(dueOn)} no se pagó en ${endDaysLate} días, y te avisamos dos veces.`;
}
