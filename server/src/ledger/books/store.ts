import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { LedgerAccount } from '../../platform/db/tables.ts';
import { defer } from '../../platform/db/transaction.ts';
import type { LedgerEvent, Transfer } from './postings.ts';

/** Books an event with all its transfers. `ledger_events_once` refuses one that is booked already. */
export async function book(tx: Tx, event: LedgerEvent): Promise<void> {
  const { merchantId, kind, sourceId, transfers } = event;
  const each = <K extends keyof Transfer>(name: K) => transfers.map((transfer) => transfer[name]);
  await defer(
    tx,
    sql`
    with event as (
      insert into ledger_events (merchant_id, kind, source_id, legs)
      values (${merchantId}, ${kind}, ${sourceId}, ${transfers.length}) returning id, legs, merchant_id
    )
    insert into ledger_transfers
      (event_id, leg, legs, merchant_id, debit, debit_subject, credit, credit_subject, amount_centavos)
    select event.id, leg, event.legs, event.merchant_id, debit, debit_subject, credit, credit_subject, amount
    from event, unnest(${each('debit')}::text[], ${each('debitSubject')}::text[], ${each('credit')}::text[],
      ${each('creditSubject')}::text[], ${each('amountCentavos')}::bigint[])
      with ordinality as transfer (debit, debit_subject, credit, credit_subject, amount, leg)`,
  );
}

/** Books many events in one statement. Throws on `ledger_events_once` if one is booked already. */
export async function bookAll(tx: Tx, events: readonly LedgerEvent[]): Promise<void> {
  const legs = events.flatMap(({ kind, sourceId, transfers }) =>
    transfers.map((transfer, index) => ({ kind, sourceId, leg: index + 1, ...transfer })),
  );
  const each = <K extends keyof (typeof legs)[number]>(name: K) => legs.map((leg) => leg[name]);
  await sql`
    with event as (
      insert into ledger_events (merchant_id, kind, source_id, legs)
      select * from unnest(${events.map(({ merchantId }) => merchantId)}::bigint[], ${events.map(({ kind }) => kind)}::text[],
        ${events.map(({ sourceId }) => sourceId)}::text[], ${events.map(({ transfers }) => transfers.length)}::int[])
      returning id, legs, merchant_id, kind, source_id
    )
    insert into ledger_transfers
      (event_id, leg, legs, merchant_id, debit, debit_subject, credit, credit_subject, amount_centavos)
    select event.id, leg, event.legs, event.merchant_id, debit, debit_subject, credit, credit_subject, amount
    from event join unnest(${each('kind')}::text[], ${each('sourceId')}::text[], ${each('leg')}::int[], ${each('debit')}::text[],
      ${each('debitSubject')}::text[], ${each('credit')}::text[], ${each('creditSubject')}::text[],
      ${each('amountCentavos')}::bigint[]) as transfer
      (kind, source_id, leg, debit, debit_subject, credit, credit_subject, amount) using (kind, source_id)`.execute(
    tx,
  );
}

/** The balance of each account over all merchants, in centavos, on its normal side (debit for `either`). May be below zero. */
export async function sumAccounts(db: Db): Promise<{ account: LedgerAccount; total: number }[]> {
  return db
    .selectFrom('ledger_accounts as a')
    .leftJoin('balances as b', 'b.account', 'a.code')
    .groupBy('a.code')
    .orderBy('a.code')
    .select(['a.code as account', sql<number>`coalesce(sum(b.balance), 0)::bigint`.as('total')])
    .execute();
}
