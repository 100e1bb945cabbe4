import { parseLayawayReference } from '@aparta/domain/layaway-reference';
import { formatMoney } from '@aparta/domain/money';

import type { Db } from '../../platform/db/db.ts';
import { LABEL_COPY as copy } from './copy.ts';
import { labelOf } from './label.ts';
import { listOffers } from './store.ts';

/** A label in two lines. */
export interface LabelPreview {
  readonly title: string;
  readonly description: string;
}

/** What a chat shows of a shared link: what the product's label says today, and nothing of a buyer. */
export async function previewOf(
  db: Db,
  reference: string,
  origin: string,
): Promise<LabelPreview | undefined> {
  const parsed = parseLayawayReference(reference);
  if (!parsed.ok) return undefined;
  const { businessId: merchantId, productId } = parsed.value;
  const [offer] = await listOffers(db, { merchantId, productIds: [productId] });
  const label = offer && labelOf(offer, origin);
  if (label === undefined) return undefined;
  return {
    title: label.productName,
    description: copy.preview(formatMoney(label.depositCentavos), label.plan, label.tradeName),
  };
}
