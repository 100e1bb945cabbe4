-- contract: cash that came too late keeps the purchase that it was for: of what an operator assigned nothing else says so. Older
-- servers keep none.
alter table refunds drop constraint refunds_of_a_purchase_are_of_its_end;
alter table refunds add constraint refunds_of_a_purchase_say_why
  check (purchase_id is null or cause = 'cancel' or cause = 'not_applicable' and method = 'cash') not valid;
comment on column refunds.purchase_id is 'the purchase whose end gives it back, or that cash was for';
