import { sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';
import type { LedgerAccount } from '../../platform/db/tables.ts';

/** Postings by whose hands have the money: what a counter took is the merchant's at once, no chain's (rules/ledger#till-receipt). */
export const POSTINGS_IN_HANDS = sql`(
  select p.event_id, p.subject, p.amount, case when c.till_operation_id is null then p.account else 'merchant_funds' end as account
  from postings p left join counter_operations c on p.account = 'till_clearing' and c.till_operation_id::text = p.subject)`;

/** The balance of each account over all merchants, in centavos, on its normal side (debit for `either`). May be below zero. */
export async function sumAccounts(db: Db): Promise<{ account: LedgerAccount; total: number }[]> {
  const { rows } = await sql<{ account: LedgerAccount; total: number }>`
    select a.code as account, coalesce(sum(case a.normal when 'credit' then -p.amount else p.amount end), 0)::bigint as total
    from ledger_accounts a left join ${POSTINGS_IN_HANDS} p on p.account = a.code group by a.code order by a.code`.execute(
    db,
  );
  return rows;
}
