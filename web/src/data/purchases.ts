import { centavosFromPesos } from '@aparta/contract/amount';
import type { AttemptState } from '@aparta/contract/payments';
import type { ProductPictures } from '@aparta/contract/pictures';
import type { PurchaseSummary, Sale } from '@aparta/contract/purchases';
import type { DateOnly } from '@aparta/domain/calendar';
import { sum, type Centavos } from '@aparta/domain/money';
import type { PurchaseStatus } from '@aparta/domain/purchase-status';
import type { AppliedPayment, Instalment, InstalmentWithPayments } from './instalments.ts';
import type { Claim } from './read-claim.ts';
import type { Moving } from './read-moving.ts';

/** A purchase with its whole plan. Sums without service fees. */
type PurchaseWith<I extends Instalment> = {
  id: number;
  status: PurchaseStatus;
  madeOn: DateOnly;
  merchant: string;
  client: string;
  product: string;
  details: string;
  logoFile: string;
  pictures: ProductPictures;
  price: Centavos;
  deposit: Centavos;
  paid: Centavos;
  /** The day on which it ends by itself, being late, and what stops that; undefined until its buyer was warned. */
  ending: { on: DateOnly; toPay: Centavos; isMoreTime: boolean } | undefined;
  /** What is left to pay; zero if cancelled. */
  owed: Centavos;
  /** By number. */
  instalments: readonly I[];
  /** The one of them that can be paid now. */
  next: I | undefined;
  /** Where the buyer's own card payment of it stands while it is open. */
  openAttempt: AttemptState | undefined;
  /**
   * What the shop's tills and counter take any sum of it by; undefined where it has none, where nothing is left to pay, and while
   * a card is paying.
   */
  tillReference: string | undefined;
};

/** A purchase as the list has it. */
export type Purchase = PurchaseWith<Instalment>;

export type PurchaseDetail = PurchaseWith<InstalmentWithPayments> & {
  merchantId: number;
  /** How many days late it ends by itself; null: never. */
  endDaysLate: number | null;
  /** What may be changed of its plan; undefined where the shop offers nothing and nothing was changed. */
  moving: Moving | undefined;
  /** Whether the goods were handed over. */
  isDelivered: boolean;
  /** Where the shop keeps the thing; undefined where it does not count it. */
  kept: { branch: string; since: DateOnly; checked: DateOnly | undefined } | undefined;
  /** The last day on which the shop may hand it over, once it is paid whole. */
  deliverBy: DateOnly | undefined;
  /** Whether that day is over, and nothing is claimed. */
  mayClaim: boolean;
  /** While it is open. */
  claim: Claim | undefined;
  cancelled: { on: DateOnly; reason: string; by: NonNullable<Sale['endedBy']> } | undefined;
  /** Whether money that was meant for it goes back, or is back already. */
  hasRefunds: boolean;
  /** Whether its merchant invoices here; else the buyer asks the shop itself. */
  isInvoicedHere: boolean;
  /** Of one that ended because its payments were taken back: what whoever took them gives back. */
  takenBack: readonly AppliedPayment[];
  /** Of a cancelled one: what was paid, fees included, what of it was kept, and what goes back, with which fees. */
  bill:
    | { paid: Centavos; penalty: Centavos; feesReturned: Centavos; feesKept: Centavos; refund: Centavos }
    | undefined;
};

export function readEnding(ending: Sale['ending']): Purchase['ending'] {
  return ending
    ? { on: ending.endsOn, toPay: centavosFromPesos(ending.toPay), isMoreTime: ending.moreTime }
    : undefined;
}

export function planOf<I extends Instalment>(
  instalments: readonly I[],
  isCancelled: boolean,
  { openAttempt, acceptsTills }: Pick<Sale | PurchaseSummary, 'openAttempt' | 'acceptsTills'>,
) {
  const next = instalments.find(({ isNext }) => isNext);
  return {
    instalments,
    next,
    openAttempt: openAttempt ?? undefined,
    tillReference: acceptsTills && next && !openAttempt ? instalments.at(-1)?.paymentReference : undefined,
    owed: sum(isCancelled ? [] : instalments.map(({ balance }) => balance)),
  };
}
