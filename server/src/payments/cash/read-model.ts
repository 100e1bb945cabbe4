import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import { dayOf } from '../../platform/db/mexico-city.ts';
import type { CashFileOperation } from './cash-file.ts';

/** Cash that stores took in a day of Mexico City, by Tapi's time of payment; what was reversed is marked. */
export async function listCashDay(db: Db | Tx, day: DateOnly): Promise<CashFileOperation[]> {
  return db
    .selectFrom('cash_notices as n')
    .leftJoin('receipts as r', (join) =>
      join.on('r.channel', '=', 'cash').onRef('r.source_id', '=', 'n.operation_id'),
    )
    .where('n.status', '=', 'confirmed')
    .where('n.outcome', '!=', 'noted')
    .where(sql<SqlBool>`${dayOf(sql`coalesce(n.paid_at, n.received_at)`)} = ${day}`)
    .orderBy('n.operation_id')
    .select([
      'n.operation_id as operationId',
      sql<Centavos>`coalesce(n.amount_centavos, 0)`.as('amountCentavos'),
      sql<boolean>`coalesce(r.withdrawn_centavos, 0) > 0`.as('isReversed'),
    ])
    .execute();
}

/** A reference of which the provider said nothing, by its number or else by our id. */
export interface Unanswered {
  readonly number: string;
  /** When the provider last said something, or it was made. */
  readonly since: Date;
  /** It is asked about no more. */
  readonly isOver: boolean;
}

/** Two rounds of the poll. */
const SILENCE = sql`interval '4 hours'`;
const MOST_TOLD = 100;

/**
 * References of which the provider says nothing for hours although it is asked, or said nothing until they left the poll, which
 * is told once more. Not those of which somebody was told since.
 */
export async function listUnanswered(db: Db): Promise<Unanswered[]> {
  const { rows } = await sql<Unanswered>`
    select number, since, is_over as "isOver"
    from cash_references cross join lateral (
      select coalesce(provider_reference, id::text) as number, coalesce(polled_at, created_at) as since,
        upper(valid) <= app_now() - interval '1 day' as is_over) one
    where upper(valid) > app_now() - interval '3 days' and (state <> 'failed' or provider_reference is not null)
      and case when is_over then since < upper(valid) else asked_at > since and since < app_now() - ${SILENCE} end
      and not exists (
        select from alerts where kind = 'cash_reference_unanswered' and subject = number
          and last_at > case when is_over then upper(valid) + interval '1 day' else since end)
    order by upper(valid), id limit ${MOST_TOLD}`.execute(db);
  return rows;
}

/** Whether the provider said something of any living reference within these hours. */
export async function hasAnswered(db: Db): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (
      select from cash_references where upper(valid) > app_now() - interval '1 day' and polled_at > app_now() - ${SILENCE}
    ) as has`.execute(db);
  return rows[0]?.has ?? false;
}
