-- outside a transaction
-- Each call of a till asks for the revoked accounts of its chain: what they took counts as its own.
create index concurrently service_accounts_revoked on service_accounts (chain) where kind = 'till' and revoked_at is not null;
