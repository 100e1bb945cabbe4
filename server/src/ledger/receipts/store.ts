import { type Centavos, centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import { writtenTogether } from '../../platform/db/batch.ts';
import { builtOnce } from '../../platform/db/built-once.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { AllocationTarget, ReceiptChannel } from '../../platform/db/tables.ts';
import { rowsAs } from '../../platform/db/rows.ts';
import { defer } from '../../platform/db/transaction.ts';

export interface Receipt {
  readonly id: number;
  readonly folio: string;
}

export interface NewReceipt {
  readonly channel: ReceiptChannel;
  readonly sourceId: string;
  readonly merchantId: number;
  readonly buyerId: number | null;
  readonly amountCentavos: Centavos;
  readonly folio: string;
  readonly paidAt?: Date | undefined;
}

/** Records money that arrived. Throws on `receipts_money_arrives_once` for a source that already brought its money. */
export async function insertReceipt(tx: Tx, receipt: NewReceipt): Promise<Receipt> {
  return receiptInsert(tx, receipt).executeTakeFirstOrThrow();
}

/** Records money with its allocations to instalments and to their fee, for a caller that does not need the receipt's id. */
export const insertAllocatedReceipt = writtenTogether<{
  readonly receipt: NewReceipt;
  readonly allocations: readonly Allocation[];
}>(async (tx, rows) => {
  const allocations = rows.flatMap(({ receipt, allocations: its }) =>
    its.map((allocation) => ({ channel: receipt.channel, source_id: receipt.sourceId, ...allocation })),
  );
  await defer(tx, allocatedInsert(tx, { receipts: rows.map(({ receipt }) => receipt), allocations }));
});

interface Allocated {
  readonly receipts: readonly NewReceipt[];
  readonly allocations: readonly (Allocation & {
    readonly channel: ReceiptChannel;
    readonly source_id: string;
  })[];
}

const allocatedInsert = builtOnce(
  (_, { receipts, allocations }: Allocated) => sql`
    with receipt as (
      insert into receipts (channel, source_id, merchant_id, buyer_id, amount_centavos, folio, paid_at)
      select channel, "sourceId", "merchantId", "buyerId", "amountCentavos", folio, least("paidAt", app_now())
      from ${rowsAs(
        'receipt',
        {
          channel: 'text',
          sourceId: 'text',
          merchantId: 'bigint',
          buyerId: 'bigint',
          amountCentavos: 'bigint',
          folio: 'text',
          paidAt: 'timestamptz',
        },
        receipts,
      )} returning id, channel, source_id
    )
    insert into allocations (receipt_id, target, instalment_id, amount_centavos)
    select receipt.id, target, "instalmentId", "amountCentavos"
    from receipt join ${rowsAs(
      'allocation',
      {
        channel: 'text',
        source_id: 'text',
        target: 'text',
        instalmentId: 'bigint',
        amountCentavos: 'bigint',
      },
      allocations,
    )} using (channel, source_id)`,
);

function receiptInsert(tx: Tx, receipt: NewReceipt) {
  return tx
    .insertInto('receipts')
    .values({
      channel: receipt.channel,
      source_id: receipt.sourceId,
      merchant_id: receipt.merchantId,
      buyer_id: receipt.buyerId,
      amount_centavos: receipt.amountCentavos,
      folio: receipt.folio,
      paid_at: sql<Date>`least(${receipt.paidAt ?? null}::timestamptz, app_now())`,
    })
    .returning(['id', 'folio']);
}

/** A receipt whose money is still in suspense, with the allocation that put it there. */
export async function findInSuspense(
  tx: Tx,
  channel: ReceiptChannel,
  sourceId: string,
): Promise<(Receipt & { amountCentavos: Centavos; allocationId: number; paidAt: Date | null }) | undefined> {
  return tx
    .selectFrom('receipts as r')
    .innerJoin('allocations as a', 'a.receipt_id', 'r.id')
    .where('r.channel', '=', channel)
    .where('r.source_id', '=', sourceId)
    .where('a.target', '=', 'suspense')
    .where('a.reverses_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('allocations as b').select('b.id').whereRef('b.reverses_id', '=', 'a.id'))),
    )
    .select([
      'r.id',
      'r.folio',
      'r.amount_centavos as amountCentavos',
      'a.id as allocationId',
      'r.paid_at as paidAt',
    ])
    .executeTakeFirst();
}

/** Where a part of a receipt goes. One that reverses another has its id, and an amount below zero. */
export interface Allocation {
  readonly target: AllocationTarget;
  readonly instalmentId?: number;
  readonly refundId?: number;
  readonly reversesId?: number;
  readonly amountCentavos: number;
}

export async function insertAllocations(
  tx: Tx,
  receiptId: number,
  allocations: readonly Allocation[],
): Promise<void> {
  await defer(
    tx,
    tx.insertInto('allocations').values(
      allocations.map((allocation) => ({
        receipt_id: receiptId,
        target: allocation.target,
        instalment_id: allocation.instalmentId ?? null,
        refund_id: allocation.refundId ?? null,
        reverses_id: allocation.reversesId ?? null,
        amount_centavos: allocation.amountCentavos,
      })),
    ),
  );
}

/** A receipt with its allocations, without those that were reversed. Throws when the source brought no money. */
export async function findAllocations(
  tx: Tx,
  channel: ReceiptChannel,
  sourceId: string,
): Promise<{
  id: number;
  merchantId: number;
  buyerId: number | null;
  amountCentavos: Centavos;
  allocations: {
    id: number;
    target: AllocationTarget;
    instalmentId: number | null;
    refundId: number | null;
    amountCentavos: Centavos;
  }[];
}> {
  const receipt = await tx
    .selectFrom('receipts')
    .where('channel', '=', channel)
    .where('source_id', '=', sourceId)
    .select(['id', 'merchant_id as merchantId', 'buyer_id as buyerId', 'amount_centavos as amountCentavos'])
    .executeTakeFirstOrThrow();
  const allocations = await tx
    .selectFrom('allocations as a')
    .where('a.receipt_id', '=', receipt.id)
    .where('a.reverses_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('allocations as b').select('b.id').whereRef('b.reverses_id', '=', 'a.id'))),
    )
    .select([
      'a.id',
      'a.target',
      'a.instalment_id as instalmentId',
      'a.refund_id as refundId',
      'a.amount_centavos as amount',
    ])
    .orderBy('a.id')
    .execute();
  return {
    ...receipt,
    allocations: allocations.map(({ amount, ...allocation }) => ({
      ...allocation,
      amountCentavos: centavos(amount),
    })),
  };
}

/** Whether the money of a source came and was taken back, also after its purchase was cancelled. */
export async function isWithdrawn(tx: Tx, channel: ReceiptChannel, sourceId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('receipts')
    .where('channel', '=', channel)
    .where('source_id', '=', sourceId)
    .where(({ eb, or, exists, selectFrom }) =>
      or([
        eb('withdrawn_centavos', '=', eb.ref('amount_centavos')),
        exists(
          selectFrom('refunds')
            .whereRef('refunds.receipt_id', '=', 'receipts.id')
            .where('refunds.method', '=', 'cash')
            .where('refunds.provider_refund_id', 'is not', null)
            .select('refunds.id'),
        ),
      ]),
    )
    .select('id')
    .executeTakeFirst();
  return found !== undefined;
}

/** Notes that all of a receipt's money left again. False, and nothing is done, when a deposit of a settlement brought it. */
export async function markWithdrawn(tx: Tx, receiptId: number): Promise<boolean> {
  const marked = await tx
    .updateTable('receipts')
    .set(({ ref }) => ({ withdrawn_centavos: ref('amount_centavos') }))
    .where('id', '=', receiptId)
    .where('settlement_id', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}

/** Says which deposit brought the money of receipts. */
export async function markSettled(
  tx: Tx,
  receiptIds: readonly number[],
  settlementId: number,
): Promise<void> {
  await defer(
    tx,
    tx
      .updateTable('receipts')
      .set({ settlement_id: settlementId })
      .where(sql<boolean>`id = any(${receiptIds}::bigint[])`),
  );
}

/** Takes that back for all receipts of a deposit: their money has not come yet. */
export async function unmarkSettled(tx: Tx, settlementId: number): Promise<void> {
  await defer(
    tx,
    tx.updateTable('receipts').set({ settlement_id: null }).where('settlement_id', '=', settlementId),
  );
}
