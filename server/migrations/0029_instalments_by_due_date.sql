-- outside a transaction
-- No query asks for due dates but of one purchase. Its condition names what is paid, so that every payment wrote each of an
-- instalment's indexes anew.
drop index concurrently instalments_unpaid_by_due_date;
