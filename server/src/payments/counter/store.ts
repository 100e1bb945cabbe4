import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';

import { writtenTogether } from '../../platform/db/batch.ts';
import type { Tx } from '../../platform/db/db.ts';
import { rowsAs } from '../../platform/db/rows.ts';
import { defer } from '../../platform/db/transaction.ts';

/** How money was handed over at a counter. */
export type HandedOver =
  | { readonly method: 'cash'; readonly tenderedCentavos: Centavos }
  | { readonly method: 'terminal'; readonly last4: string; readonly authorisation: string };

export interface NewCounterOperation {
  readonly tillOperationId: string;
  readonly merchantId: number;
  readonly requestId: string;
  readonly positionId: string;
  readonly branchId: number;
  readonly deviceId: string | null;
  readonly amountCentavos: Centavos;
  readonly handedOver: HandedOver;
}

/** Writes who took an operation, where and how, before its receipt. `counter_operations_once` refuses a second of a request. */
export const insertCounterOperation = writtenTogether<NewCounterOperation>(async (tx, operations) => {
  const rows = rowsAs(
    'operation',
    {
      tillOperationId: 'uuid',
      merchantId: 'bigint',
      requestId: 'uuid',
      positionId: 'uuid',
      branchId: 'bigint',
      deviceId: 'uuid',
      method: 'text',
      amountCentavos: 'bigint',
      tenderedCentavos: 'bigint',
      last4: 'text',
      authorisation: 'text',
    },
    operations.map(({ handedOver, ...operation }) => ({
      ...operation,
      method: handedOver.method,
      tenderedCentavos: handedOver.method === 'cash' ? handedOver.tenderedCentavos : null,
      last4: handedOver.method === 'terminal' ? handedOver.last4 : null,
      authorisation: handedOver.method === 'terminal' ? handedOver.authorisation : null,
    })),
  );
  await defer(
    tx,
    sql`
    insert into counter_operations (till_operation_id, merchant_id, request_id, position_id, branch_id, device_id, method,
      amount_centavos, tendered_centavos, terminal_last4, terminal_authorisation)
    select * from ${rows}`,
  );
});

/** Writes who took an operation back, and why. A deferred write. */
export async function insertCounterReversal(
  tx: Tx,
  reversal: {
    readonly tillOperationId: string;
    readonly positionId: string;
    readonly reason: string;
    readonly requestId: string | null;
  },
): Promise<void> {
  await defer(
    tx,
    tx.insertInto('counter_reversals').values({
      till_operation_id: reversal.tillOperationId,
      position_id: reversal.positionId,
      reason: reversal.reason,
      request_id: reversal.requestId,
    }),
  );
}

/** Writes that nothing is done any more by a press that took a payment back or paid a refund. Twice is once. */
export async function insertDroppedPress(
  tx: Tx,
  press: { readonly requestId: string; readonly merchantId: number; readonly positionId: string },
): Promise<void> {
  await tx
    .insertInto('counter_dropped_presses')
    .values({
      request_id: press.requestId,
      merchant_id: press.merchantId,
      position_id: press.positionId,
    })
    .onConflict((on) => on.doNothing())
    .execute();
}

/** Writes out of which drawer a refund was handed over, or that its terminal gave it back. `counter_refunds_once` refuses a second of a press. */
export async function insertCounterRefund(
  tx: Tx,
  refund: {
    readonly refundId: number;
    /** The refund's: each handover is another. */
    readonly tries: number;
    readonly merchantId: number;
    readonly requestId: string;
    readonly positionId: string;
    readonly branchId: number;
    readonly amountCentavos: Centavos;
    readonly method: HandedOver['method'];
  },
): Promise<void> {
  await tx
    .insertInto('counter_refunds')
    .values({
      refund_id: refund.refundId,
      tries: refund.tries,
      merchant_id: refund.merchantId,
      request_id: refund.requestId,
      position_id: refund.positionId,
      branch_id: refund.branchId,
      amount_centavos: refund.amountCentavos,
      method: refund.method,
    })
    .execute();
}
