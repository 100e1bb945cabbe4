/**
 * The life of a card attempt: its states, what can be observed of it, and one table of what each observation does in each
 * state (payments.md §1.1 to §1.5). Pure. Nothing else moves an attempt.
 */

export const ATTEMPT_STATES = [
  'submitting',
  'pending_3ds',
  'unknown',
  'held',
  'rejected',
  'not_charged',
  'abandoned',
  'applied',
  'returned',
] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/** The states in which an attempt takes its reference's slot: no second one may begin. */
export const OPEN_STATES = ['submitting', 'pending_3ds', 'unknown'] as const satisfies AttemptState[];

/**
 * What the provider was seen to say (§1.2): `ok` ours and approved as agreed; `odd` ours with other terms; `wait` 3DS;
 * `slow` pending otherwise; `no` refused or cancelled; `back` money that left by a way we did not ask for; `none` a whole
 * list without it, read late enough; `dark` no usable answer; `never` proven not sent.
 */
export const OBSERVATIONS = ['ok', 'odd', 'wait', 'slow', 'no', 'back', 'none', 'dark', 'never'] as const;
export type ObservationKind = (typeof OBSERVATIONS)[number];

/** What to do: a state to enter, or one of the words below. */
type Act =
  /** Nothing changes. */
  | 'stay'
  /** Only the 3DS address is brought up to date. */
  | 'refresh'
  /** `applied` if it can still be applied, else `returned`, whole (§1.6). */
  | 'settle'
  /** Count a list that does not have it; the last one that is needed makes it `not_charged`. */
  | 'count'
  /** Money came and went before we saw it: booked both ways. */
  | 'reflect'
  /** `pending_3ds` while young, `abandoned` when it is older than a 3DS may take. */
  | 'await_3ds'
  /** `rejected`, unless money was captured: then `reflect`. */
  | 'refuse_unless_captured'
  | AttemptState;

export interface Cell {
  readonly act: Act;
  /** Tell the operator. */
  readonly alarm: boolean;
}

const quiet = (act: Act): Cell => ({ act, alarm: false });
const alarmed = (act: Act): Cell => ({ act, alarm: true });
const stay = quiet('stay');
const strange = alarmed('stay');

export const ATTEMPT_TABLE = {
  submitting: {
    ok: quiet('settle'),
    odd: alarmed('held'),
    wait: quiet('pending_3ds'),
    slow: quiet('unknown'),
    no: quiet('rejected'),
    back: quiet('reflect'),
    none: stay,
    dark: quiet('unknown'),
    never: quiet('not_charged'),
  },
  pending_3ds: {
    ok: quiet('settle'),
    odd: alarmed('held'),
    wait: quiet('refresh'),
    slow: stay,
    no: quiet('rejected'),
    back: quiet('reflect'),
    none: strange,
    dark: stay,
    never: strange,
  },
  unknown: {
    ok: quiet('settle'),
    odd: alarmed('held'),
    wait: quiet('await_3ds'),
    slow: stay,
    no: quiet('rejected'),
    back: quiet('reflect'),
    none: quiet('count'),
    dark: stay,
    never: strange,
  },
  held: {
    ok: quiet('settle'),
    // Stays held; money that was only authorised before and is captured now goes into the books.
    odd: quiet('held'),
    wait: stay,
    slow: stay,
    no: quiet('refuse_unless_captured'),
    back: quiet('reflect'),
    none: strange,
    dark: stay,
    never: strange,
  },
  rejected: {
    ok: alarmed('settle'),
    odd: alarmed('held'),
    wait: stay,
    slow: stay,
    no: stay,
    back: alarmed('reflect'),
    none: stay,
    dark: stay,
    never: strange,
  },
  not_charged: {
    ok: alarmed('settle'),
    odd: alarmed('held'),
    wait: quiet('abandoned'),
    slow: stay,
    no: quiet('rejected'),
    back: alarmed('reflect'),
    none: stay,
    dark: stay,
    never: stay,
  },
  abandoned: {
    ok: quiet('settle'),
    odd: alarmed('held'),
    // Only its buyer takes it up again, and not by looking alone (footnote 5).
    wait: stay,
    slow: stay,
    no: quiet('rejected'),
    back: quiet('reflect'),
    none: stay,
    dark: stay,
    never: strange,
  },
  applied: {
    ok: stay,
    odd: strange,
    wait: stay,
    slow: stay,
    no: strange,
    back: strange,
    none: strange,
    dark: stay,
    never: strange,
  },
  returned: {
    ok: stay,
    odd: strange,
    wait: stay,
    slow: stay,
    no: strange,
    back: strange,
    none: strange,
    dark: stay,
    never: strange,
  },
} as const satisfies Record<AttemptState, Record<ObservationKind, Cell>>;

/** All waits of the engine, in milliseconds (§1.5). Settings; every one is bounded. */
export interface Clocks {
  /** A request that was not sent by then is not sent at all. */
  readonly sendWithinMs: number;
  /** A `submitting` attempt whose sender died is looked at from then on. */
  readonly submittingMs: number;
  /** An unfinished 3DS frees the buyer. */
  readonly threeDsMs: number;
  /** An `unknown` one rings the operator; then frees the buyer. */
  readonly unknownAlarmMs: number;
  readonly unknownEndsMs: number;
  readonly heldAlarmMs: number;
  readonly heldEndsMs: number;
  /** A card token can charge until it dies: a list read before proves nothing. */
  readonly noneCountsAfterMs: number;
  readonly nonesNeeded: number;
  /** Looks after the attempt was created, per state; after the last one, every `lookEveryMs`. */
  readonly unknownLooksMs: readonly number[];
  readonly threeDsLooksMs: readonly number[];
  readonly watchLooksMs: readonly number[];
  readonly lookEveryMs: number;
  /** Freed attempts are watched until then. */
  readonly watchEndsMs: number;
  /** Two looks by browser or webhook are never nearer than this. */
  readonly coalesceMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Eight weeks: looks when it is one, two, four and eight times as old as the watch is long. */
const MOST_WATCHES = 8;

export const DEFAULT_CLOCKS: Clocks = {
  sendWithinMs: 20 * SECOND,
  submittingMs: 60 * SECOND,
  threeDsMs: 30 * MINUTE,
  unknownAlarmMs: 60 * MINUTE,
  unknownEndsMs: 24 * HOUR,
  heldAlarmMs: 24 * HOUR,
  heldEndsMs: 72 * HOUR,
  noneCountsAfterMs: 17 * MINUTE,
  nonesNeeded: 2,
  unknownLooksMs: [15, 30, 60, 120, 240, 480, 720, 1020, 1200].map((seconds) => seconds * SECOND),
  threeDsLooksMs: [10, 30, 60, 120, 300, 600, 900, 1800].map((seconds) => seconds * SECOND),
  watchLooksMs: [1, 3, 12, 24, 48].map((hours) => hours * HOUR),
  lookEveryMs: 24 * HOUR,
  watchEndsMs: 7 * 24 * HOUR,
  coalesceMs: 3 * SECOND,
};

export interface AttemptAge {
  readonly state: AttemptState;
  /** Since the attempt was created. */
  readonly ageMs: number;
  /** Since it entered its state. */
  readonly inStateMs: number;
  readonly captured: boolean;
}

/** What time alone does to an attempt (the table's last column), or undefined while its clock still runs. */
export function overdue(age: AttemptAge, clocks: Clocks): Cell | undefined {
  switch (age.state) {
    case 'submitting':
      return age.inStateMs >= clocks.submittingMs ? quiet('unknown') : undefined;
    case 'pending_3ds':
      return age.inStateMs >= clocks.threeDsMs ? quiet('abandoned') : undefined;
    case 'unknown':
      if (age.inStateMs >= clocks.unknownEndsMs) return alarmed('abandoned');
      return age.inStateMs >= clocks.unknownAlarmMs ? strange : undefined;
    case 'held':
      if (age.inStateMs >= clocks.heldEndsMs) return alarmed(age.captured ? 'returned' : 'abandoned');
      return age.inStateMs >= clocks.heldAlarmMs ? strange : undefined;
    case 'rejected':
    case 'not_charged':
    case 'abandoned':
    case 'applied':
    case 'returned':
      return undefined;
  }
}

/**
 * Milliseconds until the next scheduled look, or undefined when none is due any more. `looks` counts the ones already
 * done in this state. A freed attempt that still waits at the provider (`isOpenThere`) may be approved as long as it does: it is
 * looked at ever more seldom. Applied, returned and rejected attempts are left to the daily sweep.
 */
export function nextLookMs(
  state: AttemptState,
  looks: number,
  inStateMs: number,
  clocks: Clocks,
  isOpenThere = false,
): number | undefined {
  const schedule = scheduleOf(state, clocks);
  if (schedule === undefined) return undefined;
  const at = schedule[looks];
  if (at !== undefined) return Math.max(at - inStateMs, 0);
  if (state === 'not_charged' || state === 'abandoned') {
    if (inStateMs < clocks.watchEndsMs) return clocks.lookEveryMs;
    return isOpenThere && inStateMs < MOST_WATCHES * clocks.watchEndsMs ? inStateMs : undefined;
  }
  // An open attempt is looked at until its clock ends it; the looks get rarer, never closer than the last gap.
  const last = schedule.at(-1) ?? clocks.lookEveryMs;
  return Math.min(last, clocks.lookEveryMs);
}

function scheduleOf(state: AttemptState, clocks: Clocks): readonly number[] | undefined {
  switch (state) {
    case 'submitting':
      return [clocks.submittingMs];
    case 'unknown':
      return clocks.unknownLooksMs;
    case 'pending_3ds':
      return clocks.threeDsLooksMs;
    case 'not_charged':
    case 'abandoned':
    case 'held':
      return clocks.watchLooksMs;
    case 'rejected':
    case 'applied':
    case 'returned':
      return undefined;
  }
}
