import type { Tx } from '../../platform/db/db.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { findUndividable, putProducts, type PutProducts } from './save-product.ts';
import type { ProductFile, RowProblem } from './read-product-file.ts';

/** A file with rows that cannot be taken: all of them, by line. */
export class RefusedRows extends RefusedChange {
  override name = 'RefusedRows';
  readonly rows: readonly RowProblem[];

  constructor(rows: readonly RowProblem[]) {
    super('rows_wrong', { count: rows.length });
    this.rows = rows.toSorted((one, other) => one.line - other.line);
  }
}

/** Puts a file's products into a merchant's catalogue: all of them, or none, with every reason. */
export async function importProducts(
  tx: Tx,
  merchantId: number,
  file: ProductFile,
  onProgress?: (done: number) => void,
): Promise<PutProducts> {
  const entries = file.rows.map(({ entry }) => entry);
  const isWhole = file.problems.length === 0;
  // Rows that are right are checked against the plan all the same, so that one run finds every problem.
  const put = isWhole
    ? await putProducts(tx, merchantId, entries, { unsaid: file.unsaid, onProgress })
    : { undividable: await findUndividable(tx, merchantId, entries) };
  if (!('undividable' in put)) return put;
  throw new RefusedRows([
    ...file.problems,
    ...put.undividable.map(({ at, problem }): RowProblem => {
      const row = file.rows[at];
      return { line: row?.line ?? 0, column: 'precio', reason: `plan_${problem}`, found: '' };
    }),
  ]);
}
