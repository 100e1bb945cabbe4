import { formatMoney } from '@aparta/domain/money';
import { assignCash, assignDepositCash } from '@aparta/server/payments/cash/assign-cash';
import { checkCashOperation, NothingSaid } from '@aparta/server/payments/cash/take-notice';
import { createLog } from '@aparta/server/platform/logging';
import { bookStoreReversal } from '@aparta/server/back-office/operations/book-store-reversal';
import { endUnappliedCash } from '@aparta/server/back-office/operations/end-by-hand';
import { RefusedChange } from '@aparta/server/platform/refused-change';
import { acts, changes, type Command } from '../command.ts';
import { text, whole } from '../options.ts';
import { sentence } from '../print.ts';
import { PAYMENTS as says } from './payments-copy.ts';

const operation = text('Número de la operación en la red de tiendas');

export const cashCommands: readonly Command[] = [
  acts({
    name: 'cash check',
    says: 'Pregunta a la red de tiendas por una operación, y la anota si pasó. Se puede repetir',
    positionals: { operation },
    examples: [['cash check 7f1c…', 'Lo mismo que haría el trabajo automático']],
    subject: (_, { operation: id }) => ({ kind: 'cash_notice', id }),
    async run({ parts }, { operation: id }) {
      try {
        if (!(await checkCashOperation(parts.jobs, id, createLog('silent'))))
          throw new RefusedChange('operation_unknown', { id });
      } catch (error) {
        if (error instanceof NothingSaid) throw new RefusedChange('network_silent', { why: error.why });
        throw error;
      }
      return { detail: {}, said: sentence(says.cashChecked, { id }) };
    },
  }),
  changes({
    name: 'cash returned',
    says: 'Anota que la red de tiendas devolvió a quien pagó un efectivo sin dueño, o que no es en pesos',
    positionals: { operation },
    options: { evidence: { ...text('Qué lo demuestra: folio o correo de la red'), demandOption: true } },
    examples: [['cash returned 7f1c… --evidence "Folio 8841 de la red"', 'No espera más a nadie']],
    run:
      (_, { operation: id, evidence }) =>
      async (tx) => {
        if (evidence.length === 0 || evidence.length > 300) throw new RefusedChange('evidence_length');
        const { amountCentavos, currency } = await endUnappliedCash(tx, id);
        return {
          subject: { kind: 'cash_notice', id },
          detail: { evidence, amountCentavos, currency },
          said: sentence(says.returnedByNetwork, { amountCentavos, currency }),
        };
      },
  }),
  changes({
    name: 'cash reversed',
    says: 'Anota lo que la red de tiendas quitó y no se pudo anotar solo: ya tenía dueño, o se debía devolver',
    positionals: { operation },
    options: { reason: { ...text('Qué se averiguó, para la bitácora'), demandOption: true } },
    examples: [['cash reversed 9a02… --reason "La tienda se lo regresó"', 'Como suena en payment waiting']],
    run:
      (_, { operation: id, reason }) =>
      async (tx) => {
        const { amountCentavos, lostCentavos, purchaseId } = await bookStoreReversal(tx, id);
        return {
          subject: { kind: 'cash_notice', id },
          detail: { reason, amountCentavos, lostCentavos, purchaseId },
          said: sentence(
            says.reversed(
              formatMoney(amountCentavos),
              lostCentavos === 0 ? undefined : formatMoney(lostCentavos),
              purchaseId,
            ),
            { amountCentavos, lostCentavos, purchaseId },
          ),
        };
      },
  }),
  changes({
    name: 'cash reserve',
    says: 'Aparta con el efectivo de un aviso sin dueño, si se pagó a tiempo y hay pieza; si no, se le debe al comprador',
    positionals: { operation },
    options: {
      reference: { ...text('Número impreso del apartado'), demandOption: true },
      reason: { ...text('Cómo se supo, para la bitácora'), demandOption: true },
    },
    examples: [
      ['cash reserve 7f1c… --reference 11048277003 --reason "Trajo su ticket"', 'Queda en la bitácora'],
    ],
    run:
      (_, { operation: id, reference, reason }) =>
      async (tx) => {
        const { outcome, amountCentavos } = await assignDepositCash(tx, id, reference);
        return {
          subject: { kind: 'cash_notice', id },
          detail: { reference, reason, outcome, amountCentavos },
          said: sentence(says.depositAssigned(formatMoney(amountCentavos), outcome), {
            outcome,
            amountCentavos,
          }),
        };
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
    examples: [['cash assign 7f1c… --purchase 10023 --reason "Trajo su ticket"', 'Queda en la bitácora']],
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
