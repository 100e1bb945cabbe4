-- Until when a buyer may ask for an invoice: so many days after the end of the month in which they paid; null: for ever.
alter table merchants add column invoice_cut_off_days integer;
alter table merchants add constraint merchants_invoice_cut_off_days_check check (invoice_cut_off_days between 0 and 366) not valid;

-- What was promised when the money came: a merchant who shortens it later breaks no promise.
alter table receipts add column invoice_cut_off_days integer;
create function freeze_invoice_cut_off() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.invoice_cut_off_days := (select invoice_cut_off_days from merchants where id = new.merchant_id);
  return new;
end $$;
create trigger receipts_freeze_invoice_cut_off before insert on receipts for each row execute function freeze_invoice_cut_off();
