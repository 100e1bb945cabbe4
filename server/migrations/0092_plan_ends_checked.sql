alter table merchants validate constraint merchants_end_days_late;
alter table layaway_references validate constraint layaway_references_end_days_late;
alter table purchases validate constraint purchases_end_days_late;
comment on index purchases_to_end is 'the job that warns of late plans, and ends them';
