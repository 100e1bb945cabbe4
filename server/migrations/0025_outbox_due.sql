-- When an email is tried next: a poll sends what is due, and no job is queued for each. An older server queues one all the same and
-- writes no moment: those minutes are its job's, so that not both send its email.
alter table outbox add column due_at timestamptz not null default app_now() + interval '10 minutes';
grant update (due_at) on outbox to aparta_app;
