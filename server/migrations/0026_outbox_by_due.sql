-- outside a transaction
-- What the poll of emails reads, and what counts those that wait.
create index concurrently outbox_due on outbox (due_at) where state = 'waiting';
