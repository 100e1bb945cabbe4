import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import type { EncodedPicture, PictureSize } from './encode-picture.ts';

/** The bytes of a product's picture in one size, if it still has this content. */
export async function findPicture(
  db: Db,
  { productId, content, size }: { productId: number; content: string; size: PictureSize },
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('product_pictures')
    .select(`${size} as bytes`)
    .where('product_id', '=', productId)
    .where('content', '=', content)
    .executeTakeFirst();
  return row?.bytes;
}

/** Whether the product was left with another picture than before. */
export async function putPicture(tx: Tx, productId: number, picture: EncodedPicture): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('product_pictures')
    .values({ product_id: productId, ...picture })
    .onConflict((conflict) =>
      conflict
        .column('product_id')
        .doUpdateSet({ ...picture, set_at: sql<Date>`app_now()` })
        .where('product_pictures.content', '<>', picture.content),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** Whether there was one. */
export async function deletePicture(tx: Tx, productId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('product_pictures')
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
