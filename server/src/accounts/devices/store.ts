import { PIN_TRIES } from '@aparta/domain/pin';
import { sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';

/** What a device will be: made by somebody of the merchant, who is asked again when the code is used. */
export interface Enrolment {
  readonly merchantId: number;
  readonly branchId: number;
  readonly name: string;
  readonly positionId: string;
}

/** Keeps the code of an enrolment for 10 minutes and returns its end. */
export async function insertEnrolment(
  tx: Tx,
  { merchantId, branchId, name, positionId }: Enrolment,
  codeHash: Buffer,
): Promise<Date> {
  const { expires_at } = await tx
    .insertInto('device_enrolments')
    .values({
      code_hash: codeHash,
      merchant_id: merchantId,
      branch_id: branchId,
      name,
      position_id: positionId,
      expires_at: sql<Date>`app_now() + interval '10 minutes'`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return expires_at;
}

/** Uses a live code up; undefined for any other, and when its branch or whoever made it is gone. Of two at once one gets it. */
export async function takeEnrolment(tx: Tx, codeHash: Buffer): Promise<Enrolment | undefined> {
  const { rows } = await sql<Enrolment>`
    delete from device_enrolments e using staff_positions p, branches b
    where e.code_hash = ${codeHash} and e.expires_at > app_now() and p.id = e.position_id and p.revoked_at is null
      and b.id = e.branch_id and b.closed_at is null
    returning e.merchant_id as "merchantId", e.branch_id as "branchId", e.name, e.position_id as "positionId"`.execute(
    tx,
  );
  return rows[0];
}

export async function insertDevice(
  tx: Tx,
  { merchantId, branchId, name, positionId }: Enrolment,
  secretHash: Buffer,
): Promise<string> {
  const { id } = await tx
    .insertInto('counter_devices')
    .values({
      merchant_id: merchantId,
      branch_id: branchId,
      name,
      secret_hash: secretHash,
      enrolled_by: positionId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Ends a device of these branches; undefined when there is none with that id. */
export async function setDeviceRevoked(
  tx: Tx,
  branchIds: readonly number[],
  deviceId: string,
): Promise<{ readonly name: string; readonly branchId: number } | undefined> {
  return tx
    .updateTable('counter_devices')
    .set({ revoked_at: sql<Date>`app_now()` })
    .where('id', '=', deviceId)
    .where('branch_id', 'in', [...branchIds, 0])
    .where('revoked_at', 'is', null)
    .returning(['name', 'branch_id as branchId'])
    .executeTakeFirst();
}

/** Counts a try before it is checked, so that of any number at once five are; undefined when the person is locked there. */
export async function countPinTry(tx: Tx, deviceId: string, staffId: string): Promise<number | undefined> {
  const { rows } = await sql<{ tries: number }>`
    insert into device_pin_tries as counted (device_id, staff_id, tries) values (${deviceId}, ${staffId}, 1)
    on conflict (device_id, staff_id) do update set tries = counted.tries + 1 where counted.tries < ${PIN_TRIES}
    returning tries`.execute(tx);
  return rows[0]?.tries;
}

/** Forgets a person's tries on a device; false when there were none. */
export async function forgetPinTries(tx: Tx, deviceId: string, staffId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('device_pin_tries')
    .where('device_id', '=', deviceId)
    .where('staff_id', '=', staffId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
