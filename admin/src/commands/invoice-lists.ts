import { type ListedInvoice, listInvoices } from '@aparta/server/back-office/operations/invoices.read-model';
import {
  listUninvoiced,
  type Uninvoiced,
  UNINVOICED_STATES,
} from '@aparta/server/back-office/operations/uninvoiced';
import type { Composition } from '@aparta/server/compose';
import { INVOICE_STATES } from '@aparta/server/invoicing/invoices/invoice';
import type { Db } from '@aparta/server/platform/db/db';
import { type Command, reads } from '../command.ts';
import { knownMerchant } from '../known-merchant.ts';
import { csvFile, limit, listing } from '../listing.ts';
import { month, outFile, whole } from '../options.ts';
import { amount, type Columns, table } from '../print.ts';
import { inWords, STATES } from '../state-words.ts';
import { PAYMENTS as says, UNINVOICED } from './payments-copy.ts';

const merchant = whole('Solo de un comercio');
const csv = outFile('Archivo CSV; si no, se muestra');

const INVOICES: Columns<ListedInvoice> = [
  ['FACTURA', ({ id }) => id],
  ['PAGADA', ({ paidAt }) => paidAt],
  ['PEDIDA', ({ askedAt }) => askedAt],
  ['EMITIDA', ({ issuedAt }) => issuedAt],
  ['COMERCIO', ({ merchantId }) => merchantId],
  ['COMPRA', ({ purchaseId }) => purchaseId],
  ['ABONO', ({ number }) => number],
  ['COMPRADOR', ({ buyer }) => buyer],
  ['RFC', ({ rfc }) => rfc],
  ['CUÁNTO', ({ amountCentavos }) => amount(amountCentavos)],
  ['FORMA', ({ paymentForm }) => paymentForm],
  ['NÚMERO', ({ folio }) => folio],
  ['FOLIO FISCAL', ({ fiscalFolio }) => fiscalFolio],
  ['EN EL PROVEEDOR', ({ providerUuid }) => providerUuid],
  ['ESTADO', ({ state }) => inWords(STATES.invoice, state)],
  ['DETALLE', ({ detail }) => detail],
];

/** A receipt, or the sum of those before it. */
type Line = { readonly of: Uninvoiced } | Total;
interface Total {
  readonly total: string;
  readonly merchantId: number | null;
  readonly month: string | null;
  readonly receipts: number;
  readonly amountCentavos: number;
}
const of =
  <T>(cell: (row: Uninvoiced) => T) =>
  (line: Line) =>
    'of' in line ? cell(line.of) : null;

const RECEIPTS: Columns<Line> = [
  ['COMERCIO', (line) => ('of' in line ? line.of.merchantId : line.merchantId)],
  ['MES', (line) => ('of' in line ? line.of.month : line.month)],
  ['RECIBO', (line) => ('of' in line ? line.of.folio : says.uninvoicedTotal(line.receipts))],
  ['PAGADO', of(({ paidAt }) => paidAt)],
  ['COMPRADOR', of(({ buyer }) => buyer)],
  ['COMPRA', of(({ purchaseId }) => purchaseId)],
  ['ABONOS', of(({ instalments }) => instalments.join(', '))],
  ['RECIBO POR', of(({ receiptCentavos }) => amount(receiptCentavos))],
  ['SIN FACTURA', (line) => amount('of' in line ? line.of.amountCentavos : line.amountCentavos)],
  ['HASTA', of(({ until }) => until && { on: until })],
  ['SE PUEDE PEDIR', of(({ state }) => inWords(UNINVOICED, state))],
];

export const invoiceLists: readonly Command[] = [
  reads({
    name: 'invoice list',
    says: 'Lista las facturas que se han pedido, las más nuevas primero',
    options: {
      merchant,
      month: month('Solo las de lo que se terminó de pagar en un mes, AAAA-MM, hora del centro de México'),
      state: { choices: INVOICE_STATES, describe: 'Solo las que están así' },
      limit,
      csv,
    },
    examples: [
      ['invoice list --merchant 1 --month 2026-10 --csv facturas.csv', 'Las de un mes, para contabilidad'],
      ['invoice list --state review', 'Las que esperan a una persona'],
    ],
    async run({ db, parts }, { merchant: id, month: of, state, limit: most, csv: file }) {
      const which = { merchantId: await knownMerchant(db, id), month: of, state };
      const { invoices: rows, total } = await patiently(parts, (patient) =>
        listInvoices(patient, { ...which, limit: file === undefined ? most : undefined }),
      );
      return file === undefined
        ? listing({ rows, total }, INVOICES, { none: says.noInvoices })
        : csvFile(file, rows, INVOICES);
    },
  }),
  reads({
    name: 'invoice uninvoiced',
    says: 'Lista los recibos que nadie ha facturado, por comercio y mes, con sus sumas. Sin cargos por servicio ni lo retenido al cancelar: eso está en settlement report',
    options: {
      merchant,
      month: month('Solo lo pagado en un mes, AAAA-MM, hora del centro de México'),
      state: {
        choices: UNINVOICED_STATES,
        describe:
          'open: se puede pedir; over: ya pasó su plazo; unpaid: el abono no está completo; not-offered: el comercio no factura aquí',
      },
      csv,
    },
    examples: [
      [
        'invoice uninvoiced --merchant 1 --month 2026-10 --csv sin-factura.csv',
        'Lo de un mes, para la factura global',
      ],
      ['invoice uninvoiced --state open', 'Lo que sus compradores todavía pueden pedir'],
    ],
    async run({ db, parts }, { merchant: id, month: on, state, csv: file }) {
      const which = { merchantId: await knownMerchant(db, id), month: on, state };
      const receipts = await patiently(parts, (patient) => listUninvoiced(patient, which));
      const groups = [...Map.groupBy(receipts, (each) => `${each.merchantId} ${each.month}`).values()];
      const lines: Line[] = groups.flatMap((group) => [
        ...group.map((each) => ({ of: each })),
        monthOf(group),
      ]);
      if (groups.length > 1) lines.push({ total: 'todo', merchantId: null, month: null, ...sumOf(receipts) });
      if (file !== undefined) {
        return csvFile(file, lines, [
          ['NIVEL', (line) => ('of' in line ? 'recibo' : line.total)],
          ...RECEIPTS,
        ]);
      }
      return {
        ...table(lines, RECEIPTS, { none: says.nothingUninvoiced }),
        json: { receipts, totals: lines.filter((line) => 'total' in line) },
      };
    },
  }),
];

/** The sum of receipts of one merchant and month. */
function monthOf(group: readonly Uninvoiced[]): Total {
  const { merchantId = null, month: on = null } = group[0] ?? {};
  return { total: 'mes', merchantId, month: on, ...sumOf(group) };
}

function sumOf(receipts: readonly Uninvoiced[]) {
  const amountCentavos = receipts.reduce((sum, each) => sum + each.amountCentavos, 0);
  return { receipts: receipts.length, amountCentavos };
}

/** Reads that go through a month of everybody may take longer than a buyer would wait. */
async function patiently<T>({ jobs }: Composition, read: (db: Db) => Promise<T>): Promise<T> {
  const patient = jobs.openForLong();
  try {
    return await read(patient);
  } finally {
    await patient.destroy();
  }
}
