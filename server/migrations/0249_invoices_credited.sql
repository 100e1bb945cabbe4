-- An invoice that its shop credited stays issued, so that nothing of it said so: its buyer read that it would be cancelled or credited
-- long after they were told which. What was credited before stands in the audit log alone.
alter table invoices
  add column credited_at timestamptz,
  add constraint invoices_credited_was_issued check (credited_at is null or issued_at is not null) not valid;
comment on column invoices.credited_at is 'when an operator noted its credit note';
alter table invoices validate constraint invoices_credited_was_issued;
grant update (credited_at) on invoices to aparta_operator;

with credited as materialized (
  select subject_id::bigint as id, min(at) as at from audit_log
    where subject_kind = 'invoice' and detail ->> 'as' = 'credited' group by 1
)
update invoices v set credited_at = c.at from credited c where v.id = c.id and v.issued_at is not null;
