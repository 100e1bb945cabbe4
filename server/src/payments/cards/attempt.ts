/**
 * The life of a card attempt: its states, what can happen to it, and one table of what each event does in each state
 * (rules/card-attempts#transitions). Pure. Nothing else moves an attempt.
 */
import type { AttemptState } from '../../platform/db/tables.ts';
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
] as const satisfies AttemptState[];
export type { AttemptState } from '../../platform/db/tables.ts';

/** The states in which an attempt takes its reference's slot: no second one may begin. */
export const OPEN_STATES = ['submitting', 'pending_3ds', 'unknown'] as const satisfies AttemptState[];

/**
 * What the provider was seen to say (rules/card-attempts#observations): `approved` ours, as agreed; `mismatch` ours, on other terms;
 * `requires_action` 3DS; `processing` pending otherwise; `declined` refused or cancelled; `reversed` refunded, and not by us;
 * `not_found` a whole list without it; `unreachable` no answer; `unusable` one that cannot be about it; `not_sent` proven not sent.
 */
export const OBSERVATIONS = [
  'approved',
  'mismatch',
  'requires_action',
  'processing',
  'declined',
  'reversed',
  'not_found',
  'unreachable',
  'unusable',
  'not_sent',
] as const;
export type ObservationKind = (typeof OBSERVATIONS)[number];

/** Everything that can happen to an attempt: what is seen of it, and the rest. */
export const ATTEMPT_EVENTS = [
  ...OBSERVATIONS,
  /** A mismatch that is decided already is seen again. */
  'repeated',
  /** Not found, but too early or too soon after another list to prove anything. */
  'not_found_early',
  /** The buyer goes on with a 3DS that they left. */
  'resumed',
  /** Its state has lasted as long as it may. */
  'deadline',
  /** The operator decides on held money. */
  'operator_applied',
  'operator_returned',
] as const;
export type AttemptEvent = (typeof ATTEMPT_EVENTS)[number];

/** What to do: a state to enter, or one of the words below. */
export type Act =
  /** Nothing changes. */
  | 'stay'
  /** Only the 3DS address changes. */
  | 'refresh'
  /** `applied` if it can still be applied, else `returned`, whole (rules/card-attempts#applicable). */
  | 'apply_or_return'
  /** The same, unless another sum than agreed is held: that is for a person (rules/card-attempts#held-money). */
  | 'apply_or_return_if_agreed'
  /** Count a list without it; the last one that is needed makes it `not_charged`. */
  | 'count_not_found'
  /** Money came and left before we saw it: booked both ways. */
  | 'record_reversal'
  /** `pending_3ds` while young, `abandoned` once older than a 3DS may take. */
  | 'await_3ds'
  /** `rejected`, unless money was captured: then `record_reversal`. */
  | 'refuse_unless_captured'
  /** `returned`, whole, if money was captured, else `abandoned`. */
  | 'return_or_abandon'
  | AttemptState;

export interface Cell {
  readonly act: Act;
  /** Whether the operator is told. */
  readonly alert: boolean;
}

const quiet = (act: Act): Cell => ({ act, alert: false });
const alerting = (act: Act): Cell => ({ act, alert: true });
const stay = quiet('stay');
const unexpected = alerting('stay');

export const ATTEMPT_TABLE = {
  submitting: {
    approved: quiet('apply_or_return'),
    mismatch: alerting('held'),
    requires_action: quiet('pending_3ds'),
    processing: quiet('unknown'),
    declined: quiet('rejected'),
    reversed: quiet('record_reversal'),
    not_found: stay,
    unreachable: quiet('unknown'),
    unusable: alerting('unknown'),
    not_sent: quiet('not_charged'),
    repeated: unexpected,
    not_found_early: stay,
    resumed: unexpected,
    deadline: quiet('unknown'),
    operator_applied: unexpected,
    operator_returned: unexpected,
  },
  pending_3ds: {
    approved: quiet('apply_or_return'),
    mismatch: alerting('held'),
    requires_action: quiet('refresh'),
    processing: stay,
    declined: quiet('rejected'),
    reversed: quiet('record_reversal'),
    not_found: unexpected,
    unreachable: stay,
    unusable: unexpected,
    not_sent: unexpected,
    repeated: unexpected,
    not_found_early: unexpected,
    resumed: unexpected,
    deadline: quiet('abandoned'),
    operator_applied: unexpected,
    operator_returned: unexpected,
  },
  unknown: {
    approved: quiet('apply_or_return'),
    mismatch: alerting('held'),
    requires_action: quiet('await_3ds'),
    processing: stay,
    declined: quiet('rejected'),
    reversed: quiet('record_reversal'),
    not_found: quiet('count_not_found'),
    unreachable: stay,
    unusable: unexpected,
    not_sent: unexpected,
    repeated: unexpected,
    not_found_early: stay,
    resumed: unexpected,
    deadline: alerting('abandoned'),
    operator_applied: unexpected,
    operator_returned: unexpected,
  },
  held: {
    approved: quiet('apply_or_return_if_agreed'),
    // Money that was only authorised before and is captured now enters the books.
    mismatch: quiet('held'),
    requires_action: stay,
    processing: stay,
    declined: quiet('refuse_unless_captured'),
    reversed: quiet('record_reversal'),
    not_found: unexpected,
    unreachable: stay,
    unusable: unexpected,
    not_sent: unexpected,
    repeated: unexpected,
    not_found_early: unexpected,
    resumed: unexpected,
    deadline: alerting('return_or_abandon'),
    operator_applied: quiet('applied'),
    operator_returned: quiet('returned'),
  },
  rejected: {
    approved: alerting('apply_or_return'),
    mismatch: alerting('held'),
    requires_action: stay,
    processing: stay,
    declined: stay,
    reversed: alerting('record_reversal'),
    not_found: stay,
    unreachable: stay,
    unusable: unexpected,
    not_sent: unexpected,
    repeated: unexpected,
    not_found_early: stay,
    resumed: unexpected,
    deadline: unexpected,
    operator_applied: unexpected,
    operator_returned: unexpected,
  },
  not_charged: {
    approved: alerting('apply_or_return'),
    mismatch: alerting('held'),
    requires_action: quiet('abandoned'),
    processing: stay,
    declined: quiet('rejected'),
    reversed: alerting('record_reversal'),
    not_found: stay,
    unreachable: stay,
    unusable: unexpected,
    not_sent: stay,
    repeated: unexpected,
    not_found_early: stay,
    resumed: unexpected,
    deadline: unexpected,
    operator_applied: unexpected,
    operator_returned: unexpected,
  },
  abandoned: {
    approved: quiet('apply_or_return'),
    mismatch: alerting('held'),
    // Only the buyer takes it up again, never a poll alone (rules/card-attempts#resuming).
    requires_action: stay,
    processing: stay,
    declined: quiet('rejected'),
    reversed: quiet('record_reversal'),
    not_found: stay,
    unreachable: stay,
    unusable: unexpected,
    not_sent: unexpected,
    repeated: stay,
    not_found_early: stay,
    resumed: quiet('pending_3ds'),
    deadline: unexpected,
    operator_applied: unexpected,
    operator_returned: unexpected,
  },
  applied: {
    approved: stay,
    mismatch: unexpected,
    requires_action: stay,
    processing: stay,
    declined: unexpected,
    reversed: unexpected,
    not_found: unexpected,
    unreachable: stay,
    unusable: unexpected,
    not_sent: unexpected,
    repeated: stay,
    not_found_early: unexpected,
    resumed: unexpected,
    deadline: unexpected,
    operator_applied: unexpected,
    operator_returned: unexpected,
  },
  returned: {
    approved: stay,
    mismatch: unexpected,
    requires_action: stay,
    processing: stay,
    declined: unexpected,
    reversed: unexpected,
    not_found: unexpected,
    unreachable: stay,
    unusable: unexpected,
    not_sent: unexpected,
    repeated: stay,
    not_found_early: unexpected,
    resumed: unexpected,
    deadline: unexpected,
    operator_applied: unexpected,
    operator_returned: unexpected,
  },
} as const satisfies Record<AttemptState, Record<AttemptEvent, Cell>>;

/** The states that an act may lead to; none where it changes nothing. */
function reachedBy(act: Act): readonly AttemptState[] {
  switch (act) {
    case 'stay':
    case 'refresh':
      return [];
    case 'apply_or_return':
    case 'apply_or_return_if_agreed':
      return ['applied', 'returned'];
    case 'count_not_found':
      return ['not_charged'];
    case 'record_reversal':
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

/** The table as moves, for `moveState`. */
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

/** All waits of card attempts, in milliseconds (rules/card-attempts#clocks). Settings with bounds. */
export interface Clocks {
  /** A charge that was not sent by then is not sent at all. */
  readonly sendWithinMs: number;
  /** From then on the sender of a `submitting` attempt is taken for dead, and the provider is polled. */
  readonly submittingMs: number;
  /** An unfinished 3DS frees its reference. */
  readonly threeDsMs: number;
  /** An `unknown` one alerts the operator, then frees its reference. */
  readonly unknownAlertMs: number;
  readonly unknownEndsMs: number;
  readonly heldAlertMs: number;
  readonly heldEndsMs: number;
  /** A card token can charge until it dies: a list read earlier proves nothing. */
  readonly notFoundCountsAfterMs: number;
  readonly notFoundNeeded: number;
  /** When a state is polled, from its beginning; after the last one, every `pollEveryMs`. */
  readonly unknownPollsMs: readonly number[];
  readonly threeDsPollsMs: readonly number[];
  readonly watchPollsMs: readonly number[];
  readonly pollEveryMs: number;
  /** Freed attempts are watched until then. */
  readonly watchEndsMs: number;
  /** Two polls by browser or webhook are never nearer than this. */
  readonly coalesceMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Times `watchEndsMs`: eight weeks, polled at one, two, four and eight. */
const MOST_WATCHES = 8;

export const DEFAULT_CLOCKS: Clocks = {
  sendWithinMs: 20 * SECOND,
  submittingMs: 60 * SECOND,
  threeDsMs: 30 * MINUTE,
  unknownAlertMs: 60 * MINUTE,
  unknownEndsMs: 24 * HOUR,
  heldAlertMs: 24 * HOUR,
  heldEndsMs: 72 * HOUR,
  notFoundCountsAfterMs: 17 * MINUTE,
  notFoundNeeded: 2,
  unknownPollsMs: [15, 30, 60, 120, 240, 480, 720, 1020, 1200].map((seconds) => seconds * SECOND),
  threeDsPollsMs: [10, 30, 60, 120, 300, 600, 900, 1800].map((seconds) => seconds * SECOND),
  watchPollsMs: [1, 3, 12, 24, 48].map((hours) => hours * HOUR),
  pollEveryMs: 24 * HOUR,
  watchEndsMs: 7 * 24 * HOUR,
  coalesceMs: 3 * SECOND,
};

export interface AttemptAge {
  readonly state: AttemptState;
  /** Since it entered its state. */
  readonly inStateMs: number;
}

/** What time alone does to an attempt: its deadline, or a reminder to the operator; undefined before both. */
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
      return over(clocks.unknownEndsMs, clocks.unknownAlertMs);
    case 'held':
      return over(clocks.heldEndsMs, clocks.heldAlertMs);
    case 'rejected':
    case 'not_charged':
    case 'abandoned':
    case 'applied':
    case 'returned':
      return undefined;
  }
}

/**
 * Milliseconds until the next scheduled poll, or undefined when no more are due. `polls` counts those done in this state. A freed
 * attempt that still waits at the provider (`isOpenThere`) may yet be approved: it is polled ever more seldom. Applied, returned
 * and rejected attempts are left to the daily sweep.
 */
export function nextPollMs(
  state: AttemptState,
  polls: number,
  inStateMs: number,
  clocks: Clocks,
  isOpenThere = false,
): number | undefined {
  const schedule = scheduleOf(state, clocks);
  if (schedule === undefined) return undefined;
  const at = schedule[polls];
  if (at !== undefined) return Math.max(at - inStateMs, 0);
  if (state === 'not_charged' || state === 'abandoned') {
    if (inStateMs < clocks.watchEndsMs) return clocks.pollEveryMs;
    return isOpenThere && inStateMs < MOST_WATCHES * clocks.watchEndsMs ? inStateMs : undefined;
  }
  // An open attempt is polled until its deadline, no more often than by the last entry.
  const last = schedule.at(-1) ?? clocks.pollEveryMs;
  return Math.min(last, clocks.pollEveryMs);
}

function scheduleOf(state: AttemptState, clocks: Clocks): readonly number[] | undefined {
  switch (state) {
    case 'submitting':
      return [clocks.submittingMs];
    case 'unknown':
      return clocks.unknownPollsMs;
    case 'pending_3ds':
      return clocks.threeDsPollsMs;
    case 'not_charged':
    case 'abandoned':
    case 'held':
      return clocks.watchPollsMs;
    case 'rejected':
    case 'applied':
    case 'returned':
      return undefined;
  }
}
