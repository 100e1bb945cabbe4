import type { DateOnly } from '@aparta/domain/calendar';

import type { LedgerAccount, ReceiptChannel } from '../../platform/db/tables.ts';
import type { Issue } from './store.ts';
import type { AccountSums, Leg, Period, ReportedMerchant, Via } from './report.read-model.ts';

/** What a transfer of the ledger means to a merchant, in the order of the report. */
export const CONCEPTS = [
  'principal',
  'fee',
  'unapplied',
  'suspended',
  'resolved',
  'reversed',
  'penalty',
  'delivered',
  'owed_by_card',
  'owed_in_cash',
  'moved_to_cash',
  'refunded_by_card',
  'refunded_by_merchant',
  'refunded_by_operator',
  'lost',
  'settled',
  'deposited_to_merchant',
  'deposited_to_operator',
  'commission',
  'paid_to_merchant',
  'paid_to_operator',
  'explained',
] as const;
export type Concept = (typeof CONCEPTS)[number];

/** What takes from what came: shown below zero. */
const LEAVES: ReadonlySet<Concept> = new Set<Concept>([
  'reversed',
  'owed_by_card',
  'owed_in_cash',
  'refunded_by_card',
  'refunded_by_merchant',
  'refunded_by_operator',
  'lost',
  'commission',
  'paid_to_operator',
]);

/** An amount of a concept as it is printed: what came above zero, what left below. */
export function printed(concept: Concept, amount: number): number {
  return LEAVES.has(concept) ? 0 - amount : amount;
}

export interface Movement extends Leg {
  readonly concept: Concept;
  /** Below zero for what was voided. */
  readonly signedCentavos: number;
  /** The IVA inside it, with its sign; null where none is counted. */
  readonly ivaCentavos: number | null;
}

/** How many operations, and how much; below zero where more was voided. */
export interface Sum {
  readonly times: number;
  readonly centavos: number;
}

export interface AccountLine {
  readonly account: LedgerAccount;
  /** All as the account grows; `either` by debit. */
  readonly opening: number;
  readonly increase: number;
  readonly decrease: number;
  readonly closing: number;
}

/** A merchant's books over some days, made of the ledger alone. Amounts are centavos. */
export interface SettlementReport {
  readonly merchant: ReportedMerchant;
  readonly from: DateOnly;
  readonly to: DateOnly;
  readonly movements: readonly Movement[];
  readonly accounts: readonly AccountLine[];
  /** What a chain or Tapi took and had not paid at the end of the period. */
  readonly onItsWay: readonly {
    readonly channel: 'till' | 'cash';
    readonly collectedBy: 'merchant' | 'operator';
    readonly amountCentavos: number;
  }[];
  /** The accounts and channels that do not add up; empty when the report is right. */
  readonly disagrees: readonly string[];
  /** Its number and moment, where it is handed over. */
  readonly issue?: Issue;
}

export const CHANNELS = ['card', 'till', 'cash'] as const satisfies readonly ReceiptChannel[];
/** As a report tells them apart. */
export const REPORTED_VIAS = [
  ...CHANNELS,
  'counter_cash',
  'counter_terminal',
] as const satisfies readonly Via[];

export interface ReportFacts {
  readonly merchant: ReportedMerchant;
  readonly period: Pick<Period, 'from' | 'to'>;
  readonly legs: readonly Leg[];
  readonly sums: readonly AccountSums[];
  readonly receipts: readonly { readonly channel: ReceiptChannel; readonly amountCentavos: number }[];
  readonly onItsWay: SettlementReport['onItsWay'];
}

/**
 * Builds a report and checks it: each account's opening and movements make its closing, all closings sum to zero, and what came by
 * each channel is what its receipts say. What was voided within the period is no part of it.
 */
export function buildReport({
  merchant,
  period,
  legs: all,
  sums,
  receipts,
  onItsWay,
}: ReportFacts): SettlementReport {
  const legs = standing(all);
  const movements = legs.map(asMovement);
  const accounts = sums.map(({ account, normal, opening, closing }): AccountLine => {
    const total = (side: 'debit' | 'credit') =>
      sumOf(legs.filter((leg) => leg[side] === account).map((leg) => leg.amountCentavos));
    const [debits, credits] = [total('debit'), total('credit')];
    return normal === 'credit'
      ? { account, opening: 0 - opening, increase: credits, decrease: debits, closing: 0 - closing }
      : { account, opening, increase: debits, decrease: credits, closing };
  });
  const arrived = (channel: ReceiptChannel) =>
    sumOf(
      legs.flatMap((leg) =>
        leg.kind === `${channel}_receipt` && leg.voids === null ? leg.amountCentavos : [],
      ),
    );
  const disagrees: string[] = [
    ...accounts
      .filter(({ opening, increase, decrease, closing }) => opening + increase - decrease !== closing)
      .map(({ account }) => account),
    ...(sumOf(sums.map(({ closing }) => closing)) === 0 ? [] : ['ledger']),
    ...CHANNELS.filter(
      (channel) =>
        arrived(channel) !== (receipts.find((each) => each.channel === channel)?.amountCentavos ?? 0),
    ),
  ];
  const { from, to } = period;
  return { merchant, from, to, movements, accounts, onItsWay, disagrees };
}

/** Without what was voided and its void, where both are there: together they are nothing. */
function standing(legs: readonly Leg[]): Leg[] {
  const there = new Set(legs.map(({ eventId }) => eventId));
  const voided = new Set(legs.map(({ voids }) => voids));
  return legs.filter(({ eventId, voids }) => !voided.has(eventId) && (voids === null || !there.has(voids)));
}

/** The sum of a concept's movements: of all, of one way, or, for null, of those without one. */
export function sumMovements(
  movements: readonly Movement[],
  concept: Concept,
  { channel }: { channel?: Via | null } = {},
): Sum {
  const found = movements.filter(
    (each) => each.concept === concept && (channel === undefined || each.channel === channel),
  );
  return { times: operationsOf(found), centavos: sumOf(found.map(({ signedCentavos }) => signedCentavos)) };
}

/** How many operations movements are: one may move several amounts. */
export function operationsOf(movements: readonly Movement[]): number {
  return new Set(movements.map(({ eventId }) => eventId)).size;
}

/** What an account held at the end, positive in the direction in which it grows. */
export function closingOf({ accounts }: Pick<SettlementReport, 'accounts'>, account: LedgerAccount): number {
  return accounts.find((each) => each.account === account)?.closing ?? 0;
}

export const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + amount, 0);

function asMovement(leg: Leg): Movement {
  const isVoid = leg.voids !== null;
  const [concept, sign] = meaningOf(isVoid ? { ...leg, debit: leg.credit, credit: leg.debit } : leg);
  const signedCentavos = (isVoid ? -sign : sign) * leg.amountCentavos;
  return { ...leg, concept, signedCentavos, ivaCentavos: ivaOf(leg) };
}

/** Services, the fee and a commission among them, carry the general rate. */
const SERVICE_IVA = 1_600;

/**
 * The IVA inside what was collected for goods or as a fee, below zero for what of it was taken back or is owed back. A hand-over
 * collects nothing, and a penalty keeps what was collected: what it is for taxes the accountant says.
 */
function ivaOf({ debit, credit, amountCentavos, ivaBasisPoints }: Leg): number | null {
  const rate = (account: LedgerAccount) =>
    account === 'layaway_deposits' ? ivaBasisPoints : account === 'service_fee' ? SERVICE_IVA : null;
  const [came, left] = [
    rate(credit),
    credit === 'penalty_income' || credit === 'sale_delivered' ? null : rate(debit),
  ];
  if (came !== null) return insideOf(amountCentavos, came);
  return left === null ? null : 0 - insideOf(amountCentavos, left);
}

function insideOf(amount: number, basisPoints: number): number {
  return Math.round((amount * basisPoints) / (10_000 + basisPoints));
}

/** The IVA of goods and of fees over a period, by rate; the fees last. */
export function ivaLines(movements: readonly Movement[]): {
  readonly of: 'goods' | 'fee';
  readonly basisPoints: number;
  readonly grossCentavos: number;
  readonly ivaCentavos: number;
}[] {
  const taxed = movements.filter(({ ivaCentavos }) => ivaCentavos !== null);
  const isFee = ({ debit, credit }: Movement) => debit === 'service_fee' || credit === 'service_fee';
  const groups = Map.groupBy(taxed, (each) => (isFee(each) ? -1 : (each.ivaBasisPoints ?? 0)));
  return [...groups]
    .toSorted(([one], [other]) => other - one)
    .map(([rate, group]) => ({
      of: rate < 0 ? 'fee' : 'goods',
      basisPoints: rate < 0 ? SERVICE_IVA : rate,
      grossCentavos: sumOf(
        group.map(
          (each) =>
            (each.debit === 'layaway_deposits' || each.debit === 'service_fee' ? -1 : 1) *
            each.amountCentavos,
        ),
      ),
      ivaCentavos: sumOf(group.map(({ ivaCentavos }) => ivaCentavos ?? 0)),
    }));
}

/** Exhaustive: a new kind of event does not compile until it has a concept. */
function meaningOf({ kind, debit, credit }: Pick<Leg, 'kind' | 'debit' | 'credit'>): [Concept, 1 | -1] {
  switch (kind) {
    case 'card_receipt':
    case 'till_receipt':
    case 'cash_receipt':
      if (credit === 'layaway_deposits') return ['principal', 1];
      if (credit === 'service_fee') return ['fee', 1];
      return [credit === 'suspense' ? 'suspended' : 'unapplied', 1];
    case 'card_reversal':
    case 'till_reversal':
    case 'cash_reversal':
      return ['reversed', 1];
    case 'suspense_resolved':
      return ['resolved', 1];
    case 'cancel':
      if (credit === 'penalty_income') return ['penalty', 1];
      return [credit === 'card_refund_payable' ? 'owed_by_card' : 'owed_in_cash', 1];
    case 'handover':
      return ['delivered', 1];
    case 'card_refund':
      return ['refunded_by_card', 1];
    case 'refund_moved':
      return ['moved_to_cash', 1];
    case 'cash_refund':
      return [credit === 'merchant_funds' ? 'refunded_by_merchant' : 'refunded_by_operator', 1];
    case 'cash_refund_bounced':
      return [debit === 'merchant_funds' ? 'refunded_by_merchant' : 'refunded_by_operator', -1];
    case 'external_refund':
      if (debit === 'dispute_loss') return ['lost', 1];
      return [credit === 'card_clearing' ? 'refunded_by_card' : 'reversed', 1];
    case 'operation_settled':
      return ['settled', 1];
    case 'settlement_deposit':
      if (debit === 'provider_commission') return ['commission', 1];
      return [debit === 'merchant_funds' ? 'deposited_to_merchant' : 'deposited_to_operator', 1];
    case 'settlement_payout':
      return [debit === 'merchant_funds' ? 'paid_to_merchant' : 'paid_to_operator', 1];
    case 'settlement_explanation':
      return ['explained', credit === 'settlement_difference' ? 1 : -1];
    case 'settlement_void':
      throw new Error('a void has the concept of what it voids');
  }
}
