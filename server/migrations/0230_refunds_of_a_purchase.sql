-- One card payment may have paid several purchases, and each may end: what goes back of it is owed once for each of them. Which one a
-- refund is of was not kept, so that only the first that ended got its money. Null: of the whole payment, or from before.
alter table refunds add column purchase_id bigint;
alter table refunds
  add constraint refunds_purchase_id_fkey foreign key (purchase_id) references purchases not valid,
  add constraint refunds_of_a_purchase_are_of_its_end check (purchase_id is null or cause = 'cancel') not valid;
comment on column refunds.purchase_id is 'the purchase whose end gives it back';
