import { addDays, type DateOnly } from './calendar.ts';

/** The bounds of a merchant's rule: two warnings have to fit, and a year is long enough to wait. */
export const END_DAYS_LATE = { least: 30, most: 365 } as const;

/** How many days before its end a buyer is warned. */
export const WARNED_DAYS_BEFORE = { first: 14, last: 3 } as const;
export type EndStep = keyof typeof WARNED_DAYS_BEFORE;

/** How many days more a merchant may give at a time. */
export const MORE_TIME_DAYS = { least: 1, most: 60 } as const;

/** A warning that was written; `sentOn` once its email went out. */
export interface EndWarning {
  readonly step: EndStep;
  readonly sentOn: DateOnly | undefined;
}

/** A late plan that ends by its rule: the clock runs from its oldest unpaid day. */
export interface EndClock {
  readonly dueOn: DateOnly;
  readonly endDaysLate: number;
  readonly warnings: readonly EndWarning[];
  /** The last day of the time that the merchant gave. */
  readonly moreTimeUntil?: DateOnly | undefined;
  readonly today: DateOnly;
}

/** The first day on which a plan may end whose merchant gave it time until a day: that day is its buyer's. */
export const endsAfter = (until: DateOnly): DateOnly => addDays(until, 1);

/**
 * The first day on which a plan may end (rules/goods#ended-by-rule): so many days late, and never before both warnings went out as
 * long ago as they must. A warning that is late moves the end, never the other way.
 */
export function planEndsOn({ dueOn, endDaysLate, warnings, moreTimeUntil, today }: EndClock): DateOnly {
  const days = [addDays(dueOn, endDaysLate)];
  if (moreTimeUntil !== undefined) days.push(endsAfter(moreTimeUntil));
  for (const step of ['first', 'last'] as const) {
    const sentOn = warnings.find((warning) => warning.step === step)?.sentOn;
    days.push(addDays(sentOn ?? today, WARNED_DAYS_BEFORE[step]));
  }
  return days.toSorted().at(-1) ?? dueOn;
}

/** What a plan's rule asks for today: a warning, its end, or nothing. */
export function nextEndStep(clock: EndClock): EndStep | 'end' | undefined {
  const endsOn = planEndsOn(clock);
  const written = (step: EndStep) => clock.warnings.some((warning) => warning.step === step);
  const isNear = (step: EndStep) => clock.today >= addDays(endsOn, -WARNED_DAYS_BEFORE[step]);
  if (!written('first')) return isNear('first') ? 'first' : undefined;
  if (!written('last')) return isNear('last') ? 'last' : undefined;
  return clock.today >= endsOn ? 'end' : undefined;
}

/** The warnings that an end that is put off makes void: their days are still to come, and they are written again. */
export function voidedBy(endsOn: DateOnly, today: DateOnly): EndStep[] {
  return (['first', 'last'] as const).filter((step) => today < addDays(endsOn, -WARNED_DAYS_BEFORE[step]));
}
