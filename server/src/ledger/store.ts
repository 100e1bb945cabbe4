import { type Centavos, centavos } from '@aparta/domain/money';
import { type CompiledQuery, sql } from 'kysely';
import type { Db, Tx } from '../platform/db/db.ts';
import type {
  AllocationTarget,
  LedgerAccount,
  ReceiptChannel,
  RefundCause,
  RefundWay,
} from '../platform/db/tables.ts';
import type { LedgerEvent, Transfer } from './postings.ts';

/** Writes one event with all its transfers. Throws on `ledger_events_once` if it is already booked. */
export async function book(tx: Tx, event: LedgerEvent): Promise<void> {
  await tx.executeQuery(booking(tx, event));
}

/** The same as a statement to send together with others. */
export function booking(tx: Tx, event: LedgerEvent): CompiledQuery {
  const { merchantId, kind, sourceId, transfers } = event;
  const each = <K extends keyof Transfer>(name: K) => transfers.map((transfer) => transfer[name]);
  return sql`
    with event as (
      insert into ledger_events (merchant_id, kind, source_id, legs)
      values (${merchantId}, ${kind}, ${sourceId}, ${transfers.length}) returning id, legs, merchant_id
    )
    insert into ledger_transfers
      (event_id, leg, legs, merchant_id, debit, debit_subject, credit, credit_subject, amount_centavos)
    select event.id, leg, event.legs, event.merchant_id, debit, debit_subject, credit, credit_subject, amount
    from event, unnest(${each('debit')}::text[], ${each('debitSubject')}::text[], ${each('credit')}::text[],
      ${each('creditSubject')}::text[], ${each('amountCentavos')}::bigint[])
      with ordinality as transfer (debit, debit_subject, credit, credit_subject, amount, leg)`.compile(tx);
}

/** Writes many events in one statement. Throws on `ledger_events_once` if one is already booked. */
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
}

/** Records money that arrived. Throws on `receipts_money_arrives_once` for a source that already brought its money. */
export async function insertReceipt(tx: Tx, receipt: NewReceipt): Promise<Receipt> {
  return receiptInsert(tx, receipt).executeTakeFirstOrThrow();
}

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
    })
    .returning(['id', 'folio']);
}

type AllocatedField = 'target' | 'instalmentId' | 'amountCentavos';

/** A receipt with where its money goes, as a statement to send together with others: for instalments and their fee. */
export function receiving(
  tx: Tx,
  receipt: NewReceipt,
  allocations: readonly Pick<Allocation, AllocatedField>[],
): CompiledQuery<{ id: number }> {
  const each = (name: AllocatedField) => allocations.map((allocation) => allocation[name] ?? null);
  return sql<{ id: number }>`
    with receipt as (${receiptInsert(tx, receipt)}), allocated as (
      insert into allocations (receipt_id, target, instalment_id, amount_centavos)
      select receipt.id, target, instalment_id, amount
      from receipt, unnest(${each('target')}::text[], ${each('instalmentId')}::bigint[], ${each('amountCentavos')}::bigint[])
        as allocation (target, instalment_id, amount)
    )
    select id from receipt`.compile(tx);
}

/** A receipt whose money still stands in suspense, and the allocation that says so. */
export async function findSuspended(
  tx: Tx,
  channel: ReceiptChannel,
  sourceId: string,
): Promise<(Receipt & { amountCentavos: Centavos; allocationId: number }) | undefined> {
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
    .select(['r.id', 'r.folio', 'r.amount_centavos as amountCentavos', 'a.id as allocationId'])
    .executeTakeFirst();
}

/** Where a part of a receipt goes. A reversal carries the id that it undoes and an amount below zero. */
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
  await tx
    .insertInto('allocations')
    .values(
      allocations.map((allocation) => ({
        receipt_id: receiptId,
        target: allocation.target,
        instalment_id: allocation.instalmentId ?? null,
        refund_id: allocation.refundId ?? null,
        reverses_id: allocation.reversesId ?? null,
        amount_centavos: allocation.amountCentavos,
      })),
    )
    .execute();
}

/** A receipt with the allocations that stand, none reversed. Throws when the source brought no money. */
export async function findAllocations(
  tx: Tx,
  channel: ReceiptChannel,
  sourceId: string,
): Promise<{
  id: number;
  merchantId: number;
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
    .select(['id', 'merchant_id as merchantId', 'amount_centavos as amountCentavos'])
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

/** Whether the money of a source came and was taken back, also of a purchase that was cancelled meanwhile. */
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
            .where('refunds.way', '=', 'cash')
            .where('refunds.provider_refund_id', 'is not', null)
            .select('refunds.id'),
        ),
      ]),
    )
    .select('id')
    .executeTakeFirst();
  return found !== undefined;
}

/** All of a receipt left again. False, and nothing done, when a deposit brought its money already. */
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

/** Owes money back. One row per receipt, cause and way (`refunds_once_per_cause`). */
export async function insertRefund(
  tx: Tx,
  refund: {
    receiptId: number;
    attemptId: string | null;
    cause: RefundCause;
    way: RefundWay;
    amountCentavos: Centavos;
  },
): Promise<number> {
  const { id } = await tx
    .insertInto('refunds')
    .values({
      receipt_id: refund.receiptId,
      attempt_id: refund.attemptId,
      cause: refund.cause,
      way: refund.way,
      state: 'owed',
      amount_centavos: refund.amountCentavos,
      refunded_before_centavos: null,
      provider_refund_id: null,
      idempotency_key: null,
      detail_code: null,
      sent_at: null,
      looked_at: null,
      done_at: null,
      paid_by: null,
      evidence: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** What each account holds over all merchants, in centavos, as it grows: `either` by debit. Below zero where one may be. */
export async function sumAccounts(db: Db): Promise<{ account: LedgerAccount; total: number }[]> {
  return db
    .selectFrom('ledger_accounts as a')
    .leftJoin('balances as b', 'b.account', 'a.code')
    .groupBy('a.code')
    .orderBy('a.code')
    .select(['a.code as account', sql<number>`coalesce(sum(b.balance), 0)::bigint`.as('total')])
    .execute();
}
