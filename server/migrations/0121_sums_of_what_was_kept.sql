-- What was kept before the trigger counted.
alter table merchant_sums validate constraint merchant_sums_kind_check;
select mend_merchant_sums();
