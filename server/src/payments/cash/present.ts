import { pesosFromCentavos } from '@aparta/contract/amount';
import type { CashReference as WireReference } from '@aparta/contract/cash';
import { feeFor } from '@aparta/domain/service-fee';
import { STORE_CHAINS } from '@aparta/domain/store-chains';

import type { IssuedReference } from './issue-reference.ts';

export function presentCashReference({ reference, purchase }: IssuedReference): WireReference {
  const instalment = purchase.instalments.find(({ id }) => id === reference.instalmentId);
  const value = reference.providerReference ?? '';
  return {
    references: [{ value }],
    barcode: value,
    amount: pesosFromCentavos(reference.amountCentavos),
    chosen: reference.isChosen,
    fee: pesosFromCentavos(
      feeFor({ amountCentavos: purchase.feeCentavos, methods: purchase.feeMethods }, 'cash'),
    ),
    expiresAt: reference.expiresAt.toISOString(),
    ventaId: purchase.id,
    cxcId: reference.instalmentId,
    identificador: instalment?.number ?? 0,
    numCxc: purchase.instalments.length,
    fechaVencimiento: instalment?.dueOn ?? '',
    tradeName: purchase.tradeName,
    productName: purchase.productName,
    stores: STORE_CHAINS.map(({ name, limitCentavos }) => ({
      name,
      limit: pesosFromCentavos(limitCentavos),
    })),
  };
}
