import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { productPictures } from './pictures.ts';
import { idField, idParam, line } from './text.ts';

export const getMerchant = defineEndpoint({
  name: 'getMerchant',
  summary: 'A merchant and the plan it offers.',
  method: 'GET',
  path: '/v1/Business/GetAsync/:id',
  access: ['buyer'],
  params: v.object({ id: idParam }),
  reply: envelope(
    v.object({
      id: idField,
      businessName: v.string(),
      tradeName: v.string(),
      rFC: v.string(),
      tblBusinessTypeId: v.number(),
      contact: v.string(),
      phone: v.string(),
      email: v.string(),
      tblPasarelaPagoId: v.number(),
      /** Percent of the price: 20 is 20 %. */
      percentDeposit: v.number(),
      /** Days between instalments. */
      fracuencyPay: v.number(),
      /** Days from the deposit to the last instalment. */
      planPaymentDuration: v.number(),
      /** Pesos kept when a purchase is cancelled. */
      ammountoCancel: pesos,
      companyId: idField,
      externalReferenceAntad: v.string(),
      ssoId: v.string(),
      /** The card frame's public key, and only for a buyer with something open there; else empty. */
      clipApiKey: v.string(),
      fGebusinessuuid: v.string(),
      /** Ours: whether a card can be used here. */
      acceptsCards: v.boolean(),
      /** Ours: where the shop is. */
      address: v.string(),
      /** Ours: when it is open, in its own words. */
      hours: v.string(),
      /** Ours: the service fee of each payment method (spec §9). */
      cardFee: pesos,
      tillFee: pesos,
      /** Ours: within how many days of its last payment the shop promises to hand a purchase over. */
      deliveryDays: v.number(),
      /** Ours: how many days late a purchase ends by itself, after two warnings; null: never. */
      endDaysLate: v.nullable(v.number()),
    }),
  ),
  refusals: ['NOT_FOUND'],
});

export const getProduct = defineEndpoint({
  name: 'getProduct',
  summary: "A product of a merchant, at today's price.",
  method: 'GET',
  path: '/v1/BusinessProduct/GetAsync/:id',
  access: ['buyer'],
  params: v.object({ id: idParam }),
  reply: envelope(
    v.object({
      id: idField,
      businessId: idField,
      name: v.string(),
      description: v.string(),
      sku: v.string(),
      salePrice: pesos,
      fGeproductuuid: v.string(),
      /** Ours. */
      pictures: productPictures,
      /** Ours: the shop counts it, and no unit is left for this buyer. */
      soldOut: v.boolean(),
    }),
  ),
  refusals: ['NOT_FOUND'],
});

export const getCompany = defineEndpoint({
  name: 'getCompany',
  summary: 'The group a merchant belongs to, with the name of its logo.',
  method: 'GET',
  path: '/v1/Company/GetAsync/:id',
  access: ['buyer'],
  params: v.object({ id: idParam }),
  reply: envelope(
    v.object({
      id: idField,
      name: v.string(),
      phone: v.string(),
      externalRefAntad: v.string(),
      /** Empty when there is no logo. */
      logofileName: v.string(),
    }),
  ),
  refusals: ['NOT_FOUND'],
});

export const downloadLogo = defineEndpoint({
  name: 'downloadLogo',
  summary: "A company's logo.",
  method: 'GET',
  path: '/v1/AzureBlobStorage/Download/:fileName',
  access: ['buyer'],
  params: v.object({ fileName: v.pipe(line(200), v.minLength(1)) }),
  reply: envelope(
    v.object({
      /** Base64. */
      contentByteArray: v.string(),
      /** Ours: what the bytes are. */
      contentType: v.picklist(['image/jpeg', 'image/png', 'image/webp']),
    }),
  ),
  refusals: ['NOT_FOUND'],
});
