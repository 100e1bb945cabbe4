alter table refunds
  validate constraint refunds_of_a_reservation,
  validate constraint refunds_of_a_reservation_are_of_cash;
