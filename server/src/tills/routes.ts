import { centavosFromPesos } from '@aparta/contract/amount';
import { onLayaway, TILL_ERRORS, type TillReply } from '@aparta/contract/tills';

import { route, type Route } from '../http/route.ts';
import { lookAtReference } from '../payments/look-at-attempt.ts';
import type { SettleDeps } from '../payments/settle-attempt.ts';
import { TILL_MESSAGES } from './copy.ts';
import { takeDeposit, type TillDeps } from './take-deposit.ts';

/**
 * One path with two meanings (payments.md threat 7): a till's call books money; a buyer's makes us look at his card payment
 * again and reads `referencia` and `idtransaccion` alone. The kind of caller chooses, never the body.
 */
export function tillRoutes(deps: TillDeps & SettleDeps): Route[] {
  return [
    route(onLayaway, async ({ caller, body, log }): Promise<TillReply> => {
      if (caller.kind === 'buyer') {
        const where = { buyerId: caller.id, reference: body.referencia, paymentId: body.idtransaccion };
        const seen = await lookAtReference(deps, where, log);
        if (seen?.attempt.state !== 'applied') {
          return { error: TILL_ERRORS.noApprovedPayment, mensaje: TILL_MESSAGES[9], autorizacion: '' };
        }
        const ventaId = seen.outcome?.purchaseId ?? undefined;
        return {
          error: TILL_ERRORS.ok,
          mensaje: TILL_MESSAGES[0],
          autorizacion: seen.outcome?.folio ?? '',
          ...(ventaId === undefined ? {} : { ventaId }),
        };
      }
      const given = await takeDeposit(
        deps,
        caller,
        {
          reference: body.referencia,
          amountCentavos: centavosFromPesos(body.importe),
          chain: body.compañia,
          branch: body.sucursal,
          transactionId: body.idtransaccion,
        },
        log,
      );
      return { error: given.error, mensaje: given.message, autorizacion: given.authorisation };
    }),
  ];
}
