import { formatMoney } from '@aparta/domain/money';
import type { Db } from '@aparta/server/platform/db/db';
import { readExternalRefund } from '@aparta/server/back-office/operations/book-external-refund';
import type { InferredOptionTypes, Options } from 'yargs';
import { changes, type Command } from '../command.ts';
import { text } from '../options.ts';
import { sentence } from '../print.ts';
import { PAYMENTS as says } from './payments-copy.ts';

/** `payment external-refund` and `refund external-refund`: the same change, by the attempt or by one of its refunds. */
export function externalRefund<const P extends Readonly<Record<string, Options>>>({
  name,
  positionals,
  example,
  attemptOf,
}: {
  name: string;
  positionals: P;
  example: string;
  attemptOf: (db: Db, args: InferredOptionTypes<P>) => Promise<string>;
}): Command {
  return changes({
    name,
    says: 'Anota lo que salió de un cobro por otro camino, como el panel de Clip. Cuánto, lo dice Clip. Se puede repetir',
    positionals,
    options: {
      reason: { ...text('Qué pasó, para la bitácora'), demandOption: true },
      clipRefund: text('Número de la devolución en el panel de Clip'),
      notDelivered: {
        type: 'boolean',
        default: false,
        describe: 'La compra está liquidada y no se ha entregado: sus pagos se abren otra vez',
      },
      lost: {
        type: 'boolean',
        default: false,
        describe: 'Lo que no cubre ninguna devolución que se deba lo pierde el comercio',
      },
    },
    examples: [
      [`${name} ${example} --reason "Devuelto en el panel"`, 'Toma primero lo que se debía devolver'],
      [`${name} ${example} --lost --reason "Ya se entregó el producto"`, 'La compra lo sigue contando'],
    ],
    async run({ db, parts }, args) {
      const { reason, clipRefund: providerRefundId, lost: isLoss, notDelivered: isNotDelivered } = args;
      const attemptId = await attemptOf(db, args as never);
      const external = { isLoss, isNotDelivered, providerRefundId };
      const book = await readExternalRefund(parts.engine, attemptId, external);
      return async (tx) => {
        const booked = await book(tx);
        const { goneCentavos, taken, purchaseId } = booked;
        return {
          subject: { kind: 'card_attempt', id: attemptId },
          detail: { reason, goneCentavos, ...external, taken: taken.map(({ was }) => was) },
          said: sentence(says.externalRefund(formatMoney(goneCentavos), taken, purchaseId), booked),
        };
      };
    },
  });
}
