-- outside a transaction
-- What stores may have taken for a layaway's deposit.
create index concurrently cash_references_by_layaway on cash_references (layaway_reference_id)
  where layaway_reference_id is not null;
