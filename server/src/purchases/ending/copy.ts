import { type DateOnly, formatDateLong } from '@aparta/domain/calendar';

/** Why a purchase ended, as its buyer and its shop read it. */
export function endedByRule({ dueOn }: { dueOn: DateOnly }): string {
  return `El abono que venció el ${formatDateLong(dueOn)} no quedó pagado completo, y te avisamos por correo antes de cancelar.`;
}

/** Why one ended of which nothing was paid any more, likewise. */
export const ALL_TAKEN_BACK = 'Se revirtieron todos sus pagos';
