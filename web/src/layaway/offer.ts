import type { DateOnly } from '@aparta/domain/calendar';
import { add, type Centavos } from '@aparta/domain/money';
import { buildPlan, describePlan, planProblem, type PlanSummary } from '@aparta/domain/plan';
import type { Merchant, Product } from '../data/merchants.ts';
import type { Figures } from './wizard-address.ts';

/** What a layaway costs at the catalogue's current prices (spec §2, step 2). */
export interface Offer extends PlanSummary {
  readonly price: Centavos;
  readonly depositPercent: number;
  readonly cardFee: Centavos;
  readonly tillFee: Centavos;
  readonly frequencyDays: number;
  readonly deliveryDays: number;
  /** How many days late it ends by itself; null: never. */
  readonly endDaysLate: number | null;
  readonly firstDueOn: DateOnly;
  readonly lastDueOn: DateOnly;
  /** Today's fee and total: by card if the merchant takes cards, else at the till. */
  readonly todayFee: Centavos;
  readonly todayTotal: Centavos;
  readonly tillTotal: Centavos;
}

/**
 * The offer of a product that is reserved `today`; undefined if the merchant's plan is invalid or the product is not theirs.
 */
export function offerOf(merchant: Merchant, product: Product, today: DateOnly): Offer | undefined {
  const terms = {
    priceCentavos: product.price,
    depositBasisPoints: Math.round(merchant.depositPercent * 100),
    frequencyDays: merchant.frequencyDays,
    durationDays: merchant.durationDays,
  };
  if (product.merchantId !== merchant.id || planProblem(terms) !== undefined) return undefined;
  const plan = describePlan(terms);
  const [, ...later] = buildPlan(terms, today);
  const [first, last] = [later.at(0), later.at(-1)];
  if (!first || !last) return undefined;
  const todayFee = merchant.acceptsCards ? merchant.cardFee : merchant.tillFee;
  return {
    ...plan,
    price: product.price,
    depositPercent: merchant.depositPercent,
    cardFee: merchant.cardFee,
    tillFee: merchant.tillFee,
    frequencyDays: merchant.frequencyDays,
    deliveryDays: merchant.deliveryDays,
    endDaysLate: merchant.endDaysLate,
    firstDueOn: first.dueOn,
    lastDueOn: last.dueOn,
    todayFee,
    todayTotal: add(plan.depositCentavos, todayFee),
    tillTotal: add(plan.depositCentavos, merchant.tillFee),
  };
}

export function figuresOf(offer: Offer): Figures {
  return {
    price: offer.price,
    deposit: offer.depositCentavos,
    cardFee: offer.cardFee,
    tillFee: offer.tillFee,
    later: offer.laterInstalments,
    deliveryDays: offer.deliveryDays,
    endDaysLate: offer.endDaysLate,
  };
}
