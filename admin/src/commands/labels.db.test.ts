import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { centavos } from '@aparta/domain/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Operator, seatOperator } from '../../test/operator.ts';

let operator: Operator;
let folder: string;
const merchantId = 1; // the operator's first
let fridge: number;
let drill: number;
beforeAll(async () => {
  operator = await seatOperator({ PUBLIC_ORIGIN: 'http://localhost:3155' });
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-labels-'));
  await operator.shop();
  await operator.products(merchantId, 'sku,nombre,precio\nREF,Refrigerador,3000\nTAL,Taladro,900');
  fridge = await idOf('REF');
  drill = await idOf('TAL');
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true });
  await operator.close();
});

const idOf = async (sku: string) =>
  (await operator.db.selectFrom('products').select('id').where('sku', '=', sku).executeTakeFirstOrThrow()).id;

const reprice = (product: number, price: number) =>
  operator.db
    .updateTable('products')
    .set({ sale_price_centavos: centavos(price) })
    .where('id', '=', product)
    .execute();

const outdated = async () =>
  (await operator.done('labels outdated')).map(
    ({ offer }: { offer: { productId: number } }) => offer.productId,
  );

describe('labels', () => {
  test('are found when their price is not true any more, until they are printed again', async () => {
    const all = path.join(folder, 'todas.pdf');
    expect(await operator.done(`labels print ${merchantId} --out ${all}`)).toMatchObject({ products: 2 });
    expect(fs.readFileSync(all).subarray(0, 5).toString()).toBe('%PDF-');
    expect(await outdated()).toEqual([]);

    await reprice(fridge, 320_000);
    expect(await outdated()).toEqual([fridge]);
    const { out: said } = await operator.run('labels outdated');
    expect(said).toContain('$3,000.00, apartado $600.00, 3 pagos');
    expect(said).toContain('$3,200.00, apartado $640.00, 3 pagos');

    const changed = path.join(folder, 'cambios.pdf');
    const printed = await operator.done(`labels print ${merchantId} --outdated --out ${changed}`);
    expect(printed).toMatchObject({ products: 1 });
    expect(await outdated()).toEqual([]);
  });

  test('are found when their product is called otherwise', async () => {
    const file = path.join(folder, 'nombre.pdf');
    await operator.done(`labels print ${merchantId} --product ${drill} --out ${file}`);
    await operator.db
      .updateTable('products')
      .set({ name: 'Taladro inalámbrico' })
      .where('id', '=', drill)
      .execute();
    expect(await outdated()).toEqual([drill]);
    expect((await operator.run('labels outdated')).out).toContain('Taladro: $900.00');
    await operator.done(`labels print ${merchantId} --outdated --out ${file}`);
    expect(await outdated()).toEqual([]);
    expect(fs.readdirSync(folder)).not.toContain('nombre.pdf.part');
  });

  test('that could not be written are not remembered as printed', async () => {
    await reprice(fridge, 330_000);
    const taken = path.join(folder, 'ocupado.pdf');
    fs.mkdirSync(`${taken}.part`);
    expect(await operator.run(`labels print ${merchantId} --out ${taken}`)).toMatchObject({
      code: 1,
      err: `No se pudo escribir ${taken}: es una carpeta. Escriba también el nombre del archivo.\n`,
    });
    expect(await outdated()).toEqual([fridge]);
    await operator.done(`labels print ${merchantId} --out ${path.join(folder, 'etiquetas.pdf')}`);
  });

  test('of a rehearsal leave no file and are not remembered as printed', async () => {
    await reprice(drill, 95_000);
    const file = path.join(folder, 'ensayo.pdf');
    const printed = await operator.run(
      `labels print ${merchantId} --product ${drill} --out ${file} --dry-run`,
    );
    expect(printed).toMatchObject({ code: 0, out: expect.stringContaining('No se hizo el archivo') });
    expect(await operator.run(`labels picture ${drill} --out ${file} --dry-run`)).toMatchObject({ code: 0 });
    expect(fs.existsSync(file)).toBe(false);
    expect(await outdated()).toEqual([drill]);
  });

  test('are pictures too, and remembered by the audit log', async () => {
    const file = path.join(folder, 'taladro.png');
    await operator.done(`labels picture ${drill} --out ${file}`);
    expect(fs.readFileSync(file).subarray(1, 4).toString()).toBe('PNG');
    expect(await outdated()).toEqual([]);
    expect(await operator.done('audit list --limit 1')).toMatchObject([
      { command: 'labels picture', subjectKind: 'product', subjectId: String(drill) },
    ]);
  });

  test('that cannot be made are refused with a reason', async () => {
    const file = path.join(folder, 'nada.pdf');
    const unknown = await operator.run(`labels print 999 --out ${file}`);
    expect(unknown).toMatchObject({ code: 1, err: 'No hay ningún comercio 999.\n' });
    const nothing = await operator.run(`labels print ${merchantId} --product 999 --out ${file}`);
    expect(nothing).toMatchObject({ code: 1, err: 'No hay nada que imprimir.\n' });
    const skipped = await operator.run(`labels print ${merchantId} --skip 10 --out ${file}`);
    expect(skipped).toMatchObject({ code: 1, err: 'Los lugares usados van de 0 a 9.\n' });
    expect(fs.existsSync(file)).toBe(false);
  });
});
