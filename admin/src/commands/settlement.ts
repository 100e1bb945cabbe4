import { formatDate } from '@aparta/domain/calendar';
import { zero } from '@aparta/domain/money';
import { readReport } from '@aparta/server/back-office/settlements/read-report';
import {
  explainDifference,
  type Recorded,
  recordDeposit,
  recordPayout,
  voidSettlement,
} from '@aparta/server/back-office/settlements/record-settlement';
import {
  CONCEPTS,
  ivaLines,
  printed,
  REPORTED_VIAS,
  type SettlementReport,
  sumMovements,
} from '@aparta/server/back-office/settlements/report';
import { reportCsv } from '@aparta/server/back-office/settlements/report-csv';
import { issueWords, reportPdf } from '@aparta/server/back-office/settlements/report-pdf';
import {
  ACCOUNT_WORDS,
  CONCEPT_WORDS,
  inOrder,
  REPORT_COPY,
} from '@aparta/server/back-office/settlements/copy';
import { listPending } from '@aparta/server/back-office/settlements/read-model';
import {
  findSettlement,
  issueReport,
  listSettlements,
  type Settlement,
} from '@aparta/server/back-office/settlements/store';
import { transaction } from '@aparta/server/platform/db/transaction';
import { acts, type Changed, changes, type Command, reads } from '../command.ts';
import { day, outFile, pesos, text, whole } from '../options.ts';
import { type Draft, withFiles } from '../out-files.ts';
import { amount, money, type Said, sentence, table } from '../print.ts';
import { knownMerchant } from '../known-merchant.ts';
import { BOOKS as says, KINDS, PARTIES, VIAS } from './books-copy.ts';

const needed = <O extends object>(option: O) => ({ ...option, demandOption: true }) as const;
const merchant = whole('Número del comercio');
const settlement = whole('Número del movimiento, de settlement list');
const evidence = needed(
  text('Qué lo demuestra: clave de rastreo, número de depósito. La misma se anota una sola vez'),
);
const beyond = (describe: string) => ({ type: 'boolean', default: false, describe }) as const;
const happenedOn = needed(day('Qué día pasó, AAAA-MM-DD'));
const hands = ['merchant', 'operator'] as const;

export const settlementCommands: readonly Command[] = [
  acts({
    name: 'settlement report',
    says: 'El corte de un comercio: lo cobrado por cada vía, lo devuelto, lo depositado y lo que se debe',
    positionals: { merchant },
    options: {
      from: needed(day('Primer día, AAAA-MM-DD, hora del centro de México')),
      to: needed(day('Último día, AAAA-MM-DD')),
      csv: outFile('Archivo CSV con sumas, días y cada movimiento'),
      pdf: outFile('Archivo PDF para el comercio'),
    },
    examples: [
      ['settlement report 1 --from 2026-11-01 --to 2026-11-30', 'Las sumas del mes'],
      [
        'settlement report 1 --from 2026-11-01 --to 2026-11-30 --pdf corte.pdf --csv corte.csv',
        'Para entregarlo',
      ],
    ],
    subject: (_, { merchant: id }) => ({ kind: 'merchant', id }),
    async run({ settings, db, parts }, { merchant: merchantId, from, to, csv, pdf }) {
      const patient = parts.jobs.openForLong();
      try {
        const read = await readReport(patient, { merchantId, from, to });
        const files = [pdf, csv].filter((each) => each !== undefined);
        // What is only looked at has no number; nor has what must not be handed over.
        const isIssued = files.length > 0 && read.disagrees.length === 0;
        const write = (draft: Draft) =>
          transaction(db, async (tx) => {
            const issue = isIssued ? await issueReport(tx, { merchantId, from, to }) : undefined;
            const report = { ...read, ...(issue && { issue }) };
            // Before its number is given for good: a paper that cannot be written leaves no gap.
            if (csv !== undefined) await draft(csv, reportCsv(report));
            if (pdf !== undefined) await draft(pdf, await reportPdf(report, settings.productName));
            return report;
          });
        const report = files.length > 0 ? await withFiles(write) : read;
        return { detail: { from, to, number: report.issue?.number ?? null }, said: sayReport(report, files) };
      } finally {
        await patient.destroy();
      }
    },
  }),
  reads({
    name: 'settlement pending',
    says: 'Lo que cadenas, tiendas y Clip cobraron y ningún depósito ha traído',
    options: { merchant: whole('Solo de un comercio') },
    examples: [['settlement pending --merchant 1', 'Por vía, cadena y día']],
    async run({ db }, { merchant: merchantId }) {
      return table(
        await listPending(db, await knownMerchant(db, merchantId)),
        [
          ['COMERCIO', (row) => `${row.merchantId} ${row.merchant}`],
          ['VÍA', ({ channel }) => VIAS[channel]],
          ['CADENA', (row) => row.chain],
          ['DÍA', (row) => row.day],
          ['PARA', ({ collectedBy }) => PARTIES[collectedBy]],
          ['OPERACIONES', ({ operations }) => operations],
          ['CUÁNTO', ({ amountCentavos }) => amount(amountCentavos)],
        ],
        { none: says.nothingPending },
      );
    },
  }),
  reads({
    name: 'settlement list',
    says: 'Los depósitos, pagos y explicaciones que se anotaron de un comercio, el último primero',
    positionals: { merchant },
    examples: [['settlement list 1', 'Con su número y lo que falta por explicar']],
    async run({ db }, { merchant: merchantId }) {
      return table(
        await listSettlements(db, await knownMerchant(db, merchantId)),
        [
          ['MOVIMIENTO', ({ id }) => id],
          ['QUÉ', ({ kind, ofId }) => (ofId === null ? KINDS[kind] : `${KINDS[kind]} del ${ofId}`)],
          ['VÍA', ({ channel }) => channel && VIAS[channel]],
          ['DÍA', (row) => formatDate(row.happenedOn)],
          ['PAGA', paysDays],
          ['LO TIENE', ({ party }) => party && PARTIES[party]],
          ['CUÁNTO', ({ amountCentavos }) => amount(amountCentavos)],
          [
            'COMISIÓN',
            ({ commissionCentavos }) => (commissionCentavos === 0 ? '' : amount(commissionCentavos)),
          ],
          [
            'DIFERENCIA',
            ({ differenceCentavos }) => (differenceCentavos === 0 ? '' : amount(-differenceCentavos)),
          ],
          ['EVIDENCIA', (row) => (row.isVoided ? `CANCELADO ${row.evidence}` : row.evidence)],
        ],
        { none: says.noSettlements },
      );
    },
  }),
  changes({
    name: 'settlement deposit',
    says: 'Anota un depósito: de una cadena o de la red paga todas sus operaciones de esos días; de Clip, lo que diga',
    positionals: { merchant },
    options: {
      channel: needed({
        choices: ['card', 'till', 'cash'] as const,
        describe: 'Por qué vía se había cobrado',
      }),
      chain: text('De cajas: qué cadena'),
      from: day('De cajas y tiendas: primer día que paga, AAAA-MM-DD'),
      to: day('El último, si son varios'),
      amount: needed(pesos('Cuánto llegó, en pesos')),
      commission: pesos('Cuánto retuvo quien deposita, con su IVA'),
      on: happenedOn,
      evidence,
      paidTo: { choices: hands, describe: 'Quién lo recibió, si no es lo acordado' },
      beyond: beyond('Llegó más de lo que había en camino, y ya se revisó'),
    },
    examples: [
      [
        'settlement deposit 1 --channel till --chain CAJA-DEMO --from 2026-11-20 --amount 1176.80 --commission 23.20 --on 2026-11-21 --evidence "SPEI 8846"',
        'Lo de un día de cajas',
      ],
      [
        'settlement deposit 1 --channel card --amount 590.40 --commission 24.60 --on 2026-11-21 --evidence "Clip D-118"',
        'Un depósito de Clip',
      ],
    ],
    run:
      (
        _,
        { merchant: merchantId, commission = zero, amount, on, from, to, paidTo, beyond: isBeyond, ...given },
      ) =>
      async (tx) => {
        const recorded = await recordDeposit(tx, {
          ...given,
          merchantId,
          fromOn: from,
          toOn: to,
          party: paidTo,
          amountCentavos: amount,
          commissionCentavos: commission,
          happenedOn: on,
          isBeyond,
        });
        const { id, channel, differenceCentavos } = recorded.settlement;
        const { beforeCentavos = 0, leftCentavos = 0 } = recorded;
        const difference = money(Math.abs(differenceCentavos));
        return changed(
          recorded,
          [
            says.deposited(id, money(amount), recorded.operations),
            // What others are short of, or over, is said below.
            says.wasOnItsWay(money(beforeCentavos), channel === 'card' ? money(leftCentavos) : undefined),
            ...(differenceCentavos > 0 ? [says.isShort(id, difference)] : []),
            ...(differenceCentavos < 0 ? [says.isOver(id, difference)] : []),
          ].join('\n'),
        );
      },
  }),
  changes({
    name: 'settlement payout',
    says: 'Anota un pago entre el operador y el comercio',
    positionals: { merchant },
    options: {
      amount: needed(pesos('Cuánto, en pesos')),
      to: {
        choices: hands,
        default: 'merchant' as const,
        describe: 'A quién se le pagó: el operador al comercio, o al revés',
      },
      on: happenedOn,
      evidence,
      beyond: beyond('Se pagó más de lo que se tenía o se debía, y ya se revisó'),
    },
    examples: [
      [
        'settlement payout 1 --amount 1500 --on 2026-11-30 --evidence "SPEI 9001"',
        'El operador pagó al comercio',
      ],
    ],
    run:
      (_, { merchant: merchantId, amount, to, on, evidence: shown, beyond: isBeyond }) =>
      async (tx) => {
        const recorded = await recordPayout(tx, {
          merchantId,
          party: to,
          amountCentavos: amount,
          happenedOn: on,
          evidence: shown,
          isBeyond,
        });
        const { beforeCentavos = 0, leftCentavos = 0 } = recorded;
        return changed(
          recorded,
          [
            says.paid(recorded.settlement.id, money(amount), to),
            says.wasHeld(to, money(beforeCentavos), money(leftCentavos)),
          ].join('\n'),
        );
      },
  }),
  changes({
    name: 'settlement explain',
    says: 'Dice dónde está lo que faltó o sobró en un depósito',
    positionals: { settlement },
    options: {
      has: needed({
        choices: ['merchant', 'operator', 'provider'] as const,
        describe: 'Quién lo tiene: el comercio, el operador (o lo repone), o quien deposita, como comisión',
      }),
      amount: pesos('Cuánto, si no es todo'),
      on: happenedOn,
      evidence,
    },
    examples: [
      [
        'settlement explain 7 --has provider --on 2026-11-22 --evidence "Factura 118 de la cadena"',
        'Era comisión',
      ],
    ],
    run:
      (_, { settlement: ofId, has: party, amount, on, evidence: shown }) =>
      async (tx) => {
        const recorded = await explainDifference(tx, {
          ofId,
          party,
          amountCentavos: amount,
          happenedOn: on,
          evidence: shown,
        });
        const left = (await findSettlement(tx, ofId))?.differenceCentavos ?? 0;
        const { id, amountCentavos } = recorded.settlement;
        return changed(
          recorded,
          says.explained(id, money(amountCentavos), left === 0 ? undefined : money(Math.abs(left))),
        );
      },
  }),
  changes({
    name: 'settlement void',
    says: 'Cancela un movimiento mal anotado: los libros lo deshacen y lo que pagaba vuelve a faltar',
    positionals: { settlement },
    options: { reason: needed(text('Por qué, para la bitácora')) },
    examples: [['settlement void 7 --reason "Era de otro comercio"', 'Luego se anota bien']],
    run:
      (_, { settlement: id, reason }) =>
      async (tx) => {
        const voided = await voidSettlement(tx, id, reason);
        return {
          subject: { kind: 'settlement', id },
          detail: { reason },
          said: sentence(says.voided(id, money(voided.amountCentavos)), { id }),
        };
      },
  }),
];

function changed({ settlement: written, ...recorded }: Recorded, said: string): Changed {
  const { recordedAt: _at, isVoided: _voided, ...facts } = written;
  const detail = { ...facts, ...recorded };
  return {
    subject: { kind: 'settlement', id: written.id },
    detail,
    said: sentence(recorded.isAgain ? says.again(written.id) : said, detail),
  };
}

function paysDays({ chain, fromOn, toOn }: Settlement): string {
  const days = fromOn === toOn ? fromOn : `${fromOn}/${toOn}`;
  return [chain, days].filter(Boolean).join(' ');
}

/** Totals and balances of a report; its files have the rest. */
function sayReport(report: SettlementReport, files: readonly string[]): Said {
  const sums = CONCEPTS.flatMap((concept) =>
    [...REPORTED_VIAS, null].flatMap((channel) => {
      const { times, centavos } = sumMovements(report.movements, concept, { channel });
      return times === 0 ? [] : [{ concept, channel, times, centavos: printed(concept, centavos) }];
    }),
  );
  const { movements: _all, ...spec } = report;
  const line = (name: string, amount: string) => `  ${name.padEnd(60)}${amount.padStart(18)}`;
  const isProven = report.disagrees.length === 0;
  const said = [
    `${REPORT_COPY.title}: ${report.merchant.tradeName}, ${REPORT_COPY.period(formatDate(report.from), formatDate(report.to))}`,
    issueWords(report),
    ...sums.map(({ concept, channel, times, centavos }) => {
      const via = channel === null ? '' : ` (${VIAS[channel]})`;
      return line(`${CONCEPT_WORDS[concept]}${via}, ${times}`, money(centavos));
    }),
    ...ivaLines(report.movements).map(({ of, basisPoints, ivaCentavos }) =>
      line(`IVA: ${REPORT_COPY.ivaOf[of](basisPoints)}`, money(ivaCentavos)),
    ),
    REPORT_COPY.closing(formatDate(report.to)),
    ...inOrder(report.accounts)
      .filter(({ opening, closing }) => opening !== 0 || closing !== 0)
      .map(({ account, closing }) => line(ACCOUNT_WORDS[account], money(closing))),
    isProven ? REPORT_COPY.proves : REPORT_COPY.disagrees(report.disagrees.join(', ')),
    ...(files.length === 0 ? [] : [says.reportWritten(files)]),
  ];
  return {
    text: said.join('\n'),
    json: { ...spec, sums, files },
    ...(!isProven && { exitCode: 1 }),
  };
}
