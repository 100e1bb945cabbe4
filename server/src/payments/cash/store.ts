import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { CashNoticeOutcome } from '../../platform/db/tables.ts';
import { deferMove, moveState } from '../../platform/lifecycle.ts';
import { type CashReference, findCashReference } from '../../purchases/cash-references/store.ts';
import { CASH_NOTICE, type CashNoticeEvent } from './cash-notice.ts';
import type { CashFileOperation } from './cash-file.ts';

export interface Notice {
  readonly operationId: string;
  readonly bodyHash: Buffer;
  readonly cashReferenceId: string | null;
  readonly status: string;
  readonly amountCentavos: Centavos | null;
  readonly currency: string;
  readonly paidAt: Date | null;
  readonly outcome: CashNoticeOutcome;
}

export async function findNotice(tx: Tx, operationId: string): Promise<Notice | undefined> {
  return tx
    .selectFrom('cash_notices')
    .where('provider', '=', 'tapi')
    .where('operation_id', '=', operationId)
    .select([
      'operation_id as operationId',
      'body_hash as bodyHash',
      'cash_reference_id as cashReferenceId',
      'status',
      'amount_centavos as amountCentavos',
      'currency',
      'paid_at as paidAt',
      'outcome',
    ])
    .executeTakeFirst();
}

/** The number that an operation paid. */
export async function findReferenceOf(tx: Tx, operationId: string): Promise<CashReference | undefined> {
  const id = (await findNotice(tx, operationId))?.cashReferenceId ?? undefined;
  return id === undefined ? undefined : findCashReference(tx, id);
}

/**
 * What became of cash that was applied to nothing yet. False, and nothing done, for any other: of two at once, who find its
 * owner or hear that it was taken back, one is told so.
 */
export async function resolveUnappliedCash(
  tx: Tx,
  operationId: string,
  event: Exclude<CashNoticeEvent, 'reversal_booked'>,
): Promise<boolean> {
  const where = sql`provider = 'tapi' and operation_id = ${operationId} and status = 'confirmed'`;
  return (await moveState(tx, CASH_NOTICE, { event, where })).length > 0;
}

/** The provider took an operation back, and that is booked now. */
export async function markReversalBooked(tx: Tx, operationId: string): Promise<void> {
  const where = sql`provider = 'tapi' and operation_id = ${operationId} and status = 'reversed'`;
  await deferMove(tx, CASH_NOTICE, { event: 'reversal_booked', where });
}

/** Throws on `cash_notices_once`. */
export async function insertNotice(tx: Tx, notice: Notice): Promise<void> {
  await tx
    .insertInto('cash_notices')
    .values({
      provider: 'tapi',
      operation_id: notice.operationId,
      body_hash: notice.bodyHash,
      cash_reference_id: notice.cashReferenceId,
      status: notice.status.slice(0, 40),
      amount_centavos: notice.amountCentavos,
      currency: notice.currency.slice(0, 10),
      paid_at: notice.paidAt,
      outcome: notice.outcome,
    })
    .execute();
}

/** Cash that stores took in a day of Mexico City, as Tapi counts its days; what it took back is marked. */
export async function listCashDay(db: Db, day: DateOnly): Promise<CashFileOperation[]> {
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
