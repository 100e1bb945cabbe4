-- What the shop's own terminal took goes back on it, and out of no drawer. Older servers name no way: what they hand over is cash.
alter table counter_refunds add column method text not null default 'cash';
comment on column counter_refunds.method is 'how it was handed over: cash, or terminal';
grant insert (method) on counter_refunds to aparta_app;

-- What was handed over is a refund of that shop in cash, whole, which the shop has just handed over; on the terminal, what it took.
create or replace function counter_refunds_were_handed_over() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (
    select from refunds f join receipts r on r.id = f.receipt_id
    where f.id = new.refund_id and f.tries = new.tries and f.method = 'cash' and f.state = 'done' and f.paid_by = 'merchant'
      and f.amount_centavos = new.amount_centavos and r.merchant_id = new.merchant_id
      and (new.method = 'cash' or new.method = 'terminal' and r.channel = 'till' and exists (
        select from counter_operations o where o.till_operation_id::text = r.source_id and o.method = 'terminal'))
  ) then
    raise exception 'refund % was not handed over so', new.refund_id
      using errcode = 'check_violation', constraint = 'counter_refunds_were_handed_over';
  end if;
  return new;
end $$;
