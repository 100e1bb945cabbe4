-- A refund in dispute waits for weeks: until its date, nobody is told of it again.
alter table refunds add column quiet_until timestamptz;
grant update (quiet_until) on refunds to aparta_operator;
