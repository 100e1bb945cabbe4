import { isIvaRate } from '@aparta/domain/fiscal';
import { PRODUCT_LENGTHS } from '@aparta/domain/product-lengths';
import { isSeen } from '@aparta/domain/seen';
import { planProblem, type PlanProblem } from '@aparta/domain/plan';

import type { Tx } from '../../platform/db/db.ts';
import { refusedBy } from '../../platform/db/transaction.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { changesOf, demandLength, type Changes } from './changes.ts';
import { demandMerchant, termsOf } from './save-merchant.ts';
import {
  findProductForChange,
  findProductOfRequest,
  insertProduct,
  insertProducts,
  listSkus,
  sameSku,
  type ProductEntry,
  type ProductRow,
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
  demandEntry(given);
  const before = entryOf(row);
  const changes = changesOf(before, given);
  const now = { ...before, ...changes.after };
  const problem = planProblem(termsOf(merchant, now.priceCentavos));
  if (problem !== undefined)
    throw new RefusedChange(`plan_${problem}_of_product`, { product: id, name: now.name });
  try {
    await updateProduct(tx, id, now);
  } catch (error) {
    throw skuTaken(error, now.sku);
  }
  return changes;
}

/** Adds a product, or finds the one that this press has added. Refuses a price that the merchant's plan cannot divide. */
export async function addProduct(
  tx: Tx,
  merchantId: number,
  requestId: string,
  entry: ProductEntry,
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  const merchant = await demandMerchant(tx, merchantId); // locks it: a repeated press waits here for the first
  const known = await findProductOfRequest(tx, merchantId, requestId);
  if (known !== undefined) return { id: known, isNew: false };
  demandEntry(entry);
  const problem = planProblem(termsOf(merchant, entry.priceCentavos));
  if (problem !== undefined)
    throw new RefusedChange(`plan_${problem}_of_product`, { product: 0, name: entry.name });
  try {
    return { id: await insertProduct(tx, merchantId, requestId, entry), isNew: true };
  } catch (error) {
    throw skuTaken(error, entry.sku);
  }
}

function demandEntry(given: Partial<ProductEntry>): void {
  for (const [field, [least, most]] of Object.entries(PRODUCT_LENGTHS)) {
    const text = given[field as keyof typeof PRODUCT_LENGTHS];
    // What leaves nothing on a screen is as short as nothing.
    if (text !== undefined) demandLength(field, isSeen(text) ? text : '', least, most);
  }
  if (given.ivaBasisPoints !== undefined && !isIvaRate(given.ivaBasisPoints))
    throw new RefusedChange('iva_wrong');
}

/** What the operator or an owner says of a product, as it stands. */
function entryOf(row: ProductRow): ProductEntry {
  return {
    sku: row.sku,
    name: row.name,
    description: row.description,
    priceCentavos: row.sale_price_centavos,
    ivaBasisPoints: row.iva_basis_points,
    invoicingProductUuid: row.invoicing_product_uuid,
  };
}

function skuTaken(error: unknown, sku: string): unknown {
  return refusedBy(error)?.startsWith('products_sku_') ? new RefusedChange('sku_taken', { sku }) : error;
}

/**
 * Takes a product off sale, or puts it back; what was reserved goes on. Refuses when it is so already, and to put back what
 * today's plan cannot divide.
 */
export async function withdrawProduct(
  tx: Tx,
  id: number,
  { isWithdrawn }: { isWithdrawn: boolean },
): Promise<string> {
  const merchant = await demandMerchant(tx, (await demandProduct(tx, id)).merchant_id);
  const product = await demandProduct(tx, id); // again, since it may have changed before the lock
  if ((product.withdrawn_at !== null) === isWithdrawn) throw new RefusedChange('nothing_to_change');
  const problem = isWithdrawn ? undefined : planProblem(termsOf(merchant, product.sale_price_centavos));
  if (problem !== undefined)
    throw new RefusedChange(`plan_${problem}_of_product`, { product: id, name: product.name });
  await setWithdrawn(tx, id, isWithdrawn);
  return product.name;
}

/** A product as it is, whoever's it is. */
export async function demandProduct(tx: Tx, id: number) {
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
 * price and are on sale, and keep what is `unsaid` there. All or none: with prices that the plan cannot divide, nothing is written. Skus must be unlike.
 */
export async function putProducts(
  tx: Tx,
  merchantId: number,
  entries: readonly ProductEntry[],
  {
    unsaid = [],
    onProgress = () => {},
  }: {
    readonly unsaid?: readonly (keyof ProductEntry)[];
    readonly onProgress?: ((done: number) => void) | undefined;
  } = {},
): Promise<PutProducts | { readonly undividable: readonly Undividable[] }> {
  const undividable = await findUndividable(tx, merchantId, entries);
  if (undividable.length > 0) return { undividable };

  const there = new Map((await listSkus(tx, merchantId)).map((row) => [sameSku(row.sku), row]));
  const fresh = entries.filter(({ sku }) => !there.has(sameSku(sku)));
  const known = entries.flatMap((given) => {
    const row = there.get(sameSku(given.sku));
    if (row === undefined) return [];
    const before = entryOf(row);
    const kept = Object.fromEntries(unsaid.map((field) => [field, before[field]]));
    // A known product keeps the spelling that its labels have.
    const entry: ProductEntry = { ...given, ...kept, sku: row.sku };
    return row.withdrawn_at !== null || !saysTheSame(row, entry) ? [entry] : [];
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
