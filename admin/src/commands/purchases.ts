import { formatDate, formatMoment } from '@aparta/domain/calendar';
import { add, type Centavos, sum, zero } from '@aparta/domain/money';
import { type Happening, readStory } from '@aparta/server/back-office/operations/payment-history.read-model';
import { matchesByPurchase } from '@aparta/server/back-office/operations/payment-search.read-model';
import {
  findWholePurchase,
  type ListedPurchase,
  listPurchases,
  PURCHASE_STANDINGS,
  type WholePurchase,
} from '@aparta/server/back-office/operations/purchases.read-model';
import { printEvidence } from '@aparta/server/back-office/evidence/print-evidence';
import { findBuyerId } from '@aparta/server/back-office/privacy/read-model';
import type { Db } from '@aparta/server/platform/db/db';
import { RefusedChange } from '@aparta/server/platform/refused-change';
import { type CancelBill, readCancelBill } from '@aparta/server/purchases/cancelling/end-with-refunds';
import { endUnpaid } from '@aparta/server/purchases/ending/end-unpaid';
import { findHandOver, type HandOverRow } from '@aparta/server/purchases/hand-over/read-model';
import { findHold, type HoldRow } from '@aparta/server/purchases/holds/read-model';
import { type Standing, standingOf } from '@aparta/server/purchases/overview/standing';
import type { InstalmentRow } from '@aparta/server/purchases/overview/read-model';
import { changes, type Command, reads } from '../command.ts';
import { endInWords } from '../copy.ts';
import { knownMerchant } from '../known-merchant.ts';
import { csvFile, limit, listing } from '../listing.ts';
import { month, outFile, text, whole } from '../options.ts';
import { withFiles } from '../out-files.ts';
import { amount, type Columns, facts, money, type Said, sentence, table } from '../print.ts';
import { CASH_REFERENCE, CAUSE, CHANNEL, inWords, REFUND_METHOD, STATES } from '../state-words.ts';
import { happened } from './payments-copy.ts';
import { PURCHASES as says, STANDINGS } from './purchases-copy.ts';

const LISTED: Columns<ListedPurchase> = [
  ['COMPRA', ({ id }) => id],
  ['HECHA', ({ madeAt }) => madeAt],
  ['COMERCIO', ({ merchantId }) => merchantId],
  ['COMPRADOR', ({ buyerEmail }) => buyerEmail],
  ['PRODUCTO', ({ product }) => product],
  ['PRECIO', ({ priceCentavos }) => amount(priceCentavos)],
  ['PAGADO', ({ paidCentavos }) => amount(paidCentavos)],
  ['SALDO', ({ balanceCentavos }) => amount(balanceCentavos)],
  ['ABONOS', ({ paidInstalments, instalments }) => `${paidInstalments} de ${instalments}`],
  ['VENCE', ({ nextDueOn }) => nextDueOn && { on: nextDueOn }],
  ['ESTADO', ({ standing }) => STANDINGS[standing]],
  ['GUARDADA EN', ({ keptIn }) => keptIn],
  ['ENTREGADA', ({ handedOverAt }) => handedOverAt],
  ['ENTREGÓ', ({ handedOverBy }) => handedOverBy],
];

/** What the state of a purchase came from, without books, emails and calls. */
const HISTORY: readonly Happening['kind'][] = [
  'reference_made',
  'reference_closed',
  'purchase_made',
  'purchase_cancelled',
  'plan_changed',
  'unit_kept',
  'handed_over',
  'state_moved',
  'alert',
  'operator_acted',
];

/** Each keeps a lock until all are done. */
const MOST_ENDED = 100;

export const purchaseCommands: readonly Command[] = [
  reads({
    name: 'purchase list',
    says: 'Lista las compras, las más nuevas primero',
    options: {
      merchant: whole('Solo de un comercio'),
      buyer: text('Solo de un comprador, por su correo'),
      month: month('Solo las hechas en un mes, AAAA-MM, hora del centro de México'),
      state: {
        choices: PURCHASE_STANDINGS,
        describe:
          'active: activa al corriente; late: vencida; paid-off: liquidada, por entregar; delivered: entregada; cancelled: cancelada',
      },
      limit,
      csv: outFile('Archivo CSV; si no, se muestra'),
    },
    examples: [
      ['purchase list --buyer ana@example.mx', 'Las de una persona'],
      ['purchase list --merchant 1 --state late --csv vencidas.csv', 'Las vencidas de un comercio'],
    ],
    async run({ db }, { merchant, buyer, month: of, state, limit: most, csv }) {
      const buyerId = buyer === undefined ? undefined : await findBuyerId(db, buyer);
      if (buyer !== undefined && buyerId === undefined)
        throw new RefusedChange('buyer_unknown', { id: buyer });
      const { purchases: rows, total } = await listPurchases(db, {
        merchantId: await knownMerchant(db, merchant),
        buyerId,
        month: of,
        standing: state,
        limit: csv === undefined ? most : undefined,
      });
      return csv === undefined ? listing({ rows, total }, LISTED, says) : csvFile(csv, rows, LISTED);
    },
  }),
  reads({
    name: 'purchase show',
    says: 'Muestra una compra: de quién es, su plan, sus pagos con el número de quien los cobró, sus devoluciones y cómo llegó ahí',
    positionals: { purchase: whole('Número de la compra; de otra cosa lo dice payment follow') },
    examples: [['purchase show 10004', 'Todo lo que se sabe de la compra 10004']],
    async run({ db }, { purchase: id }) {
      const [whole, [match], hold, handOver] = await Promise.all([
        findWholePurchase(db, id),
        matchesByPurchase(db, id),
        findHold(db, id),
        findHandOver(db, { purchaseId: id }),
      ]);
      if (whole === undefined || match === undefined) throw new RefusedChange('purchase_unknown', { id });
      const cancelled = await cancelledSums(db, whole);
      const history = (await readStory(db, match)).filter(({ kind }) => HISTORY.includes(kind));
      const { purchase, ...around } = whole;
      const { instalments, statusCode: _code, paidInstalments: _paid, next: _next } = standingOf(purchase);
      const draw = (as: (said: Said) => string) =>
        sections(whole, { instalments, cancelled, hold, handOver, history }, as).join('\n');
      return {
        text: draw(({ text: lines }) => lines),
        fit: (columns) => draw(({ text: lines, fit }) => fit?.(columns - INDENT.length) ?? lines),
        json: {
          purchase: { ...purchase, instalments },
          cancelled,
          hold: hold ?? null,
          handOver: handOver ?? null,
          ...around,
          history,
        },
      };
    },
  }),
  changes({
    name: 'purchase end-unpaid',
    says: `Termina las compras activas de las que ya no hay nada pagado: su último dinero se revirtió antes de que eso las terminara. Su pieza vuelve a la venta. A lo más ${MOST_ENDED} por vez`,
    examples: [
      ['purchase end-unpaid --dry-run', 'Dice cuáles serían'],
      ['purchase end-unpaid', 'Las termina'],
    ],
    run: () => async (tx) => {
      const ended = await endUnpaid(tx, MOST_ENDED);
      return {
        subject: { kind: 'purchase', id: 'unpaid' },
        detail: { ended: ended.map(({ id }) => id) },
        said: table(
          ended,
          [
            ['TERMINADA', ({ id }) => id],
            ['COMERCIO', ({ merchantId }) => merchantId],
            ['PRODUCTO', ({ productName }) => productName],
          ],
          { none: says.noneUnpaid },
        ),
      };
    },
  }),
  reads({
    name: 'purchase evidence',
    says: 'Hace la constancia de una compra: lo acordado con sus textos, cada pago con su autorización y su 3DS, los correos y la entrega',
    positionals: { purchase: whole('Número de la compra') },
    options: { out: { ...outFile('Archivo PDF'), demandOption: true } },
    examples: [['purchase evidence 10004 --out constancia.pdf', 'Para una aclaración o para Profeco']],
    async run({ db, settings: { productName } }, { purchase: purchaseId, out }) {
      const file = await printEvidence({ db, productName }, { purchaseId, merchantId: undefined });
      if (file === undefined) throw new RefusedChange('purchase_unknown', { id: purchaseId });
      await withFiles((draft) => draft(out, file.pdf, { private: true }));
      return sentence(says.evidence(out), { purchase: purchaseId, out });
    },
  }),
];

/** What a cancelled purchase came to, and how much of its refunds the buyer has; null of any other. */
async function cancelledSums(db: Db, { purchase, refunds }: WholePurchase) {
  const { id, buyerId, cancelledAt } = purchase;
  if (cancelledAt === null) return null;
  const done = refunds.filter(({ cause, state }) => cause === 'cancel' && state === 'done');
  return {
    ...((await readCancelBill(db, { id, buyerId, cancelledAt })) ?? NOTHING_HELD),
    refundedCentavos: sum(done.map(({ amountCentavos }) => amountCentavos)),
  };
}

/** Tills and stores had taken all of its money back before. */
const NOTHING_HELD: CancelBill = {
  paidCentavos: zero,
  penaltyCentavos: zero,
  feeReturnedCentavos: zero,
  feeKeptCentavos: zero,
  refundCentavos: zero,
};

interface Read {
  readonly instalments: readonly Standing<InstalmentRow>[];
  readonly cancelled: Awaited<ReturnType<typeof cancelledSums>>;
  readonly hold: HoldRow | undefined;
  readonly handOver: HandOverRow | undefined;
  readonly history: readonly Happening[];
}

function sections(whole: WholePurchase, read: Read, draw: (said: Said) => string): string[] {
  const { instalments, history } = read;
  const { purchase, receipts, attempts, refunds, cashReferences } = whole;
  const { sections: named } = says;
  return [
    draw(about(whole, read)),
    ...section(named.plan, draw(planOf(whole, instalments))),
    ...section(
      named.receipts,
      draw(
        table(
          receipts,
          [
            ['RECIBO', ({ folio }) => folio],
            ['PAGADO', ({ paidAt }) => paidAt],
            ['REGISTRADO', ({ bookedAt }) => bookedAt],
            ['VÍA', ({ channel }) => CHANNEL[channel]],
            ['CUÁNTO', ({ amountCentavos }) => amount(amountCentavos)],
            ['CARGO', ({ feeCentavos }) => amount(feeCentavos)],
            ['RETIRADO', ({ withdrawnCentavos }) => amount(0 - withdrawnCentavos)],
            ['ABONOS', ({ instalments: numbers }) => numbers.join(', ')],
            ['NÚMERO DE QUIEN COBRÓ', ({ providerId }) => providerId],
            ['SU COMPROBANTE', ({ providerReceipt }) => providerReceipt],
          ],
          { none: says.noReceipts },
        ),
      ),
    ),
    ...section(
      named.attempts,
      draw(
        table(
          attempts,
          [
            ['INTENTO', (row) => row.id],
            ['CUÁNDO', ({ at }) => at],
            ['CUÁNTO', ({ amountCentavos }) => amount(amountCentavos)],
            ['TARJETA', ({ last4 }) => last4],
            ['NÚMERO EN CLIP', ({ providerId }) => providerId],
            ['ESTADO', ({ state }) => inWords(STATES.card_attempt, state)],
            ['DETALLE', ({ detail }) => detail],
          ],
          { none: '' },
        ),
      ),
    ),
    ...section(
      named.refunds,
      draw(
        table(
          refunds,
          [
            ['DEVOLUCIÓN', (row) => row.id],
            ['DEL RECIBO', ({ folio }) => folio],
            ['DESDE', ({ at }) => at],
            ['POR', ({ method }) => REFUND_METHOD[method]],
            ['CUÁNTO', ({ amountCentavos }) => amount(0 - amountCentavos)],
            ['POR QUÉ', ({ cause }) => CAUSE[cause]],
            ['NÚMERO DE QUIEN DEVOLVIÓ', ({ providerId }) => providerId],
            ['HECHA', ({ doneAt }) => doneAt],
            ['ESTADO', ({ state }) => inWords(STATES.refund, state)],
          ],
          { none: '' },
        ),
      ),
    ),
    ...section(
      named.references,
      draw(
        table(
          cashReferences,
          [
            ['REFERENCIA', ({ reference }) => reference],
            ['ABONO', ({ number }) => number],
            ['CUÁNTO', ({ amountCentavos }) => amount(amountCentavos)],
            ['HASTA', ({ until }) => until],
            ['ESTADO', ({ state }) => inWords(CASH_REFERENCE, state)],
          ],
          { none: '' },
        ),
      ),
    ),
    ...section(named.history, history.map(happened).join('\n')),
    '',
    says.allOfIt(purchase.id),
  ];
}

const INDENT = '  ';

/** Under its name, or nothing where there is nothing. */
function section(name: string, lines: string): string[] {
  return lines === '' ? [] : ['', name, ...lines.split('\n').map((line) => `${INDENT}${line}`.trimEnd())];
}

function about({ purchase }: WholePurchase, { instalments, cancelled, hold, handOver }: Read): Said {
  const { state, cancelledAt, cancelNotes } = purchase;
  const isLate = instalments.some(({ late }) => late);
  const isPaidOff = instalments.every(({ balanceCentavos }) => balanceCentavos === 0);
  const standing = state !== 'active' ? state : isPaidOff ? 'paid-off' : isLate ? 'late' : 'active';
  const balance = instalments.reduce((sum, each) => add(sum, each.balanceCentavos), 0 as Centavos);
  return facts(
    [
      ['Compra', `${purchase.id}, ${STANDINGS[standing]}`],
      ['Comercio', `${purchase.merchantId}: ${purchase.tradeName}`],
      ['Comprador', `${purchase.buyerId}: ${purchase.buyerName}`],
      ['Correo', purchase.buyerEmail],
      ['Teléfono', purchase.buyerPhone],
      ['Producto', [purchase.productName, purchase.sku].filter(Boolean).join(', ')],
      ['Precio', money(purchase.priceCentavos)],
      ['Pagado', money(purchase.paidCentavos)],
      ['Saldo', state === 'cancelled' ? money(0) : money(balance)],
      ['Apartada', formatMoment(purchase.createdAt)],
      ['Su referencia', purchase.layawayReference],
      ...(hold?.state === 'held'
        ? ([
            [
              'Guardada en',
              says.keptIn(
                hold.branch,
                formatMoment(hold.since),
                hold.checkedAt === null ? undefined : formatMoment(hold.checkedAt),
                hold.missingSince === null ? undefined : formatMoment(hold.missingSince),
              ),
            ],
          ] as const)
        : []),
      ...(handOver === undefined
        ? []
        : ([
            [
              'Entregada',
              says.handedOver(
                formatMoment(handOver.at),
                handOver.branchName,
                handOver.handedBy,
                handOver.collectorName ?? handOver.buyerName,
              ),
            ],
          ] as const)),
      ...(purchase.endDaysLate === null
        ? []
        : ([['Fin por atraso', endInWords(purchase.endDaysLate)]] as const)),
      ...purchase.warnings.map(
        ({ step, sentAt, endsOn }) =>
          [
            says.warned[step],
            says.warning(formatDate(endsOn), sentAt === null ? undefined : formatMoment(new Date(sentAt))),
          ] as const,
      ),
      ...(cancelledAt === null
        ? []
        : ([
            ['Cancelada', formatMoment(cancelledAt)],
            ['Motivo', cancelNotes],
          ] as const)),
      ...(cancelled === null
        ? []
        : ([
            ['Se quedó', says.kept(money(cancelled.penaltyCentavos), money(cancelled.feeKeptCentavos))],
            ['Se devuelve', says.back(money(cancelled.refundCentavos), money(cancelled.refundedCentavos))],
          ] as const)),
    ],
    null,
  );
}

function planOf({ purchase }: WholePurchase, instalments: readonly Standing<InstalmentRow>[]): Said {
  const stateOf = ({ balanceCentavos, late, payable }: Standing<InstalmentRow>) => {
    if (balanceCentavos === 0) return says.instalment.paid;
    if (purchase.state === 'cancelled') return says.instalment.dropped;
    if (late) return says.instalment.late;
    return payable ? says.instalment.next : says.instalment.upcoming;
  };
  const invoiceOf = (id: number) => purchase.invoices.find(({ instalmentId }) => instalmentId === id);
  return table(
    instalments,
    [
      ['ABONO', ({ number }) => number],
      ['REFERENCIA', ({ reference }) => reference],
      ['VENCE', ({ dueOn }) => formatDate(dueOn)],
      ['CUÁNTO', ({ amountCentavos }) => amount(amountCentavos)],
      ['PAGADO', ({ paidCentavos }) => amount(paidCentavos)],
      ['SALDO', ({ balanceCentavos }) => amount(balanceCentavos)],
      ['ESTADO', stateOf],
      [
        'FACTURA',
        ({ id }) => {
          const invoice = invoiceOf(id);
          return invoice && `${invoice.id} ${inWords(STATES.invoice, invoice.state)}`;
        },
      ],
    ],
    { none: '' },
  );
}
