import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';

import type { Tx } from '../../../platform/db/db.ts';
import { defer } from '../../../platform/db/transaction.ts';
import { nextCutNumber } from './read-model.ts';

/** Whose drawer, and where. */
export interface DrawerKey {
  readonly merchantId: number;
  readonly branchId: number;
  readonly positionId: string;
}

/** What was taken or given back, by how it was handed over. */
export interface Moved {
  readonly times: number;
  readonly cashCentavos: Centavos;
  readonly terminalCentavos: Centavos;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
}

/** Lets one transaction at a time close cuts of a branch, until it ends: their numbers have no gap but after a restore, and a second press finds the first. */
export async function lockCutsOf(tx: Tx, branchId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`cuts ${branchId}`}, 0))`.execute(tx);
}

/**
 * Puts everything that waits in a drawer into a cut, which the caller inserts in the same transaction; what is taken meanwhile and
 * not committed yet waits for the next one. Nothing leaves its cut again (`counter_operations_cut_once`).
 */
export async function moveIntoCut(
  tx: Tx,
  cutId: string,
  { branchId, positionId }: DrawerKey,
): Promise<{ readonly taken: Moved; readonly returned: Moved }> {
  const taken = await movedBy(
    tx,
    sql`moved as (update counter_operations set cut_id = ${cutId}::uuid
      where cut_id is null and branch_id = ${branchId} and position_id = ${positionId}
      returning method, amount_centavos, created_at)`,
  );
  const returned = await movedBy(
    tx,
    sql`reversed as (update counter_reversals v set cut_id = ${cutId}::uuid from counter_operations o
      where o.till_operation_id = v.till_operation_id and v.cut_id is null and v.position_id = ${positionId}
        and o.branch_id = ${branchId}
      returning o.method, o.amount_centavos, v.created_at),
    refunded as (update counter_refunds set cut_id = ${cutId}::uuid
      where cut_id is null and branch_id = ${branchId} and position_id = ${positionId}
      returning method, amount_centavos, created_at),
    moved as (select * from reversed union all select * from refunded)`,
  );
  return { taken, returned };
}

async function movedBy(tx: Tx, updates: ReturnType<typeof sql>): Promise<Moved> {
  const { rows } = await sql<Moved>`
    with ${updates}
    select count(*)::int as times, min(created_at) as "firstAt", max(created_at) as "lastAt",
      coalesce(sum(amount_centavos) filter (where method = 'cash'), 0)::bigint as "cashCentavos",
      coalesce(sum(amount_centavos) filter (where method = 'terminal'), 0)::bigint as "terminalCentavos"
    from moved`.execute(tx);
  const [moved] = rows;
  if (moved === undefined) throw new Error('a sum without a row');
  return moved;
}

export interface NewCut extends DrawerKey {
  readonly id: string;
  readonly closedBy: string;
  readonly deviceId: string | null;
  readonly floatCentavos: Centavos;
  readonly countedCentavos: Centavos;
  readonly reason: string | null;
  readonly floatReason: string | null;
  readonly taken: Moved;
  readonly returned: Moved;
}

/** Writes a cut, with the branch's next number. The caller holds the lock of its branch. A deferred write. */
export async function insertCut(tx: Tx, cut: NewCut): Promise<void> {
  const { taken, returned } = cut;
  const moments = [taken, returned].flatMap(({ firstAt, lastAt }) => [firstAt, lastAt]);
  await defer(
    tx,
    sql`
    insert into counter_cuts (id, merchant_id, branch_id, number, position_id, closed_by, device_id, from_at, until_at, movements,
      float_centavos, cash_taken_centavos, cash_returned_centavos, terminal_taken_centavos, terminal_returned_centavos,
      counted_centavos, reason, float_reason)
    select ${cut.id}, ${cut.merchantId}, ${cut.branchId},
      ${nextCutNumber(cut.branchId)},
      ${cut.positionId}, ${cut.closedBy}, ${cut.deviceId}::uuid,
      -- What committed while this waited may have begun after it.
      least(app_now(), min(moment)), greatest(app_now(), max(moment)), ${taken.times + returned.times},
      ${cut.floatCentavos}, ${taken.cashCentavos}, ${returned.cashCentavos}, ${taken.terminalCentavos},
      ${returned.terminalCentavos}, ${cut.countedCentavos}, ${cut.reason}, ${cut.floatReason}
    from unnest(${moments}::timestamptz[]) as moment`,
  );
}
