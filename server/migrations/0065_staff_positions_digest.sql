-- Owners are mailed how their shop stands, once a day, until they say no.
alter table staff_positions add column digest_off_at timestamptz;
grant update (digest_off_at) on staff_positions to aparta_app;
