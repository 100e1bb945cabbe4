import type { Db, Tx } from '../../platform/db/db.ts';
import { figuresOf, isCurrent, labelOf, type Figures, type Label } from './label.ts';
import { listOffers, recordPrinted, type OfferWithLabel, type WhichOffers } from './store.ts';

/** Labels to print now, each remembered as the newest of its product; products whose terms make no plan are listed apart. */
export async function printLabels(
  tx: Tx,
  which: WhichOffers & { readonly outdatedOnly?: boolean },
  origin: string,
): Promise<{ labels: Label[]; withoutPlan: OfferWithLabel[] }> {
  const offers = await listOffers(tx, which);
  const wanted = which.outdatedOnly ? offers.filter(isOutdated) : offers;
  const labels = wanted.flatMap((offer) => labelOf(offer, origin) ?? []);
  await recordPrinted(tx, labels);
  return { labels, withoutPlan: wanted.filter((offer) => figuresOf(offer) === undefined) };
}

/** A product whose newest label does not say today's figures. */
export interface OutdatedLabel {
  readonly offer: OfferWithLabel;
  readonly printed: Figures & { readonly printedAt: Date };
  /** Undefined where today's terms make no plan. */
  readonly today: Figures | undefined;
}

/**
 * Labels in shops that are out of date. Buyers who scan one are told of the change before they pay
 * (rules/layaways#scanned-reference).
 */
export async function listOutdatedLabels(db: Db, which: WhichOffers): Promise<OutdatedLabel[]> {
  const offers = await listOffers(db, which);
  return offers.flatMap((offer) =>
    offer.printed !== null && isOutdated(offer)
      ? [{ offer, printed: offer.printed, today: figuresOf(offer) }]
      : [],
  );
}

function isOutdated(offer: OfferWithLabel): boolean {
  const today = figuresOf(offer);
  return offer.printed !== null && (today === undefined || !isCurrent(offer.printed, today));
}
