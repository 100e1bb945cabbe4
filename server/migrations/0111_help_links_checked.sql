-- No attempt before had a helper.
alter table card_attempts validate constraint card_attempts_help_their_purchase;
alter table card_attempts validate constraint card_attempts_helpers_have_names;
alter table card_attempts validate constraint card_attempts_payers_are_helpers;
