import { sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';
import { KEY_UNOPENED } from '../card-keys/credential.ts';
import { DISPUTED, NOT_NOW } from './answers.ts';

/**
 * An open card refund of a payment that was in dispute when the provider last answered (rules/refunds#disputed): it stays so,
 * however often it is asked again, until there is another answer. No word of ours is one: what was not sent or not read.
 */
export async function findDisputedRefund(tx: Tx, attemptId: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select f.id from refunds f cross join lateral (
      select h.detail from state_history h where h.subject_kind = 'refund' and h.subject_id = f.id::text
        and (h.to_state = 'blocked' and h.detail <> ${KEY_UNOPENED} or h.to_state = 'owed' and h.detail = any (${NOT_NOW}))
      order by h.id desc limit 1) answered
    where f.attempt_id = ${attemptId} and f.state not in ('done', 'moved_to_cash') and answered.detail = ${DISPUTED}
    order by f.id limit 1`.execute(tx);
  return rows[0]?.id;
}
