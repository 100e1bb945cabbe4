import { formatMoment } from '@aparta/domain/calendar';
import { formatMoney } from '@aparta/domain/money';
import { createLog } from '@aparta/server/platform/logging';
import {
  askRefundAgain,
  letRefundWait,
  markRefundBounced,
  markRefundOnTerminal,
  markRefundPaid,
  payRefundInCash,
} from '@aparta/server/payments/refunds/decide-refund';
import { readGivenBack } from '@aparta/server/payments/refunds/read-given-back';
import { refundCardPayment } from '@aparta/server/payments/refunds/refund-card-payment';
import { findRefund } from '@aparta/server/ledger/refunds/store';
import { RefusedChange } from '@aparta/server/platform/refused-change';
import { acts, changes, type Command } from '../command.ts';
import { text, untilDay, whole } from '../options.ts';
import { sentence } from '../print.ts';
import { PAYMENTS as says } from './payments-copy.ts';
import { externalRefund } from './external-refund.ts';

const refund = whole('Número de la devolución');

export const refundCommands: readonly Command[] = [
  acts({
    name: 'refund check',
    says: 'Sigue ahora con una devolución a tarjeta, sin esperar a su hora. Nunca devuelve dos veces',
    positionals: { refund },
    examples: [['refund check 12', 'Lee lo que Clip ya devolvió y, si falta, lo pide una vez']],
    subject: (_, { refund: id }) => ({ kind: 'refund', id }),
    async run({ db, parts }, { refund: id }) {
      if ((await findRefund(db, id)) === undefined) throw new RefusedChange('refund_unknown', { id });
      await refundCardPayment(parts.engine, id, createLog('silent'));
      const state = (await findRefund(db, id))?.state ?? '';
      return { detail: { state }, said: sentence(says.refundChecked(state), { state }) };
    },
  }),
  changes({
    name: 'refund retry',
    says: 'Vuelve a pedir una devolución a tarjeta que estaba detenida o en pausa',
    positionals: { refund },
    examples: [['refund retry 12', 'Cuando ya se arregló lo que la detuvo']],
    run:
      (_, { refund: id }) =>
      async (tx) => {
        const { amountCentavos } = await askRefundAgain(tx, id);
        return {
          subject: { kind: 'refund', id },
          detail: { amountCentavos },
          said: sentence(says.refundAgain, { id }),
        };
      },
  }),
  changes({
    name: 'refund wait',
    says: 'Deja esperar una devolución detenida y calla su alarma hasta un día: una disputa en el banco, por ejemplo',
    positionals: { refund },
    options: {
      until: { ...untilDay('Hasta qué día calla, AAAA-MM-DD'), demandOption: true },
      reason: { ...text('Por qué, para la bitácora'), demandOption: true },
    },
    examples: [['refund wait 12 --until 2027-01-15 --reason "En disputa"', 'Ese día vuelve a la lista']],
    run:
      (_, { refund: id, until, reason }) =>
      async (tx) => {
        const { amountCentavos } = await letRefundWait(tx, id, until);
        return {
          subject: { kind: 'refund', id },
          detail: { until, reason, amountCentavos },
          said: sentence(says.refundWaits(formatMoment(until)), { until }),
        };
      },
  }),
  changes({
    name: 'refund to-cash',
    says: 'Cambia una devolución a tarjeta por la misma deuda en efectivo, si Clip no la ha devuelto',
    positionals: { refund },
    options: {
      seenUnpaid: {
        type: 'boolean',
        default: false,
        describe:
          'En el panel de Clip se vio que no se devolvió. Hace falta si está detenida, o si Clip no contesta',
      },
    },
    examples: [
      ['refund to-cash 12', 'Cuando la tarjeta ya no sirve'],
      ['refund to-cash 12 --seen-unpaid', 'Está detenida, y en el panel de Clip no se ha devuelto'],
    ],
    async run({ parts }, { refund: id, seenUnpaid: isSeenUnpaid }) {
      const givenBack = await readGivenBack(parts.engine, id);
      return async (tx) => {
        const { cashRefundId } = await payRefundInCash(tx, id, { givenBack, isSeenUnpaid });
        return {
          subject: { kind: 'refund', id },
          detail: { cashRefundId, isSeenUnpaid, givenBack },
          said: sentence(says.toCash(cashRefundId), { cashRefundId }),
        };
      };
    },
  }),
  externalRefund({
    name: 'refund external-refund',
    positionals: { refund },
    example: '12',
    async attemptOf(db, { refund: id }) {
      const found = await findRefund(db, Number(id));
      if (found === undefined) throw new RefusedChange('refund_unknown', { id: Number(id) });
      if (found.attemptId === null) throw new RefusedChange('refund_not_by_card', { id: found.id });
      return found.attemptId;
    },
  }),
  changes({
    name: 'refund paid',
    says: 'Anota que una devolución en efectivo, o en la terminal que cobró, ya está en manos del comprador',
    positionals: { refund },
    options: {
      by: {
        choices: ['merchant', 'operator'] as const,
        demandOption: true,
        describe: 'Quién entregó el dinero',
      },
      on: {
        choices: ['cash', 'terminal'] as const,
        default: 'cash' as const,
        describe: 'En efectivo, o en la terminal del comercio: solo lo que ella cobró, a la misma tarjeta',
      },
      evidence: { ...text('Qué lo demuestra: vale firmado, número de transferencia'), demandOption: true },
    },
    examples: [
      ['refund paid 12 --by merchant --evidence "Vale firmado 118"', 'La entregó el comercio'],
      ['refund paid 12 --by merchant --on terminal --evidence "Vale de la terminal 0482"', 'En su terminal'],
    ],
    run:
      (_, { refund: id, by, on, evidence }) =>
      async (tx) => {
        if (evidence.length === 0 || evidence.length > 300) throw new RefusedChange('evidence_length');
        const handover = { paidBy: by, evidence };
        const { amountCentavos, last4 } =
          on === 'terminal'
            ? await markRefundOnTerminal(tx, id, handover)
            : { ...(await markRefundPaid(tx, id, handover)), last4: undefined };
        return {
          subject: { kind: 'refund', id },
          detail: { by, on, evidence, amountCentavos },
          said: sentence(says.paid(formatMoney(amountCentavos), last4), { amountCentavos }),
        };
      },
  }),
  changes({
    name: 'refund bounced',
    says: 'Anota que una devolución en efectivo entregada rebotó: se debe otra vez',
    positionals: { refund },
    options: { reason: { ...text('Por qué, para la bitácora'), demandOption: true } },
    examples: [['refund bounced 12 --reason "Transferencia rechazada"', 'Se debe otra vez']],
    run:
      (_, { refund: id, reason }) =>
      async (tx) => {
        const { amountCentavos } = await markRefundBounced(tx, id);
        return {
          subject: { kind: 'refund', id },
          detail: { reason, amountCentavos },
          said: sentence(says.bounced(formatMoney(amountCentavos)), { amountCentavos }),
        };
      },
  }),
];
