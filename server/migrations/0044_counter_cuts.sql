-- Cuts of the drawers of counters: what a person took and gave back in a branch since the last one, what they counted, and why it
-- differs. An operation, and a reversal, is in the one cut that its row names; without one it waits for the next.
create table counter_cuts (
  id uuid primary key, -- made by the device with the press
  merchant_id bigint not null,
  branch_id bigint not null,
  number integer not null constraint counter_cuts_number_check check (number > 0), -- within the branch
  position_id uuid not null, -- whose drawer
  closed_by uuid not null,
  device_id uuid,
  from_at timestamptz not null,
  until_at timestamptz not null,
  movements integer not null constraint counter_cuts_movements_check check (movements >= 0),
  float_centavos bigint not null constraint counter_cuts_float_centavos_check check (float_centavos >= 0),
  cash_taken_centavos bigint not null,
  cash_returned_centavos bigint not null,
  terminal_taken_centavos bigint not null,
  terminal_returned_centavos bigint not null,
  counted_centavos bigint not null constraint counter_cuts_counted_centavos_check check (counted_centavos >= 0),
  reason text constraint counter_cuts_reason_check check (char_length(reason) between 3 and 200),
  constraint counter_cuts_number_once unique (branch_id, number),
  constraint counter_cuts_id_with_drawer unique (id, branch_id, position_id),
  constraint counter_cuts_id_with_person unique (id, position_id),
  constraint counter_cuts_in_the_merchants_branch foreign key (branch_id, merchant_id) references branches (id, merchant_id),
  constraint counter_cuts_of_the_merchants_staff foreign key (position_id, merchant_id)
    references staff_positions (id, merchant_id),
  constraint counter_cuts_by_the_merchants_staff foreign key (closed_by, merchant_id)
    references staff_positions (id, merchant_id),
  constraint counter_cuts_on_the_merchants_device foreign key (device_id, merchant_id)
    references counter_devices (id, merchant_id),
  constraint counter_cuts_end_after_they_begin check (from_at <= until_at),
  constraint counter_cuts_sums_are_money check (
    least(cash_taken_centavos, cash_returned_centavos, terminal_taken_centavos, terminal_returned_centavos) >= 0),
  constraint counter_cuts_difference_has_its_reason check (
    (counted_centavos = float_centavos + cash_taken_centavos - cash_returned_centavos) = (reason is null))
);
create trigger counter_cuts_append_only before update or delete or truncate on counter_cuts
  for each statement execute function refuse_change();
grant select on counter_cuts to aparta_app;
grant insert on counter_cuts to aparta_app;

-- The cut is written after what is in it, with its sums.
alter table counter_operations add column cut_id uuid;
alter table counter_operations add constraint counter_operations_in_a_cut_of_their_drawer
  foreign key (cut_id, branch_id, position_id) references counter_cuts (id, branch_id, position_id)
  deferrable initially deferred not valid;
create trigger counter_operations_cut_once before update on counter_operations
  for each row when (old.cut_id is not null) execute function refuse_change();
grant update (cut_id) on counter_operations to aparta_app;

-- Out of the drawer of whoever reversed.
alter table counter_reversals add column cut_id uuid;
alter table counter_reversals add constraint counter_reversals_in_a_cut_of_their_person
  foreign key (cut_id, position_id) references counter_cuts (id, position_id)
  deferrable initially deferred not valid;
create trigger counter_reversals_cut_once before update on counter_reversals
  for each row when (old.cut_id is not null) execute function refuse_change();
grant update (cut_id) on counter_reversals to aparta_app;
