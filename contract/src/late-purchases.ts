import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { idField, idParam } from './text.ts';

/** Ours: what one card payment may pay together. */
export const getLatePurchases = defineEndpoint({
  name: 'getLatePurchases',
  summary:
    'What is late of the buyer’s purchases at the merchant of one of them, that one first: at most as many as one card payment pays.',
  method: 'GET',
  path: '/v1/Cxc/GetLateWithAsync/:saleId',
  access: ['buyer'],
  params: v.object({ saleId: idParam }),
  reply: envelope(
    v.array(
      v.object({
        ventaId: idField,
        producto: v.string(),
        /** Of its oldest late instalment. */
        referencia: v.string(),
        abonos: v.array(v.object({ identificador: v.number(), monto: pesos })),
        cardFee: pesos,
      }),
    ),
  ),
  refusals: [],
});
