import { parseLayawayReference } from '@aparta/domain/layaway-reference';
import { formatMoney } from '@aparta/domain/money';

import type { Db } from '../../platform/db/db.ts';
import { LABEL_COPY as copy } from './copy.ts';
import { labelOf } from './label.ts';
import { listOffers } from './store.ts';

/** A label in two lines, and what the product looks like. */
export interface LabelPreview {
  readonly title: string;
  readonly description: string;
  readonly productId: number;
  /** The content of its picture; null without one. */
  readonly picture: string | null;
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
    productId,
    picture: offer?.picture ?? null,
  };
}
