-- Under which of the merchant's ids at the provider an invoice was asked for: its files are fetched there, whatever he is called
-- since. Null where it was not asked for yet, or before this was kept.
alter table invoices add column business_uuid text;
grant update (business_uuid) on invoices to aparta_app;
