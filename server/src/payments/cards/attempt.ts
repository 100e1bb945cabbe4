/**
 * The life of a card attempt: its states, what can happen to it, and one table of what each event does in each state
 * (rules/card-attempts#transitions). Pure. Nothing else moves an attempt.
 */
import type { Lifecycle } from '../../platform/lifecycle.ts';

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
 * What the provider was seen to say (rules/card-attempts#observations): `ok` ours and approved as agreed; `odd` ours with other
 * terms; `wait` 3DS; `slow` pending otherwise; `no` refused or cancelled; `back` money that left by a way we did not ask for;
 * `none` a whole list without it, read late enough; `dark` no usable answer; `never` proven not sent.
 */
export const OBSERVATIONS = ['ok', 'odd', 'wait', 'slow', 'no', 'back', 'none', 'dark', 'never'] as const;
export type ObservationKind = (typeof OBSERVATIONS)[number];

/** What else happens to an attempt than what is seen of it. */
export const ATTEMPT_EVENTS = [
  ...OBSERVATIONS,
  /** What was not as agreed, and is decided already, is seen again. */
  'repeated',
  /** A list without it that was read too early, or too soon after another, to prove anything. */
  'none_early',
  /** Its buyer finishes a 3DS that they had left. */
  'resumed',
  /** The time that its state may take is over. */
  'deadline',
  /** A person decides on held money. */
  'operator_applied',
  'operator_returned',
] as const;
export type AttemptEvent = (typeof ATTEMPT_EVENTS)[number];

/** What to do: a state to enter, or one of the words below. */
type Act =
  /** Nothing changes. */
  | 'stay'
  /** Only the 3DS address is brought up to date. */
  | 'refresh'
  /** `applied` if it can still be applied, else `returned`, whole (rules/card-attempts#applicable). */
  | 'settle'
  /** Count a list that does not have it; the last one that is needed makes it `not_charged`. */
  | 'count'
  /** Money came and went before we saw it: booked both ways. */
  | 'reflect'
  /** `pending_3ds` while young, `abandoned` when it is older than a 3DS may take. */
  | 'await_3ds'
  /** `rejected`, unless money was captured: then `reflect`. */
  | 'refuse_unless_captured'
  /** `returned`, whole, if money was captured, else `abandoned`. */
  | 'return_or_abandon'
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
    repeated: strange,
    none_early: stay,
    resumed: strange,
    deadline: quiet('unknown'),
    operator_applied: strange,
    operator_returned: strange,
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
    repeated: strange,
    none_early: strange,
    resumed: strange,
    deadline: quiet('abandoned'),
    operator_applied: strange,
    operator_returned: strange,
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
    repeated: strange,
    none_early: stay,
    resumed: strange,
    deadline: alarmed('abandoned'),
    operator_applied: strange,
    operator_returned: strange,
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
    repeated: strange,
    none_early: strange,
    resumed: strange,
    deadline: alarmed('return_or_abandon'),
    operator_applied: quiet('applied'),
    operator_returned: quiet('returned'),
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
    repeated: strange,
    none_early: stay,
    resumed: strange,
    deadline: strange,
    operator_applied: strange,
    operator_returned: strange,
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
    repeated: strange,
    none_early: stay,
    resumed: strange,
    deadline: strange,
    operator_applied: strange,
    operator_returned: strange,
  },
  abandoned: {
    ok: quiet('settle'),
    odd: alarmed('held'),
    // Only its buyer takes it up again, and not by looking alone (rules/card-attempts#resuming).
    wait: stay,
    slow: stay,
    no: quiet('rejected'),
    back: quiet('reflect'),
    none: stay,
    dark: stay,
    never: strange,
    repeated: stay,
    none_early: stay,
    resumed: quiet('pending_3ds'),
    deadline: strange,
    operator_applied: strange,
    operator_returned: strange,
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
    repeated: stay,
    none_early: strange,
    resumed: strange,
    deadline: strange,
    operator_applied: strange,
    operator_returned: strange,
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
    repeated: stay,
    none_early: strange,
    resumed: strange,
    deadline: strange,
    operator_applied: strange,
    operator_returned: strange,
  },
} as const satisfies Record<AttemptState, Record<AttemptEvent, Cell>>;

/** The states that an act may lead to; none where it changes nothing. */
function reachedBy(act: Act): readonly AttemptState[] {
  switch (act) {
    case 'stay':
    case 'refresh':
      return [];
    case 'settle':
      return ['applied', 'returned'];
    case 'count':
      return ['not_charged'];
    case 'reflect':
      return ['returned', 'held'];
    case 'await_3ds':
      return ['pending_3ds', 'abandoned'];
    case 'refuse_unless_captured':
      return ['rejected', 'returned', 'held'];
    case 'return_or_abandon':
      return ['returned', 'abandoned'];
    default:
      return [act];
  }
}

/** The table as moves, for the helper that writes them. */
export const ATTEMPT: Lifecycle<AttemptState, AttemptEvent> = {
  subject: 'card_attempt',
  table: 'card_attempts',
  id: 'id',
  column: 'state',
  since: 'state_since',
  hasHistory: true,
  detail: 'detail_code',
  initial: 'submitting',
  moves: Object.fromEntries(
    ATTEMPT_STATES.map((state) => [
      state,
      Object.fromEntries(
        ATTEMPT_EVENTS.flatMap((event) => {
          const reached = reachedBy(ATTEMPT_TABLE[state][event].act).filter((to) => to !== state);
          return reached.length === 0 ? [] : [[event, reached]];
        }),
      ),
    ]),
  ) as unknown as Lifecycle<AttemptState, AttemptEvent>['moves'],
};

/** All waits of the engine, in milliseconds (rules/card-attempts#clocks). Settings; every one is bounded. */
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
  /** Since it entered its state. */
  readonly inStateMs: number;
}

/** What time alone does to an attempt: its deadline, or a reminder to the operator; undefined while its clock still runs. */
export function overdue(age: AttemptAge, clocks: Clocks): 'deadline' | 'reminder' | undefined {
  const over = (endsMs: number, remindMs = endsMs) => {
    if (age.inStateMs >= endsMs) return 'deadline';
    return age.inStateMs >= remindMs ? 'reminder' : undefined;
  };
  switch (age.state) {
    case 'submitting':
      return over(clocks.submittingMs);
    case 'pending_3ds':
      return over(clocks.threeDsMs);
    case 'unknown':
      return over(clocks.unknownEndsMs, clocks.unknownAlarmMs);
    case 'held':
      return over(clocks.heldEndsMs, clocks.heldAlarmMs);
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
