-- What an operator needs to follow a payment and to end what waits for him.

-- Every state that an attempt, a refund or an invoice was in, written by the database itself, so that no path can forget it.
create table state_moves (
  id bigint generated always as identity primary key,
  subject_kind text not null check (subject_kind in ('card_attempt', 'refund', 'invoice')),
  subject_id text not null,
  from_state text, -- null when it was born in this one
  to_state text not null,
  words text not null default '', -- the provider's, as far as they were kept
  moved_at timestamptz not null default app_now()
);
create index state_moves_by_subject on state_moves (subject_kind, subject_id, id);
create trigger state_moves_append_only before update or delete or truncate on state_moves
  for each statement execute function refuse_change();
grant select, insert on state_moves to aparta_app;

create function record_state_move() returns trigger language plpgsql as $$
begin
  insert into state_moves (subject_kind, subject_id, from_state, to_state, words)
    values (tg_argv[0], new.id::text, case tg_op when 'UPDATE' then old.state end, new.state, coalesce(new.detail_code, ''));
  return null;
end $$;
create trigger card_attempts_moves after update of state on card_attempts
  for each row when (old.state is distinct from new.state) execute function record_state_move('card_attempt');
create trigger card_attempts_births after insert on card_attempts
  for each row when (new.state <> 'submitting') execute function record_state_move('card_attempt');
create trigger refunds_moves after update of state on refunds
  for each row when (old.state is distinct from new.state) execute function record_state_move('refund');
create trigger refunds_births after insert on refunds
  for each row when (new.state <> 'owed') execute function record_state_move('refund');
create trigger invoices_moves after update of state on invoices
  for each row when (old.state is distinct from new.state) execute function record_state_move('invoice');

-- Who handed a refund over in cash, and what shows that he did.
alter table refunds
  add column paid_by text check (paid_by in ('merchant', 'operator')),
  add column evidence text check (char_length(evidence) between 1 and 300),
  add constraint refunds_paid_in_cash_with_evidence check ((paid_by is null) = (evidence is null) and (paid_by is null or (way = 'cash' and state = 'done')));

-- Cash without a home finds one when a person knows whose it is.
grant update (outcome) on cash_notices to aparta_app;

-- Cash that the operator handed over is owed to him by the merchant (payments.md §2.3, L13).
insert into ledger_accounts (code, normal, meaning) values
  ('operator_current', 'either', 'debit: the operator holds money of the merchant; credit: the merchant owes the operator');
