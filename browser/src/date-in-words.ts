import { formatDate } from '@aparta/domain/calendar';

/** A day in a refusal as the screens write it. */
export function dateInWords(day: unknown): string {
  return formatDate(String(day));
}
