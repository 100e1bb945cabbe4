-- The poll asks first whom it tried longest ago: who cannot be read goes to the end of the line, as who was answered does.
alter table cash_references add column asked_at timestamptz;
grant update (asked_at) on cash_references to aparta_app;
