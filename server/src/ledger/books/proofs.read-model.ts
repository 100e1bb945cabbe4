import { sql } from 'kysely';
import type { Db } from '../../platform/db/db.ts';

/**
 * What must hold of the books at any moment (rules/ledger#proofs). Each query returns the subjects that break its sentence:
 * none when the books are right.
 */
export const PROOFS = {
  'every event has all its transfers, and every transfer its event': `
    select coalesce(e.id, t.event_id) as subject from ledger_events e full join ledger_transfers t on t.event_id = e.id
    group by e.id, t.event_id, e.legs having count(t.*) is distinct from e.legs`,
  'all postings sum to zero': `
    select merchant_id as subject from postings group by merchant_id having sum(amount) <> 0`,
  'no account is below zero': `
    select account || ' ' || subject as subject from balances where normal <> 'either' and balance < 0`,
  'what a purchase says is paid is what the ledger holds for it': `
    select p.id as subject from purchases p left join balances b on b.account = 'layaway_deposits' and b.subject = p.id::text
    where coalesce(b.balance, 0) <> case when p.state = 'active' then p.paid_centavos else 0 end`,
  'what an instalment says is paid is what was applied to it': `
    select i.id as subject from instalments i
    where i.paid_centavos <> (select coalesce(sum(a.amount_centavos), 0) from allocations a where a.instalment_id = i.id)`,
  'a plan sums to its price and its payments to what is paid': `
    select p.id as subject from purchases p left join instalments i on i.purchase_id = p.id group by p.id
    having p.paid_centavos <> coalesce(sum(i.paid_centavos), 0) or p.price_centavos <> coalesce(sum(i.amount_centavos), 0)`,
  'every centavo of every receipt went somewhere, once': `
    select r.id as subject from receipts r
    where r.amount_centavos - r.withdrawn_centavos
      <> (select coalesce(sum(a.amount_centavos), 0) from allocations a where a.receipt_id = r.id)`,
  'every receipt is in the ledger with its amount, and the other way round': `
    select coalesce(r.id::text, e.source_id) as subject
    from receipts r full join (
      select e.id, e.kind, e.source_id, (select sum(t.amount_centavos) from ledger_transfers t where t.event_id = e.id) as total
      from ledger_events e where e.kind like '%\\_receipt'
    ) e on e.kind = r.channel || '_receipt' and e.source_id = r.source_id
    where r.amount_centavos is distinct from e.total`,
  'a refund that is owed is in its payable account, and a finished one is not': `
    select f.id as subject from refunds f
    left join balances b on b.account = f.method || '_refund_payable' and b.subject = 'refund:' || f.id
    where coalesce(b.balance, 0) <> case when f.state in ('done', 'moved_to_cash') then 0 else f.amount_centavos end`,
  'nothing is owed back without a refund that says so': `
    select b.subject from balances b where b.account like '%\\_refund\\_payable' and b.balance <> 0
    and not exists (select from refunds f where 'refund:' || f.id = b.subject and f.method || '_refund_payable' = b.account)`,
  'what stands in suspense is what no other place was found for': `
    select coalesce(b.subject, 'receipt:' || a.receipt_id) as subject
    from (select subject, balance from balances where account = 'suspense') b
    full join (select receipt_id, sum(amount_centavos) as amount from allocations where target = 'suspense' group by 1) a
      on b.subject = 'receipt:' || a.receipt_id
    where coalesce(b.balance, 0) <> coalesce(a.amount, 0)`,
  'the fees that are kept are those that came, less what cancels gave back': `
    select coalesce(b.subject, f.source_id) as subject
    from (select subject, sum(balance) as balance from balances where account = 'service_fee' group by 1) b
    full join (
      select r.source_id, sum(a.amount_centavos) - coalesce((
        select sum(t.amount_centavos) from ledger_transfers t join ledger_events e on e.id = t.event_id
        where e.kind = 'cancel' and t.debit = 'service_fee' and t.debit_subject = r.source_id), 0) as amount
      from allocations a join receipts r on r.id = a.receipt_id where a.target = 'service_fee' group by r.source_id
    ) f on f.source_id = b.subject
    where coalesce(b.balance, 0) <> coalesce(f.amount, 0)`,
  'what was taken back of a receipt is what its reversal moved': `
    select coalesce(r.id::text, e.source_id) as subject
    from (select * from receipts where withdrawn_centavos > 0) r full join (
      select e.id, e.kind, e.source_id, (select sum(t.amount_centavos) from ledger_transfers t where t.event_id = e.id) as total
      from ledger_events e where e.kind like '%\\_reversal'
    ) e on e.kind = r.channel || '_reversal' and e.source_id = r.source_id
    where r.withdrawn_centavos is distinct from e.total`,
  'captured is the receipt, refunded is the refunds done, and no more is owed than was captured': `
    select a.id as subject from card_attempts a left join receipts r on r.channel = 'card' and r.source_id = a.id::text
    where a.captured_centavos <> coalesce(r.amount_centavos, 0)
    or a.refunded_centavos <> (select coalesce(sum(amount_centavos), 0) from refunds
      where attempt_id = a.id and state = 'done' and (method = 'card' or provider_refund_id is not null))
    or a.captured_centavos < (select coalesce(sum(amount_centavos), 0) from refunds where attempt_id = a.id and state <> 'moved_to_cash')
      - coalesce((select sum(balance) from balances where account = 'dispute_loss' and subject = a.id::text), 0)`,
  'every external refund is in the ledger, once': `
    select coalesce(f.source_id, e.source_id) as subject
    from (
      select r.source_id, sum(f.amount_centavos) as amount from refunds f join receipts r on r.id = f.receipt_id
      where f.state = 'done' and (f.cause = 'external' or f.method = 'cash' and f.provider_refund_id is not null) group by 1
    ) f full join (
      select o.source_id, sum(t.amount_centavos) as amount from (
        select id, regexp_replace(source_id, ':[0-9]+$', '') as source_id from ledger_events where kind = 'external_refund'
        union all select id, source_id from ledger_events where kind = 'card_reversal'
        union all select e.id, r.source_id from ledger_events e join refunds f on f.id::text = e.source_id join receipts r on r.id = f.receipt_id
          where e.kind = 'card_refund' and f.cause = 'external'
      ) o join ledger_transfers t on t.event_id = o.id group by 1
    ) e on e.source_id = f.source_id
    where f.amount is distinct from e.amount`,
  'a cancelled purchase gave back, owes or kept exactly what was paid': `
    select p.id as subject from purchases p where p.state = 'cancelled' and p.paid_centavos <> (
      select coalesce(sum(t.amount_centavos), 0) from ledger_events e join ledger_transfers t on t.event_id = e.id
      where e.kind = 'cancel' and e.source_id = p.id::text and t.debit = 'layaway_deposits')`,
  'nothing lies in the deposits of a delivered purchase, and it was paid whole': `
    select p.id as subject from purchases p left join balances b on b.account = 'layaway_deposits' and b.subject = p.id::text
    where p.state = 'delivered' and (coalesce(b.balance, 0) <> 0 or p.paid_centavos <> p.price_centavos)`,
  'every delivered purchase has its hand-over, or an erased buyer, and is sold for what was paid, and no other': `
    select coalesce(p.id::text, h.purchase_id::text, e.source_id) as subject
    from (select * from purchases where state = 'delivered') p
    full join hand_overs h on h.purchase_id = p.id
    full join (
      select e.source_id, (select sum(t.amount_centavos) from ledger_transfers t where t.event_id = e.id
        and t.credit = 'sale_delivered' and t.credit_subject = e.source_id) as total
      from ledger_events e where e.kind = 'handover'
    ) e on e.source_id = coalesce(p.id, h.purchase_id)::text
    left join buyers b on b.id = p.buyer_id
    where p.id is null or (h.purchase_id is null and b.erased_at is null) or p.paid_centavos is distinct from e.total`,
  'every paid reference has its purchase, and no other has one': `
    select l.id as subject from layaway_references l left join purchases p on p.layaway_reference_id = l.id
    where (l.state = 'paid') <> (p.id is not null)`,
  'every authorised till operation is a receipt, a reversed one was taken back, and no refused one is': `
    select o.id as subject from till_operations o left join receipts r on r.channel = 'till' and r.source_id = o.id::text
    where (o.state in ('authorised', 'reversed')) <> (r.id is not null) or (r.id is not null and r.amount_centavos is distinct from o.amount_centavos)
      or (o.state = 'reversed') <> (coalesce(r.withdrawn_centavos, 0) > 0)`,
  'what a day of tills counts is what they authorised': `
    select coalesce(d.service_account_id, o.service_account_id) || ' ' || coalesce(d.branch, o.branch) as subject
    from (select service_account_id, branch, sum(taken_centavos) as total from till_days group by 1, 2) d
    full join (select service_account_id, branch, sum(amount_centavos) as total from till_operations where state = 'authorised' group by 1, 2) o
      on o.service_account_id = d.service_account_id and o.branch = d.branch
    where coalesce(d.total, 0) <> coalesce(o.total, 0)`,
  'what a shop’s page sums up is what its payments, plans and refunds say': `
    select merchant_id || ' ' || kind || ' ' || day || ' ' || method || ' ' || branch_id as subject from merchant_sums_missed`,
  'what a purchase says is due next is the oldest day that its instalments owe for': `
    select p.id as subject from purchases p left join (
      select purchase_id, min(due_on) as day from instalments where paid_centavos < amount_centavos group by 1) i on i.purchase_id = p.id
    where p.next_due_on is distinct from case p.state when 'active' then i.day end`,
  'every notice whose money was placed is a receipt, and no other is': `
    select n.operation_id as subject from cash_notices n left join receipts r on r.channel = 'cash' and r.source_id = n.operation_id
    where (n.outcome in ('applied', 'owed_back')) <> (r.id is not null)
      or (r.id is not null and r.amount_centavos is distinct from n.amount_centavos)`,
  'what a chain or Tapi still has to pay is what it took and no deposit brought': `
    select coalesce(b.subject, r.source_id) as subject
    from (select account, subject, balance from balances where account in ('till_clearing', 'cash_clearing')) b
    full join (select channel || '_clearing' as account, source_id,
        case when settlement_id is not null or exists (select from refunds f where f.receipt_id = receipts.id
          and f.provider_refund_id is not null) then 0 else amount_centavos - withdrawn_centavos end as amount
      from receipts where channel <> 'card') r on r.account = b.account and r.source_id = b.subject
    where coalesce(b.balance, 0) <> coalesce(r.amount, 0)`,
  'a deposit or payout is in the ledger with its amount, once more when it was taken back': `
    select coalesce(s.id::text, e.source_id) as subject
    from (select s.*, (select count(*) from settlements v where v.of_id = s.id and v.kind = 'void') as voids
      from settlements s where s.kind <> 'void') s
    full join (select e.kind, e.source_id, (select sum(t.amount_centavos) from ledger_transfers t where t.event_id = e.id) as total,
        (select count(*) from ledger_events v where v.kind = 'settlement_void' and v.source_id = e.id::text) as voids
      from ledger_events e where e.kind in ('settlement_deposit', 'settlement_payout', 'settlement_explanation')) e
      on e.kind = 'settlement_' || s.kind and e.source_id = s.id::text
    where s.amount_centavos + s.commission_centavos is distinct from e.total or s.voids is distinct from e.voids`,
  'what a deposit differs by is its operations less what came, and less what was explained': `
    with expected as (
      select s.id, coalesce((select sum(amount_centavos) from receipts where settlement_id = s.id), 0)
        - s.amount_centavos - s.commission_centavos as whole,
        coalesce((select sum(x.amount_centavos) from settlements x where x.of_id = s.id and x.kind = 'explanation'
          and not exists (select from settlements v where v.of_id = x.id and v.kind = 'void')), 0) as explained
      from settlements s where s.kind = 'deposit' and s.channel <> 'card'
        and not exists (select from settlements v where v.of_id = s.id and v.kind = 'void'))
    select coalesce(b.subject, 'settlement:' || x.id) as subject
    from (select subject, balance from balances where account = 'settlement_difference') b
    full join expected x on b.subject = 'settlement:' || x.id
    where coalesce(b.balance, 0) <> coalesce(x.whole - sign(x.whole) * x.explained, 0)`,
  'every receipt has the source that it names, with its sum, merchant and buyer, and with the provider’s word': `
    select r.id as subject from receipts r
    left join card_attempts a on r.channel = 'card' and a.id::text = r.source_id
    left join till_operations o on r.channel = 'till' and o.id::text = r.source_id
    left join cash_notices n on r.channel = 'cash' and n.operation_id = r.source_id
    where not coalesce(case r.channel
      when 'card' then a.captured_centavos = r.amount_centavos and a.provider_payment_id is not null
        and a.merchant_id = r.merchant_id and a.buyer_id is not distinct from r.buyer_id
      when 'till' then o.amount_centavos = r.amount_centavos and o.state in ('authorised', 'reversed')
      else n.amount_centavos = r.amount_centavos and n.status = 'confirmed' end, false)`,
  'a card payment that was applied took what was agreed': `
    select a.id as subject from card_attempts a
    join receipts r on r.channel = 'card' and r.source_id = a.id::text
    left join (select receipt_id, sum(amount_centavos) as amount from allocations
      where target = 'service_fee' and reverses_id is null group by 1) f on f.receipt_id = r.id
    where a.state = 'applied'
      and (a.captured_centavos <> a.principal_centavos + a.fee_centavos or coalesce(f.amount, 0) <> a.fee_centavos)`,
  'a purchase is its reference’s buyer’s, on its terms, and begins with its deposit': `
    select p.id as subject from purchases p join layaway_references l on l.id = p.layaway_reference_id
    left join instalments i on i.purchase_id = p.id and i.number = 1
    where (p.buyer_id, p.merchant_id, p.product_id, p.price_centavos, p.deposit_centavos, p.service_fee_centavos, p.service_fee_methods,
        p.penalty_centavos, p.end_days_late, i.amount_centavos)
      is distinct from (l.buyer_id, l.merchant_id, l.product_id, l.price_centavos, l.deposit_centavos, l.service_fee_centavos,
        l.service_fee_methods, l.penalty_centavos, l.end_days_late, l.deposit_centavos)`,
  'a receipt and what it paid are one buyer’s and one merchant’s': `
    select r.id as subject from allocations a join receipts r on r.id = a.receipt_id
    join instalments i on i.id = a.instalment_id join purchases p on p.id = i.purchase_id
    where r.buyer_id is distinct from p.buyer_id or r.merchant_id <> p.merchant_id
    group by r.id`,
  'what a counter took or gave back is in the day file with its sum, branch and state': `
    select coalesce(c.till_operation_id, o.id) as subject
    from counter_operations c full join (
      select t.* from till_operations t join service_accounts s on s.id = t.service_account_id and s.kind = 'counter'
      where t.state in ('authorised', 'reversed')
    ) o on o.id = c.till_operation_id
    left join counter_reversals v on v.till_operation_id = c.till_operation_id
    where (c.amount_centavos, c.branch_id::text, 'mostrador-' || c.merchant_id, v.till_operation_id is not null)
      is distinct from (o.amount_centavos, o.branch, o.chain, o.state = 'reversed')`,
  'a cut says what was taken and given back in its drawer': `
    select coalesce(c.id, m.cut_id) as subject
    from counter_cuts c full join (
      select cut_id, branch_id, position_id, count(*) as movements,
        coalesce(sum(amount) filter (where method = 'cash' and amount > 0), 0) as cash_taken,
        coalesce(-sum(amount) filter (where method = 'cash' and amount < 0), 0) as cash_returned,
        coalesce(sum(amount) filter (where method = 'terminal' and amount > 0), 0) as terminal_taken,
        coalesce(-sum(amount) filter (where method = 'terminal' and amount < 0), 0) as terminal_returned
      from (
        select cut_id, branch_id, position_id, method, amount_centavos as amount from counter_operations
        union all select v.cut_id, o.branch_id, v.position_id, o.method, -o.amount_centavos
          from counter_reversals v join counter_operations o on o.till_operation_id = v.till_operation_id
        union all select cut_id, branch_id, position_id, method, -amount_centavos from counter_refunds
      ) each where cut_id is not null group by 1, 2, 3
    ) m on (m.cut_id, m.branch_id, m.position_id) = (c.id, c.branch_id, c.position_id)
    where (c.movements, c.cash_taken_centavos, c.cash_returned_centavos, c.terminal_taken_centavos, c.terminal_returned_centavos)
      is distinct from (coalesce(m.movements, 0), coalesce(m.cash_taken, 0), coalesce(m.cash_returned, 0),
        coalesce(m.terminal_taken, 0), coalesce(m.terminal_returned, 0))`,
  'what came before a cut of its drawer is in one': `
    select m.subject from (
      select till_operation_id as subject, branch_id, position_id, created_at from counter_operations where cut_id is null
      union all select v.till_operation_id, o.branch_id, v.position_id, v.created_at
        from counter_reversals v join counter_operations o on o.till_operation_id = v.till_operation_id where v.cut_id is null
      union all select request_id, branch_id, position_id, created_at from counter_refunds where cut_id is null
    ) m
    -- What began before a cut and ended after it waits for the next; nothing takes an hour.
    where exists (select from counter_cuts c where c.branch_id = m.branch_id and c.position_id = m.position_id
      and c.until_at > m.created_at + interval '1 hour')`,
  'what a branch has for sale is what it entered less what is kept or handed over': `
    select u.product_id || ' in ' || u.branch_id as subject
    from product_units u left join holds h on (h.product_id, h.branch_id) = (u.product_id, u.branch_id) and h.state <> 'released'
    group by u.product_id, u.branch_id having u.free_units <> u.entered_units - count(h.layaway_reference_id)`,
  'what is kept is for a reservation that waits or a purchase that goes on': `
    select h.layaway_reference_id as subject from holds h join layaway_references l on l.id = h.layaway_reference_id
    left join purchases p on p.layaway_reference_id = l.id
    where h.product_id <> l.product_id or h.state <> case when p.state = 'delivered' then 'delivered'
      when l.state = 'open' or p.state = 'active' then 'held' else 'released' end`,
  'a difference of a deposit is explained within two days': `
    select b.subject from balances b join settlements s on b.subject = 'settlement:' || s.id
    where b.account = 'settlement_difference' and b.balance <> 0 and s.recorded_at < app_now() - interval '2 days'`,
} as const satisfies Readonly<Record<string, string>>;

export type Proof = keyof typeof PROOFS;

export interface BrokenProof {
  readonly proof: Proof;
  /** At most 20 of them. */
  readonly subjects: string[];
}

/** Runs every proof on one snapshot of the database and returns the broken ones. Reads only; may be run at any time. */
export async function proveBooks(db: Db): Promise<BrokenProof[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const broken: BrokenProof[] = [];
      for (const [proof, query] of Object.entries(PROOFS) as [Proof, string][]) {
        // Materialized, so that it is planned for all rows: whoever looks for twenty of none reads each table once per row. With a
        // parameter, so that who proves often plans it once.
        const { rows } = await sql<{ subject: unknown }>`
          with broken as materialized (${sql.raw(query)}) select subject from broken limit ${20}`.execute(tx);
        if (rows.length > 0) broken.push({ proof, subjects: rows.map((row) => String(row.subject)) });
      }
      return broken;
    });
}
