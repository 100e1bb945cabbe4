import { PIN_TRIES } from '@aparta/domain/pin';
import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';

/** A live device in an open branch. */
export interface DeviceRow {
  readonly id: string;
  readonly name: string;
  readonly merchantId: number;
  readonly tradeName: string;
  readonly branch: { readonly id: number; readonly name: string };
}

function liveDevices(db: Db | Tx) {
  return db
    .selectFrom('counter_devices as d')
    .innerJoin('branches as b', 'b.id', 'd.branch_id')
    .innerJoin('merchants as m', 'm.id', 'd.merchant_id')
    .select([
      'd.id',
      'd.name',
      'd.merchant_id as merchantId',
      'm.trade_name as tradeName',
      sql<DeviceRow['branch']>`jsonb_build_object('id', b.id, 'name', b.name)`.as('branch'),
    ])
    .where('d.revoked_at', 'is', null)
    .where('b.closed_at', 'is', null);
}

export async function findDevice(db: Db | Tx, secretHash: Buffer): Promise<DeviceRow | undefined> {
  return liveDevices(db).where('d.secret_hash', '=', secretHash).executeTakeFirst();
}

/** Somebody who may sign in on a device. */
export interface DevicePerson {
  readonly positionId: string;
  readonly staffId: string;
  readonly name: string;
  readonly pinHash: string | null;
  readonly isLocked: boolean;
}

/** Cashiers and managers of the device's branch, and the owners, by name. */
export async function listPeopleOf(db: Db | Tx, device: DeviceRow): Promise<DevicePerson[]> {
  const { rows } = await sql<DevicePerson>`
    select p.id as "positionId", s.id as "staffId", s.name, n.pin_hash as "pinHash",
      coalesce(t.tries >= ${PIN_TRIES}, false) as "isLocked"
    from staff_positions p join staff s on s.id = p.staff_id
    left join staff_pins n on n.staff_id = s.id
    left join device_pin_tries t on t.staff_id = s.id and t.device_id = ${device.id}
    where p.merchant_id = ${device.merchantId} and p.revoked_at is null and (p.role = 'owner' or exists (
      select from staff_position_branches o where o.position_id = p.id and o.branch_id = ${device.branch.id}))
    order by s.name, p.id`.execute(db);
  return rows;
}

/** A device as those who run its branch see it. */
export interface ListedDevice extends DeviceRow {
  readonly enrolledAt: Date;
  readonly locked: readonly { readonly positionId: string; readonly name: string }[];
}

/** The live devices of these branches, by branch and name. */
export async function listDevicesIn(db: Db, branchIds: readonly number[]): Promise<ListedDevice[]> {
  return liveDevices(db)
    .select([
      'd.enrolled_at as enrolledAt',
      sql<
        ListedDevice['locked']
      >`(select coalesce(jsonb_agg(jsonb_build_object('positionId', p.id, 'name', s.name) order by s.name), '[]')
        from device_pin_tries t join staff s on s.id = t.staff_id
        join staff_positions p on p.staff_id = s.id and p.merchant_id = d.merchant_id and p.revoked_at is null
        where t.device_id = d.id and t.tries >= ${PIN_TRIES})`.as('locked'),
    ])
    .where('d.branch_id', 'in', [...branchIds, 0])
    .orderBy('b.name')
    .orderBy('d.name')
    .orderBy('d.id')
    .execute();
}
