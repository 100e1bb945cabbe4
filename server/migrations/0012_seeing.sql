-- What is measured of the database while it works: the nightly proof of the books, and ways to what waits for a person
-- that do not read a whole table.

create table book_proofs (
  id bigint generated always as identity primary key,
  proved_at timestamptz not null default app_now(),
  broken integer not null check (broken >= 0), -- proofs that do not hold; which ones is an alarm
  took_ms integer not null check (took_ms >= 0)
);
grant select, insert on book_proofs to aparta_app;

create index card_attempts_held on card_attempts (state_since) where state = 'held';
create index outbox_failed on outbox (created_at) where state = 'failed';
