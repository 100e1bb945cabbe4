import { addDays, daysBetween, endOfDayInMexicoCity, type DateOnly } from './calendar.ts';
import { add, centavos, zero, type Centavos } from './money.ts';

/** A year, and what an accountant closes after it. */
export const MOST_STATEMENT_DAYS = 400;
/** A statement lists so many lines at most; its sums are of all of them. */
export const MOST_STATEMENT_LINES = 1_000;

/**
 * What a line of a statement is: `received` is money that no purchase got; the last three move money, but not what is owed: what
 * an ended purchase's shop kept, what goes back, and what is back. In the order of what happens at one moment.
 */
export const STATEMENT_KINDS = [
  'reserved',
  'payment',
  'received',
  'reversal',
  'ended',
  'penalty',
  'refund_owed',
  'refunded',
] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** Something that happened to a buyer's purchases or money. */
export interface StatementEvent {
  readonly kind: StatementKind;
  readonly at: Date;
  /** Null where no purchase had to do with it. */
  readonly purchaseId: number | null;
  /** A price, or money as it moved, fee included; of an end nothing. */
  readonly amountCentavos: Centavos;
  /** What a purchase had of a payment, or lost by its reversal: without fee. */
  readonly appliedCentavos: Centavos;
  /** The service fee inside a payment. */
  readonly feeCentavos: Centavos;
  /** Who paid it to help the buyer, to whom it goes back too; null of all other money. */
  readonly payerName: string | null;
}

/** An event with what it did to what is owed. */
export type StatementLine<E extends StatementEvent> = E & {
  readonly chargeCentavos: Centavos;
  readonly creditCentavos: Centavos;
  /** What all purchases together owe after it. */
  readonly balanceCentavos: Centavos;
};

export interface Statement<E extends StatementEvent> {
  readonly openingCentavos: Centavos;
  readonly closingCentavos: Centavos;
  /** Oldest first, at most {@link MOST_STATEMENT_LINES}. */
  readonly lines: readonly StatementLine<E>[];
  /** Whether `lines` are all of them. */
  readonly isWhole: boolean;
  /** Of the range: opening + reserved + reversed - paid - dropped = closing. */
  readonly sums: {
    readonly reservedCentavos: Centavos;
    readonly reversedCentavos: Centavos;
    readonly paidCentavos: Centavos;
    /** What ended purchases owed no more. */
    readonly droppedCentavos: Centavos;
    readonly feesCentavos: Centavos;
    readonly penaltiesCentavos: Centavos;
    /** What is back with the buyer, and what with who helped them. */
    readonly refundedCentavos: Centavos;
    readonly refundedToHelpersCentavos: Centavos;
  };
}

/** Whether days can be asked for: in order, and not too many. */
export function isStatementRange({ from, to }: { readonly from: DateOnly; readonly to: DateOnly }): boolean {
  const days = daysBetween(from, to);
  return days >= 0 && days < MOST_STATEMENT_DAYS;
}

/**
 * A buyer's account from one day to another, both included, by the clock of Mexico City, out of all that ever happened to it, in
 * any order. A reservation makes its price owed, a payment lowers that, a reversal raises it again, and an end takes away what was
 * still owed; an ended purchase owes nothing whatever comes later.
 */
export function buildStatement<E extends StatementEvent>(
  events: readonly E[],
  { from, to }: { readonly from: DateOnly; readonly to: DateOnly },
): Statement<E> {
  const [before, last] = [endOfDayInMexicoCity(addDays(from, -1)), endOfDayInMexicoCity(to)];
  const owed = new Map<StatementEvent['purchaseId'], number>();
  const sums = {
    reservedCentavos: zero,
    reversedCentavos: zero,
    paidCentavos: zero,
    droppedCentavos: zero,
    feesCentavos: zero,
    penaltiesCentavos: zero,
    refundedCentavos: zero,
    refundedToHelpersCentavos: zero,
  };
  let [opening, balance] = [0, 0];
  const lines: StatementLine<E>[] = [];
  for (const event of inOrder(events)) {
    if (event.at > last) break;
    const { chargeCentavos, creditCentavos } = applyTo(owed, event);
    balance += chargeCentavos - creditCentavos;
    if (event.at <= before) {
      opening = balance;
      continue;
    }
    lines.push({ ...event, chargeCentavos, creditCentavos, balanceCentavos: shown(balance) });
    const sumOf = sumOfEvent(event);
    if (sumOf !== undefined) {
      const moved = { charge: chargeCentavos, credit: creditCentavos, amount: event.amountCentavos };
      sums[sumOf[0]] = add(sums[sumOf[0]], moved[sumOf[1]]);
    }
    if (event.kind === 'payment') sums.feesCentavos = add(sums.feesCentavos, event.feeCentavos);
  }
  return {
    openingCentavos: shown(opening),
    closingCentavos: shown(balance),
    lines: lines.slice(0, MOST_STATEMENT_LINES),
    isWhole: lines.length <= MOST_STATEMENT_LINES,
    sums,
  };
}

/**
 * Cash of a store counts when it was paid, and may be booked after another payment that was then taken back: until that reversal
 * the two come to more than was owed.
 */
const shown = (balance: number): Centavos => centavos(Math.max(balance, 0));

/** Which sum a kind belongs to, and what of it counts there. */
const SUMS: Readonly<
  Partial<Record<StatementKind, readonly [keyof Statement<never>['sums'], 'charge' | 'credit' | 'amount']>>
> = {
  reserved: ['reservedCentavos', 'charge'],
  payment: ['paidCentavos', 'credit'],
  reversal: ['reversedCentavos', 'charge'],
  ended: ['droppedCentavos', 'credit'],
  penalty: ['penaltiesCentavos', 'amount'],
  refunded: ['refundedCentavos', 'amount'],
};

/** The sum of an event: what is back with who helped is not the buyer's. */
const sumOfEvent = ({ kind, payerName }: StatementEvent) =>
  kind === 'refunded' && payerName !== null ? (['refundedToHelpersCentavos', 'amount'] as const) : SUMS[kind];

/** What an event does to what its purchase owes; `owed` has those that owe or owed, and an ended one is gone from it. */
function applyTo(
  owed: Map<StatementEvent['purchaseId'], number>,
  { kind, purchaseId, ...event }: StatementEvent,
) {
  const nothing = { chargeCentavos: zero, creditCentavos: zero };
  if (kind === 'reserved') {
    owed.set(purchaseId, event.amountCentavos);
    return { ...nothing, chargeCentavos: event.amountCentavos };
  }
  const left = owed.get(purchaseId);
  if (left === undefined) return nothing;
  switch (kind) {
    case 'payment':
      owed.set(purchaseId, left - event.appliedCentavos);
      return { ...nothing, creditCentavos: event.appliedCentavos };
    case 'reversal':
      owed.set(purchaseId, left + event.appliedCentavos);
      return { ...nothing, chargeCentavos: event.appliedCentavos };
    case 'ended':
      owed.delete(purchaseId);
      return { ...nothing, creditCentavos: centavos(Math.max(left, 0)) };
    default:
      return nothing;
  }
}

/** Oldest first. A purchase begins with its first payment, which its provider may have dated before it was booked. */
function inOrder<E extends StatementEvent>(events: readonly E[]): E[] {
  const began = new Map<StatementEvent['purchaseId'], number>();
  for (const { purchaseId, at } of events)
    began.set(purchaseId, Math.min(began.get(purchaseId) ?? Infinity, at.getTime()));
  return events
    .map((event) => {
      const at = event.kind === 'reserved' ? began.get(event.purchaseId) : undefined;
      return at === undefined ? event : { ...event, at: new Date(at) };
    })
    .toSorted(
      (a, b) =>
        a.at.getTime() - b.at.getTime() ||
        STATEMENT_KINDS.indexOf(a.kind) - STATEMENT_KINDS.indexOf(b.kind) ||
        Number(a.purchaseId) - Number(b.purchaseId),
    );
}
