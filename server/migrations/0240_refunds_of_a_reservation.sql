-- Cash that reserved nothing keeps the reservation that it was for: of what an operator assigned nothing else says so.
alter table refunds
  add column layaway_reference_id bigint,
  add constraint refunds_of_a_reservation foreign key (layaway_reference_id) references layaway_references not valid,
  add constraint refunds_of_a_reservation_are_of_cash
    check (layaway_reference_id is null or purchase_id is null and cause = 'not_applicable' and method = 'cash') not valid;
comment on column refunds.layaway_reference_id is 'the reservation without a purchase that cash was for';
