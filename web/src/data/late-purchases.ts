import { centavosFromPesos } from '@aparta/contract/amount';
import type { Reply } from '@aparta/contract/endpoint';
import { getLatePurchases } from '@aparta/contract/late-purchases';
import type { Allocation } from '@aparta/domain/allocation';
import { sum, type Centavos } from '@aparta/domain/money';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { PURCHASES } from './purchases-key.ts';

/** What is late of a purchase. */
export interface LatePurchase {
  readonly id: number;
  readonly product: string;
  /** Of its oldest late instalment. */
  readonly reference: string;
  /** What pays all that is late of it. */
  readonly amount: Centavos;
  readonly fills: Allocation['parts'];
  readonly cardFee: Centavos;
}

/** What is late at the merchant of a purchase, its own first; always refetched: others may be paying it. */
export const lateWithQuery = (purchaseId: number) =>
  queryOptions({
    queryKey: [...PURCHASES, 'late with', purchaseId],
    staleTime: 0,
    queryFn: ({ signal }) => fetchLateWith(purchaseId, signal),
  });

/** The same, once. */
export async function fetchLateWith(purchaseId: number, signal: AbortSignal): Promise<LatePurchase[]> {
  return readLate(await call(getLatePurchases, { params: { saleId: purchaseId } }, { signal }));
}

function readLate({ data }: Reply<typeof getLatePurchases>): LatePurchase[] {
  return data.map(({ ventaId, producto, referencia, abonos, cardFee }) => {
    const fills = abonos.map(({ identificador, monto }) => ({
      number: identificador,
      amountCentavos: centavosFromPesos(monto),
    }));
    return {
      id: ventaId,
      product: producto,
      reference: referencia,
      amount: sum(fills.map(({ amountCentavos }) => amountCentavos)),
      fills,
      cardFee: centavosFromPesos(cardFee),
    };
  });
}
