import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import { writtenTogether } from '../../platform/db/batch.ts';
import type { Tx } from '../../platform/db/db.ts';
import { rowsAs } from '../../platform/db/rows.ts';
import { defer } from '../../platform/db/transaction.ts';
import type { CashNoticeOutcome } from '../../platform/db/tables.ts';
import { deferMove, moveState } from '../../platform/lifecycle.ts';
import { type CashReference, findCashReference } from '../../purchases/cash-references/store.ts';
import { CASH_NOTICE, type CashNoticeEvent } from './cash-notice.ts';

/** What the provider told about one operation of a store, and what came of it. */
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

/** What was kept of an operation. */
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

/** The cash reference that an operation paid. */
export async function findReferenceOf(tx: Tx, operationId: string): Promise<CashReference | undefined> {
  const id = (await findNotice(tx, operationId))?.cashReferenceId ?? undefined;
  return id === undefined ? undefined : findCashReference(tx, id);
}

/**
 * Decides unapplied cash. False, and nothing is done, when it is decided already: of two decisions at once, only one takes
 * effect.
 */
export async function resolveUnappliedCash(
  tx: Tx,
  operationId: string,
  event: Exclude<CashNoticeEvent, 'reversal_booked'>,
): Promise<boolean> {
  const where = sql`provider = 'tapi' and operation_id = ${operationId} and status = 'confirmed'`;
  return (await moveState(tx, CASH_NOTICE, { event, where })).length > 0;
}

/** Marks a reversal by the provider as booked. */
export async function markReversalBooked(tx: Tx, operationId: string): Promise<void> {
  const where = sql`provider = 'tapi' and operation_id = ${operationId} and status = 'reversed'`;
  await deferMove(tx, CASH_NOTICE, { event: 'reversal_booked', where });
}

/** Keeps a notice with its outcome. `cash_notices_once` refuses a second one, at the latest at the commit. */
export const insertNotice = writtenTogether<Notice>(async (tx, notices) => {
  const rows = rowsAs(
    'notice',
    {
      operationId: 'text',
      bodyHash: 'bytea',
      cashReferenceId: 'uuid',
      status: 'text',
      amountCentavos: 'bigint',
      currency: 'text',
      paidAt: 'timestamptz',
      outcome: 'text',
    },
    notices.map((notice) => ({
      ...notice,
      currency: notice.currency.slice(0, 10),
    })),
  );
  await defer(
    tx,
    sql`
    insert into cash_notices (provider, operation_id, body_hash, cash_reference_id, status, amount_centavos, currency, paid_at, outcome)
    select 'tapi', * from ${rows}`,
  );
});
