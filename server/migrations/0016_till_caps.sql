-- What a till's account took in a day, by branch: its cap is measured over as many rows as it named branches, not over all that
-- it ever took. Kept by a trigger, so that it is right whoever writes the operations.
create table till_days (
  credential_id uuid not null references machine_credentials,
  day date not null, -- of Mexico City
  branch text not null,
  taken_centavos bigint not null check (taken_centavos >= 0),
  primary key (credential_id, day, branch)
);
grant select on till_days to aparta_app;

create function count_till_operation() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  change bigint := case tg_op when 'INSERT' then new.amount_centavos else - new.amount_centavos end;
begin
  insert into public.till_days as counted (credential_id, day, branch, taken_centavos)
    values (new.credential_id, (new.created_at at time zone 'America/Mexico_City')::date, new.branch, greatest(change, 0))
    on conflict (credential_id, day, branch) do update set taken_centavos = counted.taken_centavos + change;
  return null;
end $$;
create trigger till_operations_are_counted after insert on till_operations
  for each row when (new.state = 'authorised') execute function count_till_operation();
create trigger till_operations_are_uncounted after update of state on till_operations
  for each row when (old.state = 'authorised' and new.state <> 'authorised') execute function count_till_operation();

-- The new triggers hold off other writers until this is committed, so nothing is left out or counted twice.
insert into till_days
  select credential_id, (created_at at time zone 'America/Mexico_City')::date, branch, sum(amount_centavos)
    from till_operations where state = 'authorised' group by 1, 2, 3;

drop index till_operations_by_branch;
