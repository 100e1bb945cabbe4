import { centavosFromPesos } from '@aparta/contract/amount';
import type { Reply } from '@aparta/contract/endpoint';
import { getMerchant, getProduct } from '@aparta/contract/merchants';
import type { ProductPictures } from '@aparta/contract/pictures';
import type { Centavos } from '@aparta/domain/money';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** A merchant and the plan that it offers today. */
export type Merchant = {
  id: number;
  name: string;
  companyId: number;
  depositPercent: number;
  frequencyDays: number;
  durationDays: number;
  cardFee: Centavos;
  tillFee: Centavos;
  penalty: Centavos;
  /** Within how many days of its last payment it hands a purchase over. */
  deliveryDays: number;
  /** How many days late it ends by itself; null: never. */
  endDaysLate: number | null;
  acceptsCards: boolean;
  address: string;
  phone: string;
  hours: string;
};

export type Product = {
  id: number;
  merchantId: number;
  name: string;
  price: Centavos;
  pictures: ProductPictures;
  /** No unit is left for this buyer. */
  soldOut: boolean;
};

export const merchantQuery = (id: number) =>
  queryOptions({
    queryKey: ['merchant', id],
    queryFn: ({ signal }) => call(getMerchant, { params: { id } }, { signal }),
    select: readMerchant,
  });

export const productQuery = (id: number) =>
  queryOptions({
    queryKey: ['product', id],
    queryFn: ({ signal }) => call(getProduct, { params: { id } }, { signal }),
    select: readProduct,
  });

function readMerchant({ data }: Reply<typeof getMerchant>): Merchant {
  return {
    id: data.id,
    name: data.tradeName || data.businessName,
    companyId: data.companyId,
    depositPercent: data.percentDeposit,
    frequencyDays: data.fracuencyPay,
    durationDays: data.planPaymentDuration,
    cardFee: centavosFromPesos(data.cardFee),
    tillFee: centavosFromPesos(data.tillFee),
    penalty: centavosFromPesos(data.ammountoCancel),
    deliveryDays: data.deliveryDays,
    endDaysLate: data.endDaysLate,
    acceptsCards: data.acceptsCards,
    address: data.address,
    phone: data.phone,
    hours: data.hours,
  };
}

function readProduct({ data }: Reply<typeof getProduct>): Product {
  return {
    id: data.id,
    merchantId: data.businessId,
    name: data.name,
    price: centavosFromPesos(data.salePrice),
    pictures: data.pictures,
    soldOut: data.soldOut,
  };
}
