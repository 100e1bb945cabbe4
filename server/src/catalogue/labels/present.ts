import { pesosFromCentavos } from '@aparta/contract/amount';
import type { CounterProduct } from '@aparta/contract/counter-products';
import { describePlan } from '@aparta/domain/plan';

import { presentPictures } from '../present.ts';
import type { UnitsOfBranch } from '../units/read-model.ts';
import { labelOf } from './label.ts';
import type { LabelPreview } from './preview.ts';
import type { OfferedProduct } from './store.ts';

/** A product as its shop sees it; `origin` is where buyers find us. */
export function presentOffer(
  offer: OfferedProduct,
  origin: string,
  branches: readonly UnitsOfBranch[],
): CounterProduct {
  const label = offer.isWithdrawn ? undefined : labelOf(offer, origin);
  return {
    id: offer.productId,
    sku: offer.sku,
    name: offer.productName,
    description: offer.description,
    price: pesosFromCentavos(offer.priceCentavos),
    ivaPercent: offer.ivaBasisPoints / 100,
    invoicingKey: offer.invoicingProductUuid,
    onSale: !offer.isWithdrawn,
    pictures: presentPictures(offer.productId, offer.picture),
    version: offer.version,
    units: offer.countsUnits
      ? {
          free: branches.reduce((all, { free }) => all + free, 0),
          branches: branches.map(({ branchId, branch, free, held }) => ({ branchId, branch, free, held })),
        }
      : null,
    plan: label === undefined ? null : { ...planOf(offer), link: label.link },
  };
}

function planOf(offer: OfferedProduct) {
  const { depositCentavos, laterInstalments, eachCentavos, lastCentavos } = describePlan(offer);
  return {
    deposit: pesosFromCentavos(depositCentavos),
    payments: laterInstalments + 1,
    each: pesosFromCentavos(eachCentavos),
    last: pesosFromCentavos(lastCentavos),
    everyDays: offer.frequencyDays,
  };
}

/** What a chat shows of a product's link. */
export function presentPreview(preview: LabelPreview | undefined, origin: string) {
  if (preview === undefined) return undefined;
  const { title, description, productId, picture } = preview;
  const pictures = presentPictures(productId, picture);
  return { title, description, image: pictures ? origin + pictures.large : undefined };
}
