-- A store's reference for a sum that the buyer chose keeps it; any other one follows what is left of its instalment.
alter table cash_references add column is_chosen boolean not null default false;
