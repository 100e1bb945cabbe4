-- Cash refunds that were handed over out of a drawer of a counter: by whom, in which branch, and in which cut. A handover that
-- bounced stays here; the next one is of another try.
create table counter_refunds (
  refund_id bigint not null references refunds,
  tries integer not null, -- the refund's, when it was handed over
  merchant_id bigint not null references merchants,
  -- Made by the device with the press: one press is one handover.
  request_id uuid not null,
  position_id uuid not null,
  branch_id bigint not null,
  amount_centavos bigint not null,
  created_at timestamptz not null default app_now(),
  cut_id uuid,
  primary key (refund_id, tries),
  constraint counter_refunds_once unique (merchant_id, request_id),
  constraint counter_refunds_by_the_merchants_staff foreign key (position_id, merchant_id)
    references staff_positions (id, merchant_id),
  constraint counter_refunds_in_the_merchants_branch foreign key (branch_id, merchant_id) references branches (id, merchant_id),
  constraint counter_refunds_in_a_cut_of_their_drawer foreign key (cut_id, branch_id, position_id)
    references counter_cuts (id, branch_id, position_id) deferrable initially deferred
);
-- What waits for its cut (no cut), and what is in one.
create index counter_refunds_by_cut on counter_refunds (cut_id, branch_id, position_id);
grant select on counter_refunds to aparta_app;
grant insert (refund_id, tries, merchant_id, request_id, position_id, branch_id, amount_centavos) on counter_refunds to aparta_app;
grant update (cut_id) on counter_refunds to aparta_app;
create trigger counter_refunds_cut_once before update on counter_refunds
  for each row when (old.cut_id is not null) execute function refuse_change();

-- What left a drawer is a refund of that shop in cash, whole, which the shop has just handed over.
create function counter_refunds_were_handed_over() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (
    select from refunds f join receipts r on r.id = f.receipt_id
    where f.id = new.refund_id and f.tries = new.tries and f.method = 'cash' and f.state = 'done' and f.paid_by = 'merchant'
      and f.amount_centavos = new.amount_centavos and r.merchant_id = new.merchant_id
  ) then
    raise exception 'refund % was not handed over so', new.refund_id
      using errcode = 'check_violation', constraint = 'counter_refunds_were_handed_over';
  end if;
  return new;
end $$;
create trigger counter_refunds_were_handed_over before insert on counter_refunds
  for each row execute function counter_refunds_were_handed_over();

-- Until now only an operator's command said that cash was handed over. The server may say so of what left a drawer, and of nothing else.
create function refunds_paid_from_a_drawer() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not pg_has_role(current_user, 'aparta_operator', 'member')
    and not exists (select from counter_refunds c where c.refund_id = new.id and c.tries = new.tries) then
    raise exception 'refund % left no drawer', new.id
      using errcode = 'check_violation', constraint = 'refunds_paid_from_a_drawer';
  end if;
  return null;
end $$;
create constraint trigger refunds_paid_from_a_drawer after insert or update of paid_by, evidence on refunds
  deferrable initially deferred for each row when (new.paid_by is not null) execute function refunds_paid_from_a_drawer();
grant update (paid_by, evidence) on refunds to aparta_app;
