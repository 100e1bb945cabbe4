import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import { type JournalEntry } from '../../ledger/books/journal.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { ReceiptChannel } from '../../platform/db/tables.ts';

/** What an entry of the books was to one of its purchases: how it stood then, and the money that did it. */
export interface BookedFact {
  readonly id: number;
  readonly purchaseId: number;
  readonly priceCentavos: Centavos;
  /** Paid of it once this was booked. */
  readonly paidCentavos: Centavos;
  /** What this moved in or out of the purchase. */
  readonly movedCentavos: Centavos;
  /** What was kept of it, on cancelling. */
  readonly keptCentavos: Centavos;
  /** What goes back by it, on cancelling, with a fee that is not kept. */
  readonly returnedCentavos: Centavos;
  readonly isDeposit: boolean;
  /** Whether it took back the only money of the purchase, which ended with it. */
  readonly isEnd: boolean;
  readonly sku: string;
  /** Null where no receipt brought it. */
  readonly folio: string | null;
  readonly channel: ReceiptChannel | null;
  /** Of one receipt of several purchases its share; what is nobody's share, as the fee, stands with the first. */
  readonly amountCentavos: Centavos | null;
  /** The key of a till's operation. */
  readonly chain: string | null;
  readonly branch: string | null;
  readonly transactionId: string | null;
}

/**
 * Reads what entries of the books were, by their id: a fact for each of their purchases, in the order of those. Purchases are
 * booked one thing after the other, so ids tell what came before.
 */
export async function readFacts(
  db: Db | Tx,
  entries: readonly JournalEntry[],
): Promise<ReadonlyMap<number, readonly BookedFact[]>> {
  const of = entries.flatMap(({ id, purchaseIds }) => purchaseIds.map((purchaseId) => ({ id, purchaseId })));
  const { rows } = await sql<BookedFact>`
    select event.id, p.id as "purchaseId", p.price_centavos as "priceCentavos", moved.paid as "paidCentavos", moved.now as "movedCentavos",
      moved.kept as "keptCentavos", (
        select coalesce(sum(amount_centavos), 0)::bigint from ledger_transfers
        where event_id = event.id and credit in ('card_refund_payable', 'cash_refund_payable')) as "returnedCentavos", product.sku, receipt.folio, receipt.channel, case min(p.id) over its when p.id
        then receipt.amount_centavos - (sum(moved.now) over its - moved.now) else moved.now end::bigint as "amountCentavos",
      operation.chain, operation.branch, operation.transaction_id as "transactionId", exists (
        select from allocations a join instalments i on i.id = a.instalment_id
        where a.receipt_id = receipt.id and i.purchase_id = p.id and i.number = 1) as "isDeposit",
      coalesce(p.ended_by = 'reversal' and p.cancelled_at = event.occurred_at, false) as "isEnd"
    from unnest(${of.map(({ id }) => id)}::bigint[], ${of.map(({ purchaseId }) => purchaseId)}::bigint[]) wanted (id, purchase_id)
    join ledger_events event on event.id = wanted.id
    join purchases p on p.id = wanted.purchase_id
    join products product on product.id = p.product_id
    cross join lateral (
      select coalesce(sum(case when credit = 'layaway_deposits' then amount_centavos else - amount_centavos end), 0)::bigint as paid,
        coalesce(sum(amount_centavos) filter (where event_id = event.id), 0)::bigint as now,
        coalesce(sum(amount_centavos) filter (where event_id = event.id and credit = 'penalty_income'), 0)::bigint as kept
      from (
        select event_id, credit, amount_centavos from ledger_transfers
          where credit = 'layaway_deposits' and credit_subject = wanted.purchase_id::text and event_id <= event.id
        union all select event_id, credit, amount_centavos from ledger_transfers
          where debit = 'layaway_deposits' and debit_subject = wanted.purchase_id::text and event_id <= event.id) leg) moved
    left join lateral (
      select * from receipts where event.kind ~ '_(receipt|reversal)$' and channel = split_part(event.kind, '_', 1)
        and source_id = event.source_id
      union all select * from receipts
        where id = case event.kind when 'suspense_resolved' then event.source_id::bigint end) receipt on true
    left join till_operations operation
      on operation.id = case receipt.channel when 'till' then receipt.source_id::uuid end
    window its as (partition by event.id) order by p.id`.execute(db);
  return Map.groupBy(rows, ({ id }) => id);
}
