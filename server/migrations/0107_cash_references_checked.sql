alter table cash_references validate constraint cash_references_of_an_instalment;
alter table cash_references validate constraint cash_references_of_a_layaway;
alter table cash_references validate constraint cash_references_of_one_payable;
comment on index cash_references_by_layaway is 'what stores may have taken for a deposit';
