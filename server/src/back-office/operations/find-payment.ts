import type { Centavos } from '@aparta/domain/money';
import type { DateOnly } from '@aparta/domain/calendar';
import { parsePaymentReference } from '@aparta/domain/payment-reference';

import type { Db } from '../../platform/db/db.ts';
import {
  matchesByAmount,
  matchesByBuyer,
  matchesByFolio,
  matchesByPhone,
  matchesByProviderId,
  matchesByPurchase,
  matchesByReference,
  type Match,
} from './payment-search.read-model.ts';

/** What an operator knows of a payment that somebody asks about. */
export type Clue =
  | { readonly by: 'text'; readonly text: string }
  | { readonly by: 'amount'; readonly amountCentavos: Centavos; readonly on: DateOnly };

/**
 * The payables that a clue leads to: layaway references, purchases, or money that belongs to neither; newest first, at most
 * 50. A text may be a payment or cash reference, a folio, any provider's id, one of ours, a buyer's email address or
 * telephone, a purchase's number.
 */
export async function findPayments(db: Db, clue: Clue): Promise<Match[]> {
  if (clue.by === 'amount') return matchesByAmount(db, clue.amountCentavos, clue.on);
  const text = clue.text.trim();
  if (text === '') return [];
  if (text.includes('@')) return matchesByBuyer(db, text.toLowerCase());
  const compact = text.replaceAll(/[\s-]/g, '');
  const reference = parsePaymentReference(text);
  const [, phone] = /^(?:\+?52)?(\d{10})$/.exec(compact.replaceAll(/[()]/g, '')) ?? [];
  const found = [
    ...(reference === undefined ? [] : await matchesByReference(db, Number(reference.id))),
    ...(/^[1-9]\d{0,9}$/.test(compact) ? await matchesByPurchase(db, Number(compact)) : []),
    ...(/^[0-9A-Z]{10}$/i.test(compact) ? await matchesByFolio(db, compact.toUpperCase()) : []),
    ...(phone === undefined ? [] : await matchesByPhone(db, phone)),
    ...(await matchesByProviderId(db, text)),
  ];
  return [...new Map(found.map((match) => [keyOf(match), match])).values()];
}

function keyOf({ purchaseId, referenceId, sourceId }: Match): string {
  return purchaseId === null
    ? referenceId === null
      ? `source ${sourceId}`
      : `reference ${referenceId}`
    : `purchase ${purchaseId}`;
}
