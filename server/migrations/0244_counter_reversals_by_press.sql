-- A reversal keeps the press that made it: asked again after a lost reply it is known as the same, and no other press is told to
-- hand its money over. Nothing of what was reversed before, or by a screen of the version before.
alter table counter_reversals add column request_id uuid;
comment on column counter_reversals.request_id is 'made by the device with the press';
grant insert (request_id) on counter_reversals to aparta_app;
