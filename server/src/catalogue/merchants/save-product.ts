import { isIvaRate } from '@aparta/domain/fiscal';
import { planProblem, type PlanProblem } from '@aparta/domain/plan';

import type { Tx } from '../../platform/db/db.ts';
import { refusedBy } from '../../platform/db/transaction.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { changesOf, demandLength, type Changes } from './changes.ts';
import { demandMerchant, termsOf } from './save-merchant.ts';
import {
  findProductForChange,
  insertProducts,
  listSkus,
  sameSku,
  type ProductEntry,
  setWithdrawn,
  updateProduct,
  updateProducts,
} from './store.ts';

/** Changes what is given of a product. Refuses a price that its merchant's plan cannot divide. */
export async function editProduct(
  tx: Tx,
  id: number,
  given: Partial<ProductEntry>,
): Promise<Changes<ProductEntry>> {
  const merchant = await demandMerchant(tx, (await demandProduct(tx, id)).merchant_id);
  const row = await demandProduct(tx, id); // again, since it may have changed before the lock
  if (given.sku !== undefined) demandLength('sku', given.sku, 0, 60);
  if (given.name !== undefined) demandLength('name', given.name, 1, 120);
  if (given.description !== undefined) demandLength('description', given.description, 0, 1000);
  if (given.ivaBasisPoints !== undefined && !isIvaRate(given.ivaBasisPoints))
    throw new RefusedChange('iva_wrong');
  const before: ProductEntry = {
    sku: row.sku,
    name: row.name,
    description: row.description,
    priceCentavos: row.sale_price_centavos,
    ivaBasisPoints: row.iva_basis_points,
    invoicingProductUuid: row.invoicing_product_uuid,
  };
  const changes = changesOf(before, given);
  const now = { ...before, ...changes.after };
  const problem = planProblem(termsOf(merchant, now.priceCentavos));
  if (problem !== undefined)
    throw new RefusedChange(`plan_${problem}_of_product`, { product: id, name: now.name });
  try {
    await updateProduct(tx, id, now);
  } catch (error) {
    if (refusedBy(error)?.startsWith('products_sku_')) throw new RefusedChange('sku_taken', { sku: now.sku });
    throw error;
  }
  return changes;
}

/** Takes a product off sale, or puts it back; what was reserved goes on. Refuses when it is so already. */
export async function withdrawProduct(
  tx: Tx,
  id: number,
  { isWithdrawn }: { isWithdrawn: boolean },
): Promise<string> {
  const product = await demandProduct(tx, id);
  if ((product.withdrawn_at !== null) === isWithdrawn) throw new RefusedChange('nothing_to_change');
  await setWithdrawn(tx, id, isWithdrawn);
  return product.name;
}

async function demandProduct(tx: Tx, id: number) {
  const product = await findProductForChange(tx, id);
  if (product === undefined) throw new RefusedChange('product_unknown', { id });
  return product;
}

/** A price that the plan cannot divide, by the place of its product in the list. */
export interface Undividable {
  readonly at: number;
  readonly problem: PlanProblem;
}

export interface PutProducts {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Of the changed ones, those that were withdrawn. */
  readonly backOnSale: number;
}

const AT_ONCE = 1_000;

/**
 * Puts a merchant's products as a file says, each known by its sku: new ones are added, known ones take the file's words and
 * price and are on sale. All or none: with prices that the plan cannot divide, nothing is written. Skus must be unlike.
 */
export async function putProducts(
  tx: Tx,
  merchantId: number,
  entries: readonly ProductEntry[],
  onProgress: (done: number) => void = () => {},
): Promise<PutProducts | { readonly undividable: readonly Undividable[] }> {
  const undividable = await findUndividable(tx, merchantId, entries);
  if (undividable.length > 0) return { undividable };

  const there = new Map((await listSkus(tx, merchantId)).map((row) => [sameSku(row.sku), row]));
  const fresh = entries.filter(({ sku }) => !there.has(sameSku(sku)));
  // A known product keeps the spelling that its labels have.
  const known = entries.flatMap((entry) => {
    const row = there.get(sameSku(entry.sku));
    const isNew = row !== undefined && (row.withdrawn_at !== null || !saysTheSame(row, entry));
    return isNew ? [{ ...entry, sku: row.sku }] : [];
  });
  const backOnSale = known.filter(({ sku }) => there.get(sameSku(sku))?.withdrawn_at !== null).length;
  let done = 0;
  for (const [put, list] of [
    [insertProducts, fresh],
    [updateProducts, known],
  ] as const) {
    for (let from = 0; from < list.length; from += AT_ONCE) {
      const part = list.slice(from, from + AT_ONCE);
      await put(tx, merchantId, part);
      onProgress((done += part.length));
    }
  }
  return {
    added: fresh.length,
    changed: known.length,
    unchanged: entries.length - fresh.length - known.length,
    backOnSale,
  };
}

/** The entries whose price the merchant's plan cannot divide. */
export async function findUndividable(
  tx: Tx,
  merchantId: number,
  entries: readonly ProductEntry[],
): Promise<Undividable[]> {
  const merchant = await demandMerchant(tx, merchantId);
  return entries.flatMap((entry, at) => {
    const problem = planProblem(termsOf(merchant, entry.priceCentavos));
    return problem === undefined ? [] : [{ at, problem }];
  });
}

function saysTheSame(row: Awaited<ReturnType<typeof listSkus>>[number], entry: ProductEntry): boolean {
  return (
    row.name === entry.name &&
    row.description === entry.description &&
    row.sale_price_centavos === entry.priceCentavos &&
    row.iva_basis_points === entry.ivaBasisPoints &&
    row.invoicing_product_uuid === entry.invoicingProductUuid
  );
}
