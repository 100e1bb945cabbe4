alter table purchases validate constraint purchases_ended_by;
