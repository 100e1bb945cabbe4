-- Nobody was given any before.
alter table purchases validate constraint purchases_more_time;
