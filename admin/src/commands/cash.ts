import { formatMoney } from '@aparta/domain/money';
import { assignCash } from '@aparta/server/cash/assign-cash';
import { lookAtOperation } from '@aparta/server/cash/take-notice';
import { createLog } from '@aparta/server/logging';
import { acts, changes, type Command } from '../command.ts';
import { text, whole } from '../options.ts';
import { sentence } from '../print.ts';
import { PAYMENTS as says } from './payments-copy.ts';

const operation = text('Número de la operación en la red de tiendas');

export const cashCommands: readonly Command[] = [
  acts({
    name: 'cash look',
    says: 'Pregunta a la red de tiendas por una operación, y la anota si pasó. Se puede repetir',
    positionals: { operation },
    examples: [['cash look 7f1c…', 'Lo mismo que haría el trabajo automático']],
    subject: (_, { operation: id }) => ({ kind: 'cash_notice', id }),
    async run({ parts }, { operation: id }) {
      await lookAtOperation(parts.jobs, id, createLog('silent'));
      return { detail: {}, said: sentence(says.cashLooked, { id }) };
    },
  }),
  changes({
    name: 'cash assign',
    says: 'Da a una compra el efectivo de un aviso sin dueño; lo que sobre se le debe al comprador',
    positionals: { operation },
    options: {
      purchase: { ...whole('Número de la compra'), demandOption: true },
      reason: { ...text('Cómo se supo, para la bitácora'), demandOption: true },
    },
    examples: [
      ['cash assign 7f1c… --purchase 10023 --reason "Trajo su comprobante"', 'Queda en la bitácora'],
    ],
    run:
      (_, { operation: id, purchase, reason }) =>
      async (tx) => {
        const { outcome, amountCentavos } = await assignCash(tx, id, purchase);
        return {
          subject: { kind: 'cash_notice', id },
          detail: { purchase, reason, outcome, amountCentavos },
          said: sentence(says.assigned(formatMoney(amountCentavos), outcome), { outcome, amountCentavos }),
        };
      },
  }),
];
