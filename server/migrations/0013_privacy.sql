-- A buyer may leave: his person goes, what the money did stays. The books, receipts and stamped invoices must be kept.

alter table buyers add column erased_at timestamptz;

-- What of a kept row is his person may be taken out of it.
grant delete on fiscal_clients, invoicing_customers to aparta_app;
grant update (source_address, user_agent) on consents to aparta_app;

create index outbox_by_buyer on outbox (buyer_id) where buyer_id is not null;
create index fiscal_clients_by_buyer on fiscal_clients (buyer_id);
create index invoices_by_buyer on invoices (buyer_id);
