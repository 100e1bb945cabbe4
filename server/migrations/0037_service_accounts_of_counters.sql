-- A handful of rows, all of which the checks before let in.
alter table service_accounts validate constraint service_accounts_kind_check;
alter table service_accounts validate constraint service_accounts_have_their_scope;
