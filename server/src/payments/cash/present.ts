import { pesosFromCentavos } from '@aparta/contract/amount';
import type { CashReference as WireReference } from '@aparta/contract/cash';
import { feeFor } from '@aparta/domain/service-fee';
import { STORE_CHAINS } from '@aparta/domain/store-chains';

import type { IssuedReference } from './issue-reference.ts';

export function presentCashReference({ reference, payable }: IssuedReference): WireReference {
  const value = reference.providerReference ?? '';
  return {
    references: [{ value }],
    barcode: value,
    amount: pesosFromCentavos(reference.amountCentavos),
    chosen: reference.isChosen,
    fee: pesosFromCentavos(
      feeFor({ amountCentavos: payable.feeCentavos, methods: payable.feeMethods }, 'cash'),
    ),
    expiresAt: reference.expiresAt.toISOString(),
    ventaId: payable.purchaseId,
    cxcId: payable.instalmentId,
    layawayId: payable.layawayReferenceId,
    identificador: payable.number,
    numCxc: payable.of,
    fechaVencimiento: payable.dueOn,
    tradeName: payable.tradeName,
    productName: payable.productName,
    stores: STORE_CHAINS.map(({ name, limitCentavos }) => ({
      name,
      limit: pesosFromCentavos(limitCentavos),
    })),
  };
}
