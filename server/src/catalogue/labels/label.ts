import { buildLayawayReference, layawayLink } from '@aparta/domain/layaway-reference';
import { formatMoney, type Centavos } from '@aparta/domain/money';
import { describePlan, planProblem, type PlanTerms } from '@aparta/domain/plan';

import { LABEL_COPY as copy } from './copy.ts';

/** A product and what it is offered for today. */
export interface Offer extends PlanTerms {
  readonly productId: number;
  readonly merchantId: number;
  readonly productName: string;
  /** The merchant's own code; empty where they have none. */
  readonly sku: string;
  readonly tradeName: string;
}

/** The figures that a label says and a later price makes untrue. */
export interface Figures {
  readonly priceCentavos: Centavos;
  readonly depositCentavos: Centavos;
  /** The deposit among them. */
  readonly payments: number;
}

export interface Label extends Figures {
  readonly productId: number;
  readonly productName: string;
  readonly sku: string;
  readonly tradeName: string;
  /** 'y 2 abonos de $1,200.00, uno cada 30 días' */
  readonly plan: string;
  /** What the QR says. */
  readonly link: string;
}

/** Today's figures of an offer; undefined where its terms make no plan. */
export function figuresOf(offer: PlanTerms): Figures | undefined {
  if (planProblem(offer) !== undefined) return undefined;
  const { depositCentavos, laterInstalments } = describePlan(offer);
  return { priceCentavos: offer.priceCentavos, depositCentavos, payments: laterInstalments + 1 };
}

/** What the label of an offer says; undefined where its terms make no plan. `origin` is where buyers find us. */
export function labelOf(offer: Offer, origin: string): Label | undefined {
  const figures = figuresOf(offer);
  if (figures === undefined) return undefined;
  const { productId, merchantId, productName, sku, tradeName, frequencyDays } = offer;
  const reference = buildLayawayReference({
    businessId: merchantId,
    productId,
    buyerId: 0,
    printedPriceCentavos: figures.priceCentavos,
    printedPayments: figures.payments,
    printedDepositCentavos: figures.depositCentavos,
  });
  return {
    ...figures,
    productId,
    productName,
    sku,
    tradeName,
    plan: planInWords(offer, frequencyDays),
    link: layawayLink(origin, reference),
  };
}

/** Whether a printed label still says the truth. */
export function isCurrent(printed: Figures, today: Figures): boolean {
  return (
    printed.priceCentavos === today.priceCentavos &&
    printed.depositCentavos === today.depositCentavos &&
    printed.payments === today.payments
  );
}

function planInWords(terms: PlanTerms, frequencyDays: number): string {
  const { laterInstalments, eachCentavos, lastCentavos } = describePlan(terms);
  if (laterInstalments === 1) return copy.onePayment(formatMoney(lastCentavos), terms.durationDays);
  return copy.payments(
    laterInstalments,
    formatMoney(eachCentavos),
    frequencyDays,
    lastCentavos === eachCentavos ? undefined : formatMoney(lastCentavos),
  );
}
