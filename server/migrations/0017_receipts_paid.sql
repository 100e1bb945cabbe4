-- When the money was paid, as its provider says; null in receipts of before, which were paid when they were booked.
alter table receipts add column paid_at timestamptz;
alter table receipts add constraint receipts_paid_before_booked check (paid_at <= received_at) not valid;
