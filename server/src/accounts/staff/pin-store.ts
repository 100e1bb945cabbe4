import { sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';

/** Sets a person's PIN and ends their sessions on shared devices, which the one before opened. */
export async function replacePin(tx: Tx, staffId: string, pinHash: string): Promise<void> {
  await tx
    .insertInto('staff_pins')
    .values({ staff_id: staffId, pin_hash: pinHash })
    .onConflict((conflict) =>
      conflict.column('staff_id').doUpdateSet({ pin_hash: pinHash, set_at: sql<Date>`app_now()` }),
    )
    .execute();
  await sql`
    delete from staff_sessions session using staff_positions p
    where p.id = session.position_id and p.staff_id = ${staffId} and session.device_id is not null`.execute(
    tx,
  );
}
