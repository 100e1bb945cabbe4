import { addDays, type DateOnly } from './calendar.ts';
import { LEAST_CHOSEN } from './buyer-sums.ts';
import { type Centavos, subtract, zero } from './money.ts';
import { MOST_INSTALMENTS } from './plan.ts';

/** The bounds of a merchant's rule: how many changes a plan takes, none by default, and by how many days each at most. */
export const MOVES_ALLOWED = { least: 0, most: 12 } as const;
export const MOVE_DAYS = { least: 1, most: 60, usual: 15 } as const;

/** The least that either part of a split instalment is: as of any sum that a buyer chooses. */
export const LEAST_PART = LEAST_CHOSEN;

export interface MovingRule {
  /** 0: the merchant offers none. */
  readonly movesAllowed: number;
  readonly moveDays: number;
}

export interface MovableInstalment {
  /** 1 is the deposit; the order of numbers is the order of days. */
  readonly number: number;
  readonly dueOn: DateOnly;
  readonly amountCentavos: Centavos;
  readonly paidCentavos: Centavos;
  /** Whether an invoice holds it as it is. */
  readonly isInvoiced?: boolean | undefined;
}

/** A plan as things stand, its instalments by number. */
export interface MovablePlan {
  /** Neither cancelled nor handed over. */
  readonly isActive: boolean;
  readonly rule: MovingRule;
  /** How many changes were made. */
  readonly changes: number;
  readonly today: DateOnly;
  readonly instalments: readonly MovableInstalment[];
}

/** Why nothing of an instalment can be changed. */
export type FixedReason =
  | 'not_offered'
  | 'ended'
  | 'no_changes_left'
  | 'unknown'
  | 'deposit'
  | 'paid'
  | 'invoiced'
  | 'last'
  | 'no_free_day';
/** Why it cannot become due on a day. */
export type DayProblem = 'not_later' | 'past' | 'too_late' | 'not_before_next';
/** Why it cannot be split so. */
export type PartProblem = 'part_too_small' | 'too_many' | 'later_fixed';
export type MovingProblem = FixedReason | DayProblem | PartProblem;

/** How many changes the rule still allows. */
export function changesLeft({ rule, changes }: Pick<MovablePlan, 'rule' | 'changes'>): number {
  return Math.max(0, rule.movesAllowed - changes);
}

/** Why nothing of an instalment can be changed now; undefined where it may be moved. */
export function whyFixed(plan: MovablePlan, number: number): FixedReason | undefined {
  const { isActive, rule, instalments } = plan;
  if (rule.movesAllowed === 0) return 'not_offered';
  if (!isActive || instalments.every(isPaid)) return 'ended';
  if (changesLeft(plan) === 0) return 'no_changes_left';
  const instalment = instalments.find((each) => each.number === number);
  if (instalment === undefined) return 'unknown';
  if (number === 1) return 'deposit';
  if (instalment.paidCentavos > zero) return 'paid';
  if (instalment.isInvoiced) return 'invoiced';
  if (nextOf(instalments, number) === undefined) return 'last';
  return freeDays(plan, number) === undefined ? 'no_free_day' : undefined;
}

/** The first and the last day on which an instalment, or a part of it, may become due; undefined without any. */
export function freeDays(
  { rule, today, instalments }: MovablePlan,
  number: number,
): { readonly from: DateOnly; readonly to: DateOnly } | undefined {
  const instalment = instalments.find((each) => each.number === number);
  const next = nextOf(instalments, number);
  if (instalment === undefined || next === undefined) return undefined;
  const from = later(addDays(instalment.dueOn, 1), today);
  const latest = addDays(instalment.dueOn, rule.moveDays);
  const before = addDays(next.dueOn, -1);
  const to = before < latest ? before : latest;
  return from <= to ? { from, to } : undefined;
}

/** Why an instalment cannot be moved to a day; undefined where it can. */
export function moveProblem(plan: MovablePlan, number: number, dueOn: DateOnly): MovingProblem | undefined {
  const fixed = whyFixed(plan, number);
  if (fixed !== undefined) return fixed;
  const { instalments, today, rule } = plan;
  const instalment = instalments.find((each) => each.number === number);
  const next = nextOf(instalments, number);
  if (instalment === undefined || next === undefined) return 'unknown';
  if (dueOn <= instalment.dueOn) return 'not_later';
  if (dueOn < today) return 'past';
  if (dueOn > addDays(instalment.dueOn, rule.moveDays)) return 'too_late';
  return dueOn < next.dueOn ? undefined : 'not_before_next';
}

/** The smallest and the greatest first part of an instalment; undefined where it cannot be split at all. */
export function firstParts(
  plan: MovablePlan,
  number: number,
): { readonly least: Centavos; readonly most: Centavos } | undefined {
  const instalment = plan.instalments.find((each) => each.number === number);
  if (instalment === undefined || whyNotSplit(plan, number) !== undefined) return undefined;
  const most = instalment.amountCentavos - LEAST_PART;
  return most < LEAST_PART
    ? undefined
    : { least: LEAST_PART, most: subtract(instalment.amountCentavos, LEAST_PART) };
}

/** Why an instalment cannot be split into a first part on its day and the rest on a later one; undefined where it can. */
export function splitProblem(
  plan: MovablePlan,
  number: number,
  { dueOn, firstCentavos }: { readonly dueOn: DateOnly; readonly firstCentavos: Centavos },
): MovingProblem | undefined {
  const problem = moveProblem(plan, number, dueOn) ?? whyNotSplit(plan, number);
  if (problem !== undefined) return problem;
  const parts = firstParts(plan, number);
  return parts !== undefined && firstCentavos >= parts.least && firstCentavos <= parts.most
    ? undefined
    : 'part_too_small';
}

/** All from it on take another's day and amount, so nothing of them may be paid or invoiced. */
function whyNotSplit(plan: MovablePlan, number: number): MovingProblem | undefined {
  const fixed = whyFixed(plan, number);
  if (fixed !== undefined) return fixed;
  if (plan.instalments.length >= MOST_INSTALMENTS) return 'too_many';
  const isFixed = (each: MovableInstalment) => each.paidCentavos > zero || each.isInvoiced === true;
  return plan.instalments.some((each) => each.number > number && isFixed(each)) ? 'later_fixed' : undefined;
}

/** An instalment of a plan that is changed. */
export interface ReplannedInstalment {
  readonly number: number;
  readonly dueOn: DateOnly;
  readonly amountCentavos: Centavos;
}

/** The plan with an instalment on another day. */
export function movedPlan(
  instalments: readonly ReplannedInstalment[],
  number: number,
  dueOn: DateOnly,
): ReplannedInstalment[] {
  return byNumber(instalments).map((each) => (each.number === number ? { ...each, dueOn } : each));
}

/**
 * The plan with an instalment in two. Numbers are printed, so none changes hands: each later one takes the day and the amount of the one
 * before it, and a new last number what was the last's.
 */
export function splitPlan(
  instalments: readonly ReplannedInstalment[],
  number: number,
  { dueOn, firstCentavos }: { readonly dueOn: DateOnly; readonly firstCentavos: Centavos },
): ReplannedInstalment[] {
  return byNumber(instalments).flatMap((each) => {
    if (each.number < number) return [each];
    if (each.number > number) return [{ ...each, number: each.number + 1 }];
    return [
      { ...each, amountCentavos: firstCentavos },
      { number: number + 1, dueOn, amountCentavos: subtract(each.amountCentavos, firstCentavos) },
    ];
  });
}

/** A change that was made to a plan, by the number that the instalment had then. */
export interface PlanChange {
  readonly kind: 'moved' | 'split';
  readonly number: number;
  readonly fromDay: DateOnly;
  readonly toDay: DateOnly;
}

/** What an instalment was before its plan was changed. */
export interface Trace {
  /** Its first day, where it was moved. */
  readonly wasDueOn?: DateOnly | undefined;
  /** Whether it is a part of one that was split. */
  readonly isPart: boolean;
}

/** Of each number of a plan that was changed, what it was; changes come in the order in which they were made. */
export function tracesOf(changes: readonly PlanChange[]): ReadonlyMap<number, Trace> {
  let traces = new Map<number, Trace>();
  for (const { kind, number, fromDay } of changes) {
    const before = traces.get(number);
    if (kind === 'moved') {
      traces.set(number, { isPart: before?.isPart ?? false, wasDueOn: before?.wasDueOn ?? fromDay });
      continue;
    }
    traces = new Map([...traces].map(([at, trace]) => [at > number ? at + 1 : at, trace]));
    traces.set(number, { ...before, isPart: true });
    traces.set(number + 1, { isPart: true });
  }
  return traces;
}

const isPaid = ({ amountCentavos, paidCentavos }: MovableInstalment) => paidCentavos >= amountCentavos;

const later = (a: DateOnly, b: DateOnly) => (a > b ? a : b);

function nextOf<T extends { readonly number: number }>(
  instalments: readonly T[],
  number: number,
): T | undefined {
  return instalments.find((each) => each.number === number + 1);
}

function byNumber(instalments: readonly ReplannedInstalment[]): ReplannedInstalment[] {
  return instalments
    .map(({ number, dueOn, amountCentavos }) => ({ number, dueOn, amountCentavos }))
    .toSorted((a, b) => a.number - b.number);
}
