-- The reports that were handed over: each has a number of its merchant's and a moment.
create table settlement_reports (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants,
  number integer not null check (number > 0),
  from_on date not null,
  to_on date not null,
  issued_at timestamptz not null default app_now(),
  constraint settlement_reports_number_once unique (merchant_id, number),
  constraint settlement_reports_in_order check (from_on <= to_on)
);
create trigger settlement_reports_append_only before update or delete or truncate on settlement_reports
  for each statement execute function refuse_change();
grant select on settlement_reports to aparta_app;
grant insert (merchant_id, number, from_on, to_on) on settlement_reports to aparta_operator;
