import { addDays, type DateOnly, mexicoCityDate, mexicoCityHour } from './calendar.ts';

/**
 * When a buyer is reminded of a due date: how many days before it, and between which hours of Mexico City's clock. They are hours of
 * the day in every zone of the country: two earlier in Tijuana, one later in Cancún.
 */
export const REMINDERS = {
  ahead: { daysBefore: 5, from: 10, until: 19 },
  eve: { daysBefore: 1, from: 17, until: 20 },
  late: { daysBefore: -1, from: 10, until: 19 },
} as const;
export type ReminderKind = keyof typeof REMINDERS;

/** A due date of which buyers are reminded now. */
export interface DueReminder {
  readonly kind: ReminderKind;
  readonly dueOn: DateOnly;
}

/** What buyers are reminded of at a moment; nothing at night. */
export function remindersAt(at: Date): DueReminder[] {
  const [today, hour] = [mexicoCityDate(at), mexicoCityHour(at)];
  return (Object.keys(REMINDERS) as ReminderKind[])
    .filter((kind) => hour >= REMINDERS[kind].from && hour < REMINDERS[kind].until)
    .map((kind) => ({ kind, dueOn: addDays(today, REMINDERS[kind].daysBefore) }));
}

/** Whether the hours of a reminder last: one that a mail server kept until the night is not sent. */
export function isTimely({ kind, dueOn }: DueReminder, at: Date): boolean {
  return remindersAt(at).some((due) => due.kind === kind && due.dueOn === dueOn);
}
