import path from 'node:path';
import { importProducts } from '@aparta/server/catalogue/merchants/import-products';
import { editProduct, withdrawProduct } from '@aparta/server/catalogue/merchants/save-product';
import type { ProductEntry } from '@aparta/server/catalogue/merchants/store';
import { PRODUCT_COLUMNS, readProductFile } from '@aparta/server/catalogue/merchants/read-product-file';
import { listProducts } from '@aparta/server/catalogue/merchants/store';
import { changes, type Command, reads } from '../command.ts';
import { changedFields } from '../copy.ts';
import { knownMerchant } from '../known-merchant.ts';
import { file, percent, pesos, text, whole } from '../options.ts';
import { amount, sentence, table } from '../print.ts';
import { progress } from '../terminal.ts';

const merchant = whole('Número del comercio');
const product = whole('Número del producto');

export const productCommands: readonly Command[] = [
  reads({
    name: 'product list',
    says: 'Lista los productos de un comercio',
    positionals: { merchant },
    examples: [['product list 1', 'También los retirados']],
    async run({ db }, { merchant: id }) {
      return table(
        await listProducts(db, await knownMerchant(db, id)),
        [
          ['PRODUCTO', (row) => row.id],
          ['SKU', ({ sku }) => sku],
          ['NOMBRE', ({ name }) => name],
          ['PRECIO', ({ sale_price_centavos }) => amount(sale_price_centavos)],
          ['IVA', ({ iva_basis_points }) => `${iva_basis_points / 100} %`],
          ['', ({ withdrawn_at }) => (withdrawn_at === null ? '' : 'retirado')],
        ],
        { none: `El comercio ${id} no tiene productos: cárguelos con product import.` },
      );
    },
  }),
  changes({
    name: 'product edit',
    says: 'Cambia un producto; lo ya apartado sigue como estaba',
    positionals: { product },
    options: {
      name: text('Nombre'),
      description: text('Descripción'),
      price: pesos('Precio, IVA incluido'),
      sku: text('Clave del comercio'),
      iva: percent('Tasa de IVA: 0, 8 o 16'),
      invoicingProduct: text('Su clave en FacturaGreen'),
    },
    examples: [['product edit 12 --price 3,499.00', 'Cambia su precio']],
    run:
      (_given, { product: id, ...typed }) =>
      async (tx) => {
        const given = {
          name: typed.name,
          description: typed.description,
          priceCentavos: typed.price,
          sku: typed.sku,
          ivaBasisPoints: typed.iva,
          invoicingProductUuid: typed.invoicingProduct,
        };
        const entered = Object.fromEntries(
          Object.entries(given).filter(([, value]) => value !== undefined),
        ) as Partial<ProductEntry>;
        const changed = await editProduct(tx, id, entered);
        return {
          subject: { kind: 'product', id },
          detail: { ...changed },
          said: sentence(`Producto ${id}: ${changedFields(changed.after)}.`, changed),
        };
      },
  }),
  changes({
    name: 'product withdraw',
    says: 'Deja de vender un producto; lo ya apartado sigue',
    positionals: { product },
    options: { undo: { type: 'boolean', describe: 'Lo vuelve a vender', default: false } },
    examples: [
      ['product withdraw 12', 'Lo retira'],
      ['product withdraw 12 --undo', 'Lo vuelve a poner a la venta'],
    ],
    run:
      (_given, { product: id, undo }) =>
      async (tx) => {
        const name = await withdrawProduct(tx, id, { isWithdrawn: !undo });
        return {
          subject: { kind: 'product', id },
          detail: { isWithdrawn: !undo },
          said: sentence(`Producto ${id}, ${name}: ${undo ? 'a la venta otra vez' : 'retirado'}.`, {
            id,
            isWithdrawn: !undo,
          }),
        };
      },
  }),
  changes({
    name: 'product import',
    says: `Carga hasta 20,000 productos de un CSV o XLSX con las columnas ${PRODUCT_COLUMNS.join(', ')}. Los que ya están (por sku, sin contar mayúsculas) se cambian. Todos o ninguno`,
    positionals: { merchant, file: file('Archivo .csv o .xlsx') },
    examples: [
      ['product import 1 docs/productos-ejemplo.csv --dry-run', 'Dice qué pasaría, y todo lo que está mal'],
      ['product import 1 docs/productos-ejemplo.csv', 'Los carga'],
    ],
    async run({ terminal }, { merchant: id, file: given }) {
      const products = await readProductFile(given.bytes);
      const bar = progress(terminal, 'Cargando');
      return async (tx) => {
        const total = products.rows.length;
        const put = await importProducts(tx, id, products, (done) => bar.step(done, total));
        bar.end();
        const { added, changed, unchanged, backOnSale } = put;
        return {
          subject: { kind: 'merchant', id },
          detail: { file: path.basename(given.path), ...put },
          said: sentence(
            `Comercio ${id}: ${added} productos nuevos, ${changed} cambiados (${backOnSale} vuelven a la venta), ` +
              `${unchanged} iguales. Archivo leído como ${products.encoding}.`,
            { ...put, encoding: products.encoding },
          ),
        };
      };
    },
  }),
];
