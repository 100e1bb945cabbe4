import { sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';
import { defer } from '../../platform/db/transaction.ts';
import type { Strokes } from '../../platform/db/tables.ts';
import { isClaimed } from '../claims/read-model.ts';

export interface NewHandOver {
  readonly purchaseId: number;
  readonly buyerId: number;
  readonly merchantId: number;
  /** Made by the device with the press. */
  readonly requestId: string;
  readonly positionId: string;
  readonly branchId: number;
  readonly deviceId: string | null;
  readonly codeHash: Buffer;
  /** Whom the buyer named to collect it; null: the buyer. */
  readonly collectorName: string | null;
  readonly signature: Strokes | null;
}

/** Writes who handed what over, where and to whom. `hand_overs_once` refuses a second of a press, its key a second of a purchase. */
export async function insertHandOver(tx: Tx, given: NewHandOver): Promise<void> {
  await tx
    .insertInto('hand_overs')
    .values({
      purchase_id: given.purchaseId,
      buyer_id: given.buyerId,
      merchant_id: given.merchantId,
      request_id: given.requestId,
      position_id: given.positionId,
      branch_id: given.branchId,
      device_id: given.deviceId,
      code_hash: given.codeHash,
      collector_name: given.collectorName,
      signature: given.signature === null ? null : sql`${JSON.stringify(given.signature)}::jsonb`,
    })
    .execute();
}

/** Digits of a purchase's code, sealed, the ones that it replaced among them. */
export interface SealedDigits {
  readonly ciphertext: Buffer;
  readonly keyId: string;
}

export interface PickupRow extends SealedDigits {
  readonly tries: number;
  readonly expiresAt: Date;
  readonly collectorName: string | null;
}

/** A claim stops the clock: the shop may hand over at any time. */
const expiry = sql<Date>`case when ${isClaimed(sql`pickup_codes.purchase_id`)} then greatest(expires_at, app_now() + interval '1 day')
  else expires_at end`;

/** A purchase's code. Changes under the purchase's lock alone. */
export async function findPickupCode(tx: Tx, purchaseId: number): Promise<PickupRow | undefined> {
  return tx
    .selectFrom('pickup_codes')
    .select([
      'ciphertext',
      'key_id as keyId',
      'tries',
      expiry.as('expiresAt'),
      'collector_name as collectorName',
    ])
    .where('purchase_id', '=', purchaseId)
    .executeTakeFirst();
}

/** Gives a purchase a code, or another for the one that it has; who may collect stays. */
export async function putPickupCode(
  tx: Tx,
  { id, buyerId, merchantId }: { readonly id: number; readonly buyerId: number; readonly merchantId: number },
  { ciphertext, keyId }: SealedDigits,
  days: number,
): Promise<void> {
  const expires_at = sql<Date>`app_now() + make_interval(days => ${days})`;
  const code = { ciphertext, key_id: keyId, expires_at };
  await tx
    .insertInto('pickup_codes')
    .values({ purchase_id: id, buyer_id: buyerId, merchant_id: merchantId, ...code })
    .onConflict((known) => known.column('purchase_id').doUpdateSet({ ...code, tries: 0 }))
    .execute();
}

/** The codes that other keys than this one sealed, and what they are sealed for. Locked. */
export async function lockPickupCodes(
  tx: Tx,
  { notOf }: { readonly notOf: string },
): Promise<(SealedDigits & { readonly id: number; readonly merchantId: number })[]> {
  return tx
    .selectFrom('pickup_codes')
    .select(['purchase_id as id', 'merchant_id as merchantId', 'ciphertext', 'key_id as keyId'])
    .where('key_id', '<>', notOf)
    .orderBy('purchase_id')
    .forNoKeyUpdate()
    .execute();
}

/** Keeps the same digits of a purchase, sealed anew. A deferred write. */
export async function storeDigits(
  tx: Tx,
  purchaseId: number,
  { ciphertext, keyId }: SealedDigits,
): Promise<void> {
  await defer(
    tx,
    tx.updateTable('pickup_codes').set({ ciphertext, key_id: keyId }).where('purchase_id', '=', purchaseId),
  );
}

/** Says who may collect; null: the buyer. A deferred write. */
export async function setCollector(tx: Tx, purchaseId: number, name: string | null): Promise<void> {
  await defer(
    tx,
    tx.updateTable('pickup_codes').set({ collector_name: name }).where('purchase_id', '=', purchaseId),
  );
}

/** Counts a wrong try. A deferred write. */
export async function countPickupTry(tx: Tx, purchaseId: number): Promise<void> {
  await defer(
    tx,
    tx
      .updateTable('pickup_codes')
      .set({ tries: sql<number>`tries + 1` })
      .where('purchase_id', '=', purchaseId),
  );
}

/** A code that opened its purchase opens nothing more. A deferred write. */
export async function deletePickupCode(tx: Tx, purchaseId: number): Promise<void> {
  await defer(tx, tx.deleteFrom('pickup_codes').where('purchase_id', '=', purchaseId));
}
