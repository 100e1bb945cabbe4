-- Until when a shop gives a late plan more time before its rule ends it, and for which unpaid day: the clock of another day knows
-- nothing of it. Warnings of an end that was put off are closed, so that they are written again.
alter table purchases add column more_time_until date;
alter table purchases add column more_time_for date;
alter table purchases add constraint purchases_more_time check (
  (more_time_until is null) = (more_time_for is null)
  and (more_time_until is null or more_time_until > more_time_for and end_days_late is not null)) not valid;
grant update (more_time_until, more_time_for) on purchases to aparta_app;
grant update (closed_at) on end_warnings to aparta_app;
