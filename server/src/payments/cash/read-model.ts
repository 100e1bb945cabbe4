import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
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
    .where(
      sql<SqlBool>`(coalesce(n.paid_at, n.received_at) at time zone 'America/Mexico_City')::date = ${day}`,
    )
    .orderBy('n.operation_id')
    .select([
      'n.operation_id as operationId',
      sql<Centavos>`coalesce(n.amount_centavos, 0)`.as('amountCentavos'),
      sql<boolean>`coalesce(r.withdrawn_centavos, 0) > 0`.as('isReversed'),
    ])
    .execute();
}
