-- contract: widens the states of cash_references, which older servers never write otherwise
-- Somebody who helps by a link takes a number of their own to a store. It is of the plan's last instalment, as a helper's card payment
-- is, beside the buyer's number and other helpers': `with_helper` says who holds it, so that `cash_references_one_valid` stays as it is.
alter table cash_references
  add column help_link_id uuid,
  add column payer_name text,
  add column payer_email text,
  add column intent_id uuid,
  add column source_ip_prefix text not null default '',
  drop constraint cash_references_state_check,
  add constraint cash_references_state_check check (state in ('requesting', 'issued', 'with_helper', 'failed', 'closed')) not valid,
  add constraint cash_references_help_their_purchase foreign key (help_link_id, purchase_id)
    references help_links (id, purchase_id) not valid,
  add constraint cash_references_helpers_have_names check (
    num_nulls(help_link_id, payer_name, intent_id) in (0, 3) and (payer_name is null or char_length(payer_name) <= 40)) not valid,
  add constraint cash_references_payers_are_helpers check (
    payer_email is null or help_link_id is not null and char_length(payer_email) <= 254) not valid,
  add constraint cash_references_are_of_who_holds_them check (
    case state when 'issued' then help_link_id is null
      when 'with_helper' then help_link_id is not null and purchase_id is not null and provider_reference is not null
      else true end) not valid;
grant update (payer_name, payer_email, source_ip_prefix) on cash_references to aparta_app;
