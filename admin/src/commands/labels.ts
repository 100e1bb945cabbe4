import { formatDate, mexicoCityDate } from '@aparta/domain/calendar';
import { formatMoney } from '@aparta/domain/money';
import {
  LABEL_FORMATS,
  type LabelFormat,
  type LabelFormatName,
} from '@aparta/server/catalogue/labels/formats';
import type { Figures } from '@aparta/server/catalogue/labels/label';
import { labelPicture } from '@aparta/server/catalogue/labels/label-picture';
import { labelSheets } from '@aparta/server/catalogue/labels/label-sheet';
import {
  chooseLabels,
  listOutdatedLabels,
  rememberPrinted,
} from '@aparta/server/catalogue/labels/print-labels';
import { RefusedChange } from '@aparta/server/platform/refused-change';
import { changes, type Command, reads } from '../command.ts';
import { outFile, text, whole } from '../options.ts';
import { withFiles } from '../out-files.ts';
import { sentence, table } from '../print.ts';
import { knownMerchant } from '../known-merchant.ts';
import { progress } from '../terminal.ts';
import { LABELS as says } from './labels-copy.ts';

const FORMATS = Object.keys(LABEL_FORMATS) as LabelFormatName[];

export const labelCommands: readonly Command[] = [
  reads({
    name: 'labels formats',
    says: 'Lista los papeles en que se imprimen etiquetas',
    examples: [['labels formats', 'Todos, con sus medidas']],
    async run() {
      return table(
        Object.entries<LabelFormat>(LABEL_FORMATS).map(([name, format]) => ({ name, ...format })),
        [
          ['FORMATO', ({ name }) => name],
          ['POR HOJA', ({ columns, rows }) => columns * rows],
          ['ETIQUETA (MM)', ({ label }) => `${label.width} x ${label.height}`],
          ['HOJA (MM)', ({ page }) => `${page.width} x ${page.height}`],
        ],
        { none: '' },
      );
    },
  }),
  changes({
    name: 'labels print',
    says: 'Hace un PDF con las etiquetas de los productos de un comercio, y anota qué dicen',
    positionals: { merchant: whole('Número del comercio') },
    options: {
      format: {
        choices: FORMATS,
        default: 'carta-10' as LabelFormatName,
        requiresArg: true,
        describe: 'Papel',
      },
      product: { type: 'array', string: true, describe: 'Solo estos productos (números)' },
      outdated: { type: 'boolean', default: false, describe: 'Solo las que ya no dicen la verdad' },
      copies: { ...whole('Cuántas de cada una'), default: '1' },
      skip: { ...text('Lugares ya usados de la primera hoja'), default: '0' },
      out: { ...outFile('Archivo PDF'), demandOption: true },
    },
    examples: [
      ['labels print 1 --out etiquetas.pdf', 'Todas las del comercio 1, diez por hoja carta'],
      ['labels print 1 --format carta-cartel --product 7 --out cartel.pdf', 'Un cartel del producto 7'],
      ['labels print 1 --outdated --out cambios.pdf', 'Solo las que hay que cambiar'],
    ],
    async run(
      { db, settings, terminal, rehearses },
      { merchant, format, product, outdated, copies, skip, out },
    ) {
      const productIds = product?.flatMap((given) => given.split(',')).map(productNumber);
      const places = Number(skip);
      const { columns, rows } = LABEL_FORMATS[format];
      if (!Number.isInteger(places) || places < 0 || places >= columns * rows) {
        throw new RefusedChange('labels_skip', { most: columns * rows - 1 });
      }
      const which = { merchantId: await knownMerchant(db, merchant), productIds, outdatedOnly: outdated };
      const { labels, withoutPlan } = await chooseLabels(db, which, settings.publicOrigin);
      if (labels.length === 0) throw new RefusedChange('labels_none');
      if (!rehearses) {
        const bar = progress(terminal, says.drawing);
        await withFiles((draft) =>
          draft(out, (to) =>
            labelSheets(labels, LABEL_FORMATS[format], {
              printedOn: mexicoCityDate(new Date()),
              title: says.title(merchant),
              copies,
              skip: places,
              to,
              drawn: (count) => bar.step(count, labels.length * copies),
            }),
          ),
        ).finally(() => bar.end());
      }
      return async (tx) => {
        await rememberPrinted(tx, labels);
        const detail = { format, copies, products: labels.length, withoutPlan: withoutPlan.length };
        return {
          subject: { kind: 'merchant', id: String(merchant) },
          detail,
          said: sentence(
            says.printed(
              labels.length * copies,
              rehearses ? undefined : out,
              withoutPlan.map(({ productId }) => productId),
            ),
            rehearses ? detail : { ...detail, out },
          ),
        };
      };
    },
  }),
  changes({
    name: 'labels picture',
    says: 'Hace una imagen PNG con la etiqueta de un producto, para chats y redes',
    positionals: { product: whole('Número del producto') },
    options: { out: { ...outFile('Archivo PNG'), demandOption: true } },
    examples: [['labels picture 7 --out refrigerador.png', 'La del producto 7']],
    async run({ db, settings, rehearses }, { product, out }) {
      const { labels } = await chooseLabels(db, { productIds: [product] }, settings.publicOrigin);
      const [label] = labels;
      if (label === undefined) throw new RefusedChange('labels_none');
      const picture = await labelPicture(label, mexicoCityDate(new Date()));
      if (!rehearses) await withFiles((draft) => draft(out, picture));
      return async (tx) => {
        await rememberPrinted(tx, labels);
        return {
          subject: { kind: 'product', id: String(product) },
          detail: {},
          said: rehearses
            ? sentence(says.pictured(label.productName, undefined), {})
            : sentence(says.pictured(label.productName, out), { out }),
        };
      };
    },
  }),
  reads({
    name: 'labels outdated',
    says: 'Lista las etiquetas impresas cuyo nombre, precio, apartado o plan ya cambió',
    options: { merchant: whole('Solo las de un comercio') },
    examples: [['labels outdated --merchant 1', 'Las del comercio 1']],
    async run({ db }, { merchant }) {
      return table(
        await listOutdatedLabels(db, { merchantId: await knownMerchant(db, merchant) }),
        [
          ['COMERCIO', ({ offer }) => offer.merchantId],
          ['PRODUCTO', ({ offer }) => offer.productId],
          ['NOMBRE', ({ offer }) => offer.productName],
          ['IMPRESA', ({ printed }) => formatDate(mexicoCityDate(printed.printedAt))],
          ['DICE', ({ printed }) => [printed.productName, inWords(printed)].filter(Boolean).join(': ')],
          ['HOY', ({ today }) => (today === undefined ? says.noPlan : inWords(today))],
        ],
        { none: says.noneOutdated },
      );
    },
  }),
];

function inWords({ priceCentavos, depositCentavos, payments }: Figures): string {
  return says.figures(formatMoney(priceCentavos), formatMoney(depositCentavos), payments);
}

function productNumber(given: string): number {
  if (!/^[1-9]\d{0,14}$/.test(given)) throw new RefusedChange('product_unknown', { id: given });
  return Number(given);
}
