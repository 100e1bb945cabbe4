-- Whose subjects and promises were of before.
alter table state_history validate constraint state_history_subject_kind_check;
alter table merchants validate constraint merchants_promise_delivery;
alter table layaway_references validate constraint layaway_references_promise_delivery;
alter table purchases validate constraint purchases_promise_delivery;
