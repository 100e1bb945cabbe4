import { centavosFromPesos } from '@aparta/contract/amount';
import type { Reply } from '@aparta/contract/endpoint';
import {
  createLayawayReference,
  getLayawayReference,
  REFERENCE_STATUS,
  type LayawayReference,
} from '@aparta/contract/layaway';
import { downloadLogo, getCompany, getMerchant, getProduct } from '@aparta/contract/merchants';
import { OPEN_ATTEMPT_STATES, type AttemptState } from '@aparta/contract/payments';
import type { Centavos } from '@aparta/domain/money';
import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { Figures } from './wizard-address.ts';

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
  acceptsCards: boolean;
};

export type Product = { id: number; merchantId: number; name: string; price: Centavos };

/** State of a reference, as the server last reported it. */
export type ReferenceState = 'waiting' | 'confirming' | 'paid' | 'expired' | 'cancelled';

export type Reference = Figures & {
  id: number;
  state: ReferenceState;
  /** The QR's text. */
  qrText: string;
  paymentReference: string;
  expiresAt: Date;
  merchantId: number;
  productId: number;
  merchantName: string;
  productName: string;
  cardTotal: Centavos;
  tillTotal: Centavos;
  acceptsCards: boolean;
  /** The newest card attempt. */
  attempt: { state: AttemptState; refund: Centavos | undefined; paidAt: Date | undefined } | undefined;
  /** Amount of each instalment after the deposit; `last` takes the rounding. */
  each: Centavos;
  last: Centavos;
  purchaseId: number | undefined;
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

/** A company's logo as a `data:` URL, or null if it has none. Cached for the visit. */
export const logoQuery = (companyId: number) =>
  queryOptions({
    queryKey: ['logo', companyId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { data: company } = await call(getCompany, { params: { id: companyId } }, { signal });
      if (company.logofileName === '') return null;
      const { data } = await call(downloadLogo, { params: { fileName: company.logofileName } }, { signal });
      return `data:${data.contentType};base64,${data.contentByteArray}`;
    },
  });

/** A reference, always refetched: it may be paid at a till at any time. */
export const referenceQuery = (id: number) =>
  queryOptions({
    queryKey: ['layaway-reference', id],
    staleTime: 0,
    queryFn: ({ signal }) => call(getLayawayReference, { params: { id } }, { signal }),
    select: readReference,
  });

/** Freezes the terms of a QR's text (`POST /v1/PullApartReference`). Idempotent. */
export const makeReference = (queries: QueryClient) =>
  mutationOptions({
    mutationFn: async ({ qrText, repeat }: { qrText: string; repeat: boolean }): Promise<number> => {
      const reply = await call(createLayawayReference, { body: { Referencia: qrText, repeat } });
      queries.setQueryData(referenceQuery(reply.data.id).queryKey, reply);
      return reply.data.id;
    },
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
    acceptsCards: data.acceptsCards,
  };
}

function readProduct({ data }: Reply<typeof getProduct>): Product {
  return {
    id: data.id,
    merchantId: data.businessId,
    name: data.name,
    price: centavosFromPesos(data.salePrice),
  };
}

function readReference({ data }: Reply<typeof getLayawayReference>): Reference {
  const [, first, ...others] = data.instalments;
  const each = centavosFromPesos(first?.amount ?? 0);
  return {
    id: data.id,
    state: stateOf(data),
    qrText: data.Referencia,
    paymentReference: data.paymentReference,
    expiresAt: new Date(data.expiresAt),
    merchantId: data.businessId,
    productId: data.productId,
    merchantName: data.tradeName,
    productName: data.productName,
    price: centavosFromPesos(data.price),
    deposit: centavosFromPesos(data.deposit),
    cardFee: centavosFromPesos(data.cardFee),
    tillFee: centavosFromPesos(data.tillFee),
    cardTotal: centavosFromPesos(data.cardTotal),
    tillTotal: centavosFromPesos(data.tillTotal),
    later: data.instalments.length - 1,
    acceptsCards: data.acceptsCards,
    attempt: data.attempt
      ? {
          state: data.attempt.state,
          refund: data.attempt.refund ? centavosFromPesos(data.attempt.refund.amount) : undefined,
          paidAt: data.attempt.paidAt === null ? undefined : new Date(data.attempt.paidAt),
        }
      : undefined,
    each,
    last: centavosFromPesos(others.at(-1)?.amount ?? first?.amount ?? 0),
    purchaseId: data.ventaId ?? undefined,
  };
}

/**
 * Only the server's state counts, never the phone's clock. An open attempt comes first, since it may have
 * begun in time.
 */
function stateOf({ Estatus, attempt }: LayawayReference): ReferenceState {
  if (Estatus === REFERENCE_STATUS.paid) return 'paid';
  if (attempt && OPEN_ATTEMPT_STATES.includes(attempt.state)) return 'confirming';
  if (Estatus === REFERENCE_STATUS.expired) return 'expired';
  return Estatus === REFERENCE_STATUS.cancelled ? 'cancelled' : 'waiting';
}
