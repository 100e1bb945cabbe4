import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { centavos } from '@aparta/domain/money';
import type { Db } from '@aparta/server/db/db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Operator, seatOperator } from '../../test/operator.ts';

let operator: Operator;
let folder: string;
let merchantId: number;
let fridge: number;
let drill: number;
beforeAll(async () => {
  operator = await seatOperator({ PUBLIC_ORIGIN: 'http://localhost:3155' });
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-labels-'));
  merchantId = await addMerchant(operator.db);
  fridge = await addProduct('Refrigerador', 300_000);
  drill = await addProduct('Taladro', 90_000);
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true });
  await operator.close();
});

async function addMerchant(db: Db): Promise<number> {
  const company = await db
    .insertInto('companies')
    .values({ name: 'Grupo del Valle', logo_file_name: 'valle.jpg' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const merchant = await db
    .insertInto('merchants')
    .values({
      company_id: company.id,
      business_name: 'Valle SA',
      trade_name: 'Del Valle',
      deposit_basis_points: 2_000,
      frequency_days: 30,
      plan_duration_days: 60,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return merchant.id;
}

async function addProduct(name: string, price: number): Promise<number> {
  const product = await operator.db
    .insertInto('products')
    .values({ merchant_id: merchantId, name, sale_price_centavos: centavos(price) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return product.id;
}

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

  test('of a rehearsal are drawn and not remembered as printed', async () => {
    await reprice(drill, 95_000);
    const file = path.join(folder, 'ensayo.pdf');
    await operator.done(`labels print ${merchantId} --product ${drill} --out ${file} --dry-run`);
    expect(fs.existsSync(file)).toBe(true);
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
    expect(unknown).toMatchObject({ code: 1, err: 'No hay nada que imprimir.\n' });
    const skipped = await operator.run(`labels print ${merchantId} --skip 10 --out ${file}`);
    expect(skipped).toMatchObject({ code: 1, err: 'Los lugares usados van de 0 a 9.\n' });
    expect(fs.existsSync(file)).toBe(false);
  });
});
