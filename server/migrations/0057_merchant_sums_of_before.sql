-- What was there before the triggers counted.
select mend_merchant_sums();
