-- Every receipt is paid before it is booked.
alter table receipts validate constraint receipts_paid_before_booked;
