import type { Db, Tx } from '../../platform/db/db.ts';
import { figuresOf, isCurrent, labelOf, type Figures, type Label } from './label.ts';
import {
  listOffers,
  recordPrinted,
  type OfferWithLabel,
  type PrintedLabel,
  type WhichOffers,
} from './store.ts';

/**
 * Labels to print now; products whose terms make no plan are listed apart. Drawing takes minutes where they are many, so
 * it is done before {@link rememberPrinted}, outside a transaction.
 */
export async function chooseLabels(
  db: Db | Tx,
  which: WhichOffers & { readonly outdatedOnly?: boolean },
  origin: string,
): Promise<{ labels: Label[]; withoutPlan: OfferWithLabel[] }> {
  const offers = await listOffers(db, which);
  const wanted = which.outdatedOnly ? offers.filter(isOutdated) : offers;
  const labels = wanted.flatMap((offer) => labelOf(offer, origin) ?? []);
  return { labels, withoutPlan: wanted.filter((offer) => figuresOf(offer) === undefined) };
}

/** Remembers labels that were drawn as the newest of their products. */
export async function rememberPrinted(tx: Tx, labels: readonly Label[]): Promise<void> {
  await recordPrinted(tx, labels);
}

/** A product whose newest label does not say today's name or figures. */
export interface OutdatedLabel {
  readonly offer: OfferWithLabel;
  readonly printed: PrintedLabel;
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
  if (offer.printed === null) return false;
  const { productName } = offer.printed;
  const isRenamed = productName !== null && productName !== offer.productName;
  return isRenamed || today === undefined || !isCurrent(offer.printed, today);
}
