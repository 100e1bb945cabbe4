import type { AccountAct } from '@aparta/domain/activity';
import { sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';
import { defer } from '../../platform/db/transaction.ts';

/** Who guesses fills nobody's list: of a day's wrong passwords so many are written. */
const MOST_FAILURES_A_DAY = 20;

export interface NewAccountAct {
  readonly buyerId: number;
  readonly act: AccountAct;
  /** What the browser calls itself; '' where none did it. */
  readonly device: string;
}

/** The buyer, unless they were erased while the call was under way: their list is forgotten, and stays so. */
const standing = (buyerId: number) => sql`from buyers where id = ${buyerId} and erased_at is null`;

/** Writes what was done with a buyer's account. A deferred write. */
export async function recordAccountAct(tx: Tx, { buyerId, act, device }: NewAccountAct): Promise<void> {
  await defer(
    tx,
    sql`insert into account_acts (buyer_id, act, device) select id, ${act}, ${device} ${standing(buyerId)} for key share`,
  );
}

/** Writes that somebody tried a wrong password. A deferred write. */
export async function recordFailedSignIn(tx: Tx, buyerId: number, device: string): Promise<void> {
  await defer(
    tx,
    sql`insert into account_acts (buyer_id, act, device) select id, 'sign_in_failed', ${device} ${standing(buyerId)}
      and ${MOST_FAILURES_A_DAY} > (select count(*) from account_acts
        where buyer_id = ${buyerId} and act = 'sign_in_failed' and at > app_now() - interval '1 day')
      for key share`,
  );
}
