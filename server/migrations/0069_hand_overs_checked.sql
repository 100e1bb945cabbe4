-- No purchase was delivered before.
alter table purchases validate constraint purchases_state_check;
alter table purchases validate constraint purchases_delivered_were_paid;
