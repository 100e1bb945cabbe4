-- contract: widens what instalment_id may name; servers write an instalment with its purchase, which stays checked
-- A store takes the deposit of a layaway too. Its reference has no purchase yet, and names the layaway reference where others name
-- an instalment: both are payment references, and one valid reference of each at a time stays refused under the same name.
alter table cash_references
  add column layaway_reference_id bigint,
  alter column purchase_id drop not null,
  drop constraint cash_references_instalment_id_fkey,
  add constraint cash_references_of_an_instalment foreign key (instalment_id, purchase_id)
    references instalments (id, purchase_id) not valid,
  add constraint cash_references_of_a_layaway foreign key (layaway_reference_id) references layaway_references not valid,
  add constraint cash_references_of_one_payable check (
    case when purchase_id is null then layaway_reference_id is not null and instalment_id = layaway_reference_id
      else layaway_reference_id is null end) not valid;
