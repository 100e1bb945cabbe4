-- What a shop has for sale, where it counts it, and what it keeps for whom. A hold takes its unit out of sale by trigger,
-- whoever writes it, and the check refuses one more than there are.
alter table products add column counts_units boolean not null default false;
grant update (counts_units) on products to aparta_app;
-- A reservation keeps a unit from its beginning, not only once its deposit is paid.
alter table merchants add column holds_references boolean not null default false;

-- Why an approved payment went back, where there is more to say than that it came too late.
alter table card_attempts add column return_reason text;
alter table card_attempts add constraint card_attempts_return_reason
  check (return_reason is null or return_reason = 'sold_out' and state = 'returned') not valid;
grant update (return_reason) on card_attempts to aparta_app;

create table product_units (
  product_id bigint not null,
  branch_id bigint not null,
  merchant_id bigint not null,
  -- For sale: neither kept for anybody nor handed over.
  free_units integer not null constraint product_units_never_below_zero check (free_units >= 0),
  -- All that the shop said it has, less what it took away again: what the holds must add up to.
  entered_units bigint not null,
  primary key (product_id, branch_id),
  constraint product_units_of_their_merchants_product foreign key (product_id, merchant_id) references products (id, merchant_id),
  constraint product_units_of_their_merchants_branch foreign key (branch_id, merchant_id) references branches (id, merchant_id)
);
create index product_units_by_branch on product_units (branch_id);
grant select, insert (product_id, branch_id, merchant_id, free_units, entered_units), update (free_units, entered_units)
  on product_units to aparta_app;

-- One for each reservation, and so for each purchase that came of it.
create table holds (
  layaway_reference_id bigint primary key references layaway_references,
  product_id bigint not null,
  branch_id bigint not null,
  state text not null default 'held' constraint holds_state check (state in ('held', 'released', 'delivered')),
  held_at timestamptz not null default app_now(),
  ended_at timestamptz,
  -- When staff last looked, and since when it was not where it should be.
  checked_at timestamptz,
  missing_since timestamptz,
  constraint holds_end_when_they_say check ((state = 'held') = (ended_at is null)),
  constraint holds_of_a_unit foreign key (product_id, branch_id) references product_units (product_id, branch_id)
);
create index holds_by_unit on holds (branch_id, product_id) where state = 'held';
grant select, insert (layaway_reference_id, product_id, branch_id),
  update (branch_id, state, held_at, ended_at, checked_at, missing_since) on holds to aparta_app;

create function move_held_unit() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.state in ('held', 'delivered') then
    update public.product_units set free_units = free_units + 1
      where product_id = old.product_id and branch_id = old.branch_id;
  end if;
  if new.state in ('held', 'delivered') then
    update public.product_units set free_units = free_units - 1
      where product_id = new.product_id and branch_id = new.branch_id;
  end if;
  return null;
end $$;
create trigger holds_take_their_unit after insert on holds for each row execute function move_held_unit();
create trigger holds_move_their_unit after update on holds for each row
  when ((old.state in ('held', 'delivered')) <> (new.state in ('held', 'delivered')) or old.branch_id <> new.branch_id)
  execute function move_held_unit();
