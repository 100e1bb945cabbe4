-- contract: what is revoked only operators' commands used, which have a role of their own from here on
-- Narrows what the server's login may do to what its code does, column by column: what was written once stays as it was written,
-- whoever holds that login (docs/security.md lists the rest). What only an operator's command writes is `aparta_operator`'s; the
-- queue is worked as `aparta_worker`.

do $$
declare
  wanted text;
begin
  foreach wanted in array array['aparta_worker', 'aparta_operator'] loop
    begin
      if not exists (select from pg_roles where rolname = wanted) then execute format('create role %I nologin', wanted); end if;
    exception
      when duplicate_object or unique_violation then null; -- another database of this server was being migrated at the same moment
    end;
    begin
      execute format('grant %I to %I', wanted, current_user);
    exception
      when unique_violation or internal_error then null; -- the same race, on the grant
    end;
  end loop;
  grant aparta_app to aparta_operator;
exception
  when unique_violation or internal_error then null;
end $$;
grant usage on schema public to aparta_worker, aparta_operator;

-- A session may move the clock only where it may change the schema: the demo's owner may, the server's login may not.
create or replace function app_now() returns timestamptz
  language sql stable
  as $$ select case when coalesce(current_setting('aparta.clock_offset', true), '') = '' then now()
    when has_schema_privilege(session_user, 'public', 'create') then now() + current_setting('aparta.clock_offset')::interval
    else now() end $$;

-- A temporary table of the same name must not answer for the real one.
alter function refuse_change() set search_path = pg_catalog, public, pg_temp;
alter function purchases_add_up() set search_path = pg_catalog, public, pg_temp;
alter function freeze_who_collects() set search_path = pg_catalog, public, pg_temp;
alter function receipts_disposed() set search_path = pg_catalog, public, pg_temp;
alter function ledger_events_whole() set search_path = pg_catalog, public, pg_temp;

-- The audit log is the operator's commands'; its moment and its login are the database's.
alter table audit_log add column login text;
alter table audit_log alter column login set default session_user;
revoke insert on audit_log from aparta_app;
grant insert (actor, command, subject_kind, subject_id, detail) on audit_log to aparta_operator;

-- When it happened is the database's to say.
revoke insert on state_history, ledger_events, allocations, consents, legal_texts, settlements, book_proofs from aparta_app;
grant insert (subject_kind, subject_id, from_state, to_state, detail) on state_history to aparta_app;
grant insert (merchant_id, kind, source_id, legs) on ledger_events to aparta_app;
grant insert (receipt_id, target, instalment_id, refund_id, amount_centavos, reverses_id) on allocations to aparta_app;
grant insert (buyer_id, legal_text_id, source_address, user_agent) on consents to aparta_app;
grant insert (broken, took_ms) on book_proofs to aparta_app;
grant insert (kind, version, body, sha256, is_template) on legal_texts to aparta_operator;
grant insert (merchant_id, kind, channel, chain, from_on, to_on, party, amount_centavos, commission_centavos, of_id, happened_on,
  evidence, round) on settlements to aparta_operator;

-- What the shop sells and on what terms, who may call as a till, with which keys cards are charged.
revoke insert, update on companies, merchants, products, printed_labels, provider_credentials, service_accounts from aparta_app;
grant insert, update on companies, merchants, products, printed_labels, provider_credentials, service_accounts to aparta_operator;
grant update (refused_at) on provider_credentials to aparta_app;
grant update (created_at) on service_accounts to aparta_app; -- to lock one while it signs in: PostgreSQL asks for some column
revoke update on service_account_sessions from aparta_app;
grant update (expires_at) on service_account_sessions to aparta_operator;

-- What is written once.
revoke update on buyers, sessions, layaway_references, purchases, instalments, receipts, card_attempts, refunds, cash_references,
  fiscal_clients, outbox, alerts from aparta_app;
grant update (name, phone, address_street, address_number, address_postal_code, password_hash, email_confirmed_at)
  on buyers to aparta_app;
grant update (email, user_name, erased_at) on buyers to aparta_operator;
grant update (revoked_at) on sessions to aparta_app;
grant update (state, closed_at, source_address) on layaway_references to aparta_app;
grant update (state, paid_centavos, cancelled_at, cancel_notes) on purchases to aparta_app;
grant update (paid_centavos) on instalments to aparta_app;
grant update (withdrawn_centavos) on receipts to aparta_app;
grant update (settlement_id) on receipts to aparta_operator;
grant update (state, state_since, captured_centavos, refunded_centavos, provider_payment_id, three_ds_url, detail_code, card_type,
  card_brand, card_last4, card_fingerprint, provider_receipt, source_address, source_ip_prefix, request_id, polls, not_found_count,
  polled_at, recheck_at) on card_attempts to aparta_app;
grant update (state, amount_centavos, refunded_before_centavos, provider_refund_id, idempotency_key, detail_code, tries, sent_at,
  checked_at, done_at) on refunds to aparta_app;
grant update (paid_by, evidence) on refunds to aparta_operator;
grant update (state, provider_reference, closed_at, polled_at) on cash_references to aparta_app;
grant update (rfc, name, alias, email, phone, street, suburb, postal_code, tax_regime, cfdi_use, revision, updated_at, deleted_at)
  on fiscal_clients to aparta_app;
grant update (state, tries, sent_at, recipient, facts) on outbox to aparta_app;
grant update (times, last_at, detail, resolved_at) on alerts to aparta_app;
