-- What an operation of a counter has beside a till's: who took it, where, and how. The row comes before the operation and its
-- receipt, in one transaction.
create table counter_operations (
  till_operation_id uuid primary key,
  merchant_id bigint not null references merchants,
  -- Made by the device with the press: one press is one operation.
  request_id uuid not null,
  position_id uuid not null,
  branch_id bigint not null,
  method text not null check (method in ('cash', 'terminal')),
  amount_centavos bigint not null check (amount_centavos > 0),
  tendered_centavos bigint,
  terminal_last4 text check (terminal_last4 ~ '^[0-9]{4}$'),
  terminal_authorisation text check (char_length(terminal_authorisation) between 1 and 20),
  created_at timestamptz not null default app_now(),
  constraint counter_operations_once unique (merchant_id, request_id),
  constraint counter_operations_is_a_till_operation foreign key (till_operation_id) references till_operations
    deferrable initially deferred,
  constraint counter_operations_by_the_merchants_staff foreign key (position_id, merchant_id)
    references staff_positions (id, merchant_id),
  constraint counter_operations_in_the_merchants_branch foreign key (branch_id, merchant_id) references branches (id, merchant_id),
  constraint counter_operations_tendered_covers_the_amount check (tendered_centavos >= amount_centavos),
  constraint counter_operations_cash_was_handed_over check ((method = 'cash') = (tendered_centavos is not null)),
  constraint counter_operations_terminal_has_its_slip
    check ((method = 'terminal') = (terminal_last4 is not null) and (method = 'terminal') = (terminal_authorisation is not null))
);
-- Receipts name their source as text.
create index counter_operations_by_source on counter_operations ((till_operation_id::text));
grant select on counter_operations to aparta_app;
grant insert (till_operation_id, merchant_id, request_id, position_id, branch_id, method, amount_centavos, tendered_centavos,
  terminal_last4, terminal_authorisation) on counter_operations to aparta_app;

create table counter_reversals (
  till_operation_id uuid primary key references counter_operations,
  position_id uuid not null references staff_positions,
  reason text not null check (char_length(reason) between 3 and 200),
  created_at timestamptz not null default app_now()
);
grant select on counter_reversals to aparta_app;
grant insert (till_operation_id, position_id, reason) on counter_reversals to aparta_app;

-- Whoever collects what tills take, what is taken at a merchant's own counter lies in the merchant's drawer.
create or replace function freeze_who_collects() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  select case new.channel
      when 'till' then case
        when till_collected_by <> 'merchant'
          and exists (select from counter_operations where till_operation_id::text = new.source_id) then 'merchant'
        else till_collected_by end
      when 'cash' then cash_collected_by else 'merchant' end,
      invoice_cut_off_days
    into new.collected_by, new.invoice_cut_off_days from merchants where id = new.merchant_id;
  return new;
end $$;
