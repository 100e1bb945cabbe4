import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { centavos } from '@aparta/domain/money';
import { transaction } from '@aparta/server/platform/db/transaction';
import { editProduct } from '@aparta/server/catalogue/merchants/save-product';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Operator, seatOperator } from '../../test/operator.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let operator: Operator;
beforeAll(async () => {
  operator = await seatOperator();
  await operator.shop();
});
afterAll(() => operator.close());

const load = (content: string | Buffer, ...more: string[]) =>
  operator.run(['product', 'import', '1', operator.file('productos', Buffer.from(content)), ...more]);
const listed = async () =>
  (await operator.done('product list 1')).map((row: any) => [row.sku, row.name, row.salePriceCentavos]);

describe('a product file', () => {
  test('of the documentation is taken as it is', async () => {
    await operator.done(['product', 'import', '1', here('../../../docs/productos-ejemplo.csv')]);
    expect(await listed()).toEqual([
      ['LB-MIC-14', 'Horno de microondas 1.4 pies', 300_000],
      ['LB-REF-14', 'Refrigerador 14 pies', 849_900],
      ['LB-LIC-10', 'Licuadora de 10 velocidades', 114_950],
    ]);
  });

  test('with wrong rows loads none of them, and says of each its line, its column and why', async () => {
    const before = await listed();
    const refused = await load(
      [
        'SKU;Nombre;Precio;IVA;Descripción',
        'OK-1;Bueno;1500;16;x',
        'A-1;Baño;caro;16;x',
        'A-2;;3.000,00;10;y',
        '',
        'a-1;Otro;0;16%;"dos',
        'líneas"',
        'A-3;Chico;0.01;0;',
        'A-4;Bien;12.345;8;w;de más',
        `${'L'.repeat(61)};Largo;"$ 1,234.50";;`,
      ].join('\r\n'),
    );
    expect(refused.code).toBe(1);
    expect(refused.err.split('\n  ')).toEqual([
      'No se cargó nada. Problemas: 10.',
      'Línea 3, precio: no es un precio: «caro» (se escribe 3000, 3000.50 o 3,000.50)',
      'Línea 4, precio: no es un precio: «3.000,00» (se escribe 3000, 3000.50 o 3,000.50)',
      'Línea 4, iva: el IVA solo puede ser 0, 8 o 16: «10»',
      'Línea 4, nombre: está vacío',
      'Línea 6, precio: el precio debe ser mayor que cero',
      'Línea 6, sku: es el mismo sku que en la línea 3 (las mayúsculas no cuentan)',
      'Línea 8, precio: el apartado debe quedar entre cero y el precio, sin ser ninguno de los dos',
      'Línea 9: sobra una celda: «de más» (¿falta ponerla entre comillas?)',
      'Línea 9, precio: tiene más de dos decimales: «12.345»',
      `Línea 10, sku: es demasiado largo: «${'L'.repeat(39)}…»\n`,
    ]);
    expect(await listed()).toEqual(before);
  });

  test.each(['\u2800', '\u3164', '\u200b \u00ad'])(
    'with a name in which nothing is to be seen (%j) is refused',
    async (unseen) => {
      const refused = await load(`sku,nombre,precio\nA-1,${unseen},12\n`);
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Línea 2, nombre: está vacío') });
    },
  );

  test.each([
    ['sku,nombre,precio\nA-1,"Ba,12\nA-2,b,12\n', 'Línea 2: hay unas comillas que no se cierran'],
    ['sku,nombre,color\n', 'Línea 1: no se conoce la columna «color»'],
    ['sku,nombre\n', 'Línea 1: falta la columna precio'],
    ['sku,nombre,precio,Precio\n', 'Línea 1: la columna precio está dos veces'],
    ['', 'El archivo no se puede leer'],
    ['PK\u0003\u0004 no es un libro', 'El archivo no se puede leer'],
    ['\u00ff\u00fes\u0000k\u0000u\u0000', 'El archivo no se puede leer'],
  ])('that is %j is refused whole, saying why', async (content, says) => {
    expect(await load(Buffer.from(content, 'latin1'))).toMatchObject({
      code: 1,
      err: expect.stringContaining(says),
    });
  });

  test('changes what it knows by its sku, adds the rest, leaves what is the same, and puts back on sale', async () => {
    const [first] = await operator.done('product list 1');
    await operator.done(`product withdraw ${first.id}`);
    // As Excel saves it: a byte order mark and semicolons, and in another file the Windows encoding.
    const file =
      '\uFEFFsku;nombre;descripcion;precio\r\nLB-MIC-14;Horno;;"2,999.90"\r\nN-1;Sillón;;100\r\n' +
      'lb-lic-10;Licuadora de 10 velocidades;Vaso de vidrio de 1.5 litros;1149.50\r\n';
    const rehearsed = await load(file, '--dry-run');
    expect(rehearsed.out).toContain('1 productos nuevos, 1 cambiados (1 vuelven a la venta), 1 iguales');
    expect(await listed()).toHaveLength(3);
    await load(file);
    const latin = await load(Buffer.from('sku,nombre,precio\nN-2,Ropero de nogal añejo,250', 'latin1'));
    expect(latin.out).toContain('Windows-1252');
    expect(await listed()).toEqual([
      ['LB-MIC-14', 'Horno', 299_990],
      ['LB-REF-14', 'Refrigerador 14 pies', 849_900],
      ['LB-LIC-10', 'Licuadora de 10 velocidades', 114_950],
      ['N-1', 'Sillón', 10_000],
      ['N-2', 'Ropero de nogal añejo', 25_000],
    ]);
    expect(await operator.done('audit list --subject merchant:1 --limit 2')).toMatchObject([
      { command: 'product import', detail: { file: 'productos', added: 1 } },
      { command: 'product import', detail: { added: 1, changed: 1, backOnSale: 1, unchanged: 1 } },
    ]);
  });

  test('keeps of a known product what it has no column for: a list of prices takes away neither its tax nor its invoices', async () => {
    const uuid = 'b0000000-0000-4000-8000-000000000077';
    await load(`sku,nombre,precio,descripcion,iva,clave_factura\nT-1,Leche,100,Entera,0,${uuid}`);
    const priced = await load('sku,nombre,precio\nt-1,Leche,120\nT-2,Pan,50');
    expect(priced.out).toContain('1 productos nuevos, 1 cambiados');
    expect((await load('sku,nombre,precio\nT-1,Leche,120')).out).toContain('1 iguales');
    const stored = async () =>
      (await operator.done('product list 1'))
        .filter(({ sku }: any) => sku.startsWith('T-'))
        .map((row: any) => [
          row.salePriceCentavos,
          row.description,
          row.ivaBasisPoints,
          row.invoicingProductUuid,
        ]);
    expect(await stored()).toEqual([
      [12_000, 'Entera', 0, uuid],
      [5_000, '', 1600, ''],
    ]);
    // A column that is there is meant, empty cells too.
    await load('sku,nombre,precio,iva,descripcion\nT-1,Leche,120,,');
    expect((await stored())[0]).toEqual([12_000, '', 1600, uuid]);
  });

  test('may be a book of Excel, whose numbers and percentages count', async () => {
    const book = await operator.run(['product', 'import', '1', here('../../test/products.xlsx'), '--json']);
    expect(book.code).toBe(1);
    expect(JSON.parse(book.out).rows).toEqual([
      { line: 5, column: 'precio', reason: 'more_than_two_decimals', found: '10.123' },
    ]);
  });

  test('with dates, errors and formulas without a result says of each cell what it is', async () => {
    const book = await operator.run(['product', 'import', '1', here('../../test/strange-cells.xlsx')]);
    expect(book.err.trimEnd().split('\n  ')).toEqual([
      'No se cargó nada. Problemas: 4.',
      'Línea 2, sku: es una fecha, 2026-02-01: dé a la celda el formato Texto y escríbala otra vez',
      'Línea 2, nombre: es VERDADERO: escriba un texto o un número',
      'Línea 2, iva: es el error #N/A de una fórmula: corríjala',
      'Línea 3, precio: es una fórmula sin resultado, =C2*2: abra el libro, deje que calcule y guárdelo',
    ]);
    expect((await load('sku,nombre,precio\nE-2,#¡REF!,10')).err).toContain(
      'Línea 2, nombre: es el error #¡REF! de una fórmula: corríjala',
    );
  });

  test('of 5,000 products is loaded whole', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => `S-${n},"Producto, ${n}",${100 + (n % 900)}.50`);
    expect((await load(['sku,nombre,precio', ...rows].join('\n'))).out).toContain('5000 productos nuevos');
    const last = (await listed()).at(-1);
    expect(last).toEqual(['S-4999', 'Producto, 4999', 59_950]);
  });
});

test('a product takes no price that its plan cannot divide, no rate of IVA that there is not, and no sku of another', async () => {
  const [first] = await operator.done('product list 1');
  for (const [change, says] of [
    ['--price 0.01', 'el apartado debe quedar entre cero y el precio'],
    ['--iva 15', 'El IVA solo puede ser 0, 8 o 16.'],
    ['--sku lb-ref-14', 'ya tiene el sku lb-ref-14'],
    ['--price 2,999.90', 'No hay nada que cambiar'],
    ['--name \u2800\u2800', 'debe tener de 1 a 120 caracteres'],
  ])
    expect((await operator.run(`product edit ${first.id} ${change}`)).err, change).toContain(says);
  expect((await operator.run(`product edit ${first.id} --price 3,100`)).out).toContain('cambió precio');
});

/** How many sessions wait for a lock in this database. A lock on a transaction names no database. */
const LOCKED_OUT = `select distinct w.pid from pg_locks w join pg_locks here on here.pid = w.pid
  join pg_database d on d.oid = here.database and d.datname = current_database() where not w.granted`;

test('two changes of one product at once are both kept', async () => {
  const [{ id }] = await operator.done('product list 1');
  const change = (given: Parameters<typeof editProduct>[2]) =>
    transaction(operator.db, (tx) => editProduct(tx, id, given));
  const second = await operator.db.transaction().execute(async (tx) => {
    await editProduct(tx, id, { priceCentavos: centavos(320_000) });
    const waits = change({ name: 'Otro nombre' });
    await expect.poll(async () => (await sql.raw(LOCKED_OUT).execute(tx)).rows.length).toBe(1);
    return { waits };
  });
  await second.waits;
  const [now] = await operator.done('product list 1');
  expect(now).toMatchObject({ name: 'Otro nombre', salePriceCentavos: 320_000 });
});

test('a shop that has one sku in two spellings is not migrated before a person says which product keeps it', async () => {
  const migration = fs.readFileSync(here('../../../server/migrations/0023_skus_in_any_case.sql'), 'utf8');
  await operator.asOwner(migration);
  await operator.asOwner('drop index products_sku_once_in_any_case');
  await operator.asOwner(`insert into products (merchant_id, sku, name, description, sale_price_centavos, iva_basis_points,
    invoicing_product_uuid) select 1, sku, 'Otro', '', 10000, 1600, '' from unnest(array['zz-1', 'ZZ-1']) sku`);
  await expect(operator.asOwner(migration)).rejects.toThrow(
    /Give one of each another sku .* merchant 1: products \d+ \(zz-1\), \d+ \(ZZ-1\)/,
  );
});
