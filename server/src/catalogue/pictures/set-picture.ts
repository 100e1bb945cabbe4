import { recordStaffAct } from '../../accounts/staff/store.ts';
import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findProductForChange } from '../merchants/store.ts';
import { encodePicture, type PictureSize } from './encode-picture.ts';
import { deletePicture, findPicture, putPicture } from './store.ts';

/** Gives a product of the caller's merchant another picture, or none. The same again changes nothing. */
export async function setPicture(
  db: Db,
  caller: Staff,
  productId: number,
  given: Buffer | undefined,
): Promise<void> {
  // Before anything is drawn. A product never changes hands.
  const product = await transaction(db, (tx) => findProductForChange(tx, productId));
  if (product?.merchant_id !== caller.merchantId) throw new Refusal('NOT_FOUND');
  const picture = given && (await encodePicture(given));
  await transaction(db, async (tx) => {
    const isOther = picture ? await putPicture(tx, productId, picture) : await deletePicture(tx, productId);
    if (!isOther) return;
    await recordStaffAct(tx, {
      by: caller,
      act: picture ? 'set_picture' : 'remove_picture',
      subject: String(productId),
      ...(picture && { detail: { content: picture.content } }),
    });
  });
}

/** The picture of exactly this name, which is looked up and never used as a path. */
export async function pictureNamed(db: Db, name: string): Promise<Buffer | undefined> {
  const [, id, content, size] = /^([1-9]\d{0,14})-([0-9a-f]{32})-(small|large)\.webp$/.exec(name) ?? [];
  if (id === undefined || content === undefined) return undefined;
  return findPicture(db, { productId: Number(id), content, size: size as PictureSize });
}
