-- contract: widens what may be owed once under the name of the constraint that it had, which older servers name; they keep no purchase
alter table refunds drop constraint refunds_once_per_cause;
alter table refunds add constraint refunds_once_per_cause unique using index refunds_once_per_purchase;
