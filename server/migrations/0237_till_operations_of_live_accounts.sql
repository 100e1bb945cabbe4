-- An operation of an account that was revoked meanwhile is not written: the account that follows may have repeated it already. Whoever
-- revokes one waits for what it has written (the foreign key's lock), so what follows sees all of it.
create function till_operations_of_a_live_account() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from service_accounts where id = any (array(select service_account_id from written)) and revoked_at is not null) then
    raise exception 'the account of a till was revoked'
      using errcode = 'check_violation', constraint = 'till_operations_of_a_live_account';
  end if;
  return null;
end $$;
create trigger till_operations_of_a_live_account after insert on till_operations referencing new table as written
  for each statement execute function till_operations_of_a_live_account();
