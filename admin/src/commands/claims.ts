import { formatDate, formatMoment } from '@aparta/domain/calendar';
import { listClaims } from '@aparta/server/back-office/operations/claims.read-model';
import { RefusedChange } from '@aparta/server/platform/refused-change';
import { refundClaimByOperator } from '@aparta/server/purchases/cancelling/refund-claim';
import { changes, type Command, reads } from '../command.ts';
import { knownMerchant } from '../known-merchant.ts';
import { text, whole } from '../options.ts';
import { amount, facts, money, sentence, table } from '../print.ts';
import { CLAIMS as says } from './claims-copy.ts';

const folio = text('Folio del reclamo');

export const claimCommands: readonly Command[] = [
  reads({
    name: 'claim list',
    says: 'Lista los reclamos abiertos de quienes pagaron y no recibieron; primero los que más esperan',
    options: { merchant: whole('Solo de un comercio') },
    examples: [['claim list', 'Todos, con los que su comercio no contestó a tiempo']],
    async run({ db }, { merchant }) {
      return table(
        await listClaims(db, { merchantId: await knownMerchant(db, merchant) }),
        [
          ['RECLAMO', (row) => row.folio],
          ['COMPRA', ({ purchaseId }) => purchaseId],
          ['COMERCIO', ({ merchantId, tradeName }) => `${merchantId}: ${tradeName}`],
          ['PRODUCTO', ({ productName }) => productName],
          ['PAGADO', ({ paidCentavos }) => amount(paidCentavos)],
          ['DESDE', ({ openedAt }) => openedAt],
          ['PLAZO', ({ dueAt }) => dueAt],
          ['ESTADO', says.state],
        ],
        { none: says.none },
      );
    },
  }),
  reads({
    name: 'claim show',
    says: 'Muestra un reclamo: de quién, qué escribió y qué le contestaron',
    positionals: { folio },
    examples: [['claim show K7Q2M9XW4T', 'Con los teléfonos de los dos']],
    async run({ db }, { folio: asked }) {
      const [claim] = await listClaims(db, { folio: asked.toUpperCase() });
      if (claim === undefined) throw new RefusedChange('claim_unknown', { folio: asked });
      const { answer, answeredAt, promisedOn, endedAt } = claim;
      return facts(
        [
          ['Reclamo', `${claim.folio}, ${says.state(claim)}`],
          ['Compra', `${claim.purchaseId}: ${claim.productName}`],
          ['Pagado', money(claim.paidCentavos)],
          ['Comercio', `${claim.merchantId}: ${claim.tradeName}`],
          ['Teléfono del comercio', claim.merchantPhone],
          ['Comprador', `${claim.buyerName}, ${claim.buyerEmail}`],
          ['Teléfono', claim.buyerPhone],
          ['Abierto', formatMoment(claim.openedAt)],
          ['Plazo', formatMoment(claim.dueAt)],
          ['Escribió', claim.notes],
          ...(answer === null || answeredAt === null
            ? []
            : ([
                ['Le contestaron', answer],
                ['Contestado', formatMoment(answeredAt)],
                ['Para el día', promisedOn === null ? '' : formatDate(promisedOn)],
              ] as const)),
          ...(endedAt === null ? [] : ([['Terminó', formatMoment(endedAt)]] as const)),
        ],
        claim,
      );
    },
  }),
  changes({
    name: 'claim refund',
    says: 'Termina la compra de un reclamo: todo lo pagado se devuelve como vino, sin cargo',
    positionals: { folio },
    options: { reason: { ...text('Por qué, como lo lee el comprador'), demandOption: true } },
    examples: [
      [
        'claim refund K7Q2M9XW4T --reason "El comercio no contestó"',
        'Cuando el comercio no entrega ni devuelve',
      ],
    ],
    run:
      (_, { folio: asked, reason }) =>
      async (tx) => {
        const claimFolio = asked.toUpperCase();
        const { purchaseId, refunds } = await refundClaimByOperator(tx, claimFolio, reason);
        return {
          subject: { kind: 'claim', id: claimFolio },
          detail: { purchaseId, reason, refunds: refunds.map(({ id }) => id) },
          said: sentence(says.refunded(purchaseId), { purchaseId, refunds }),
        };
      },
  }),
];
