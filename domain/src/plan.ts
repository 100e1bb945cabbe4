import { addDays, type DateOnly } from './calendar.ts';
import { centavos, percentOf, subtract, type Centavos } from './money.ts';

/** A product's price and its merchant's `percentDeposit`, `fracuencyPay`, `planPaymentDuration` (spec §3). */
export interface PlanTerms {
  readonly priceCentavos: Centavos;
  /** 20 % = 2000. */
  readonly depositBasisPoints: number;
  /** Days between instalments. */
  readonly frequencyDays: number;
  /** Days from the deposit to the last instalment. */
  readonly durationDays: number;
}

export interface PlannedInstalment {
  /** 1 is the deposit. */
  readonly number: number;
  readonly dueOn: DateOnly;
  readonly amountCentavos: Centavos;
}

/** The most instalments of a plan, the deposit among them. */
export const MOST_INSTALMENTS = 120;

/** The longest plan in days, ten years: beyond it somebody mistyped. */
const LONGEST_DURATION_DAYS = 3_653;

export type PlanProblem =
  | 'frequency-below-one'
  | 'duration-below-one'
  | 'duration-too-long'
  | 'too-many-instalments'
  | 'deposit-out-of-range'
  | 'rest-too-small';

/**
 * Why terms cannot be offered, or undefined when they can. The deposit must lie strictly between 0 and the
 * price, and the rest must give every later instalment at least one centavo.
 */
export function planProblem(terms: PlanTerms): PlanProblem | undefined {
  const { priceCentavos, depositBasisPoints, frequencyDays, durationDays } = terms;
  if (!isWhole(frequencyDays)) return 'frequency-below-one';
  if (!isWhole(durationDays)) return 'duration-below-one';
  if (durationDays > LONGEST_DURATION_DAYS) return 'duration-too-long';
  const later = laterInstalments(terms);
  if (later + 1 > MOST_INSTALMENTS) return 'too-many-instalments';
  if (!isWhole(depositBasisPoints) || depositBasisPoints >= 10_000) return 'deposit-out-of-range';
  const deposit = depositOf(terms);
  if (deposit <= 0 || deposit >= priceCentavos) return 'deposit-out-of-range';
  return priceCentavos - deposit < later ? 'rest-too-small' : undefined;
}

/** The deposit: its share of the price, rounded half up to the centavo. */
export function depositOf(terms: PlanTerms): Centavos {
  return percentOf(terms.priceCentavos, terms.depositBasisPoints);
}

export interface PlanSummary {
  readonly depositCentavos: Centavos;
  /** How many instalments follow the deposit, at least 1. */
  readonly laterInstalments: number;
  /** Each of them but the last. */
  readonly eachCentavos: Centavos;
  /** The last of them, with the centavos that do not divide. */
  readonly lastCentavos: Centavos;
}

/** A plan in four figures. Throws RangeError for terms that have a `planProblem`. */
export function describePlan(terms: PlanTerms): PlanSummary {
  const problem = planProblem(terms);
  if (problem !== undefined) throw new RangeError(`no plan for these terms: ${problem}`);
  const depositCentavos = depositOf(terms);
  const rest = subtract(terms.priceCentavos, depositCentavos);
  const later = laterInstalments(terms);
  const eachCentavos = centavos(Math.floor(rest / later));
  return {
    depositCentavos,
    laterInstalments: later,
    eachCentavos,
    lastCentavos: centavos(rest - eachCentavos * (later - 1)),
  };
}

/**
 * The schedule of a purchase whose deposit is paid on a day: the deposit, then one instalment every
 * `frequencyDays`, the last one due at the end of the duration. Its amounts sum to the price exactly.
 * Throws RangeError for terms that have a `planProblem`.
 */
export function buildPlan(terms: PlanTerms, depositOn: DateOnly): PlannedInstalment[] {
  const plan = describePlan(terms);
  const later = Array.from({ length: plan.laterInstalments }, (_, index) => {
    const isLast = index === plan.laterInstalments - 1;
    return {
      number: index + 2,
      dueOn: addDays(depositOn, isLast ? terms.durationDays : (index + 1) * terms.frequencyDays),
      amountCentavos: isLast ? plan.lastCentavos : plan.eachCentavos,
    };
  });
  return [{ number: 1, dueOn: depositOn, amountCentavos: plan.depositCentavos }, ...later];
}

type Rhythm = Pick<PlanTerms, 'frequencyDays' | 'durationDays'>;

/** How many instalments a plan has at any price, the deposit among them. */
export function instalmentsOf(rhythm: Rhythm): number {
  return laterInstalments(rhythm) + 1;
}

function laterInstalments({ frequencyDays, durationDays }: Rhythm): number {
  return Math.ceil(durationDays / frequencyDays);
}

function isWhole(count: number): boolean {
  return Number.isSafeInteger(count) && count >= 1;
}
