-- contract: widens the subjects of state_history under the name of the check that it had; no server names it
-- A claim of the buyer of a purchase that is paid whole and was not handed over within the promise of its terms.
create table claims (
  id bigint generated always as identity primary key,
  purchase_id bigint not null,
  buyer_id bigint not null,
  merchant_id bigint not null,
  folio text not null constraint claims_folio_once unique,
  state text not null default 'open' check (state in ('open', 'answered', 'delivered', 'refunded', 'withdrawn')),
  notes text not null check (char_length(notes) <= 500), -- the buyer's
  opened_at timestamptz not null default app_now(),
  -- Past this moment it is the operator's affair too.
  due_at timestamptz not null,
  answer text check (char_length(answer) between 3 and 500),
  promised_on date, -- the day that the answer names
  answered_at timestamptz,
  answered_by uuid,
  ended_at timestamptz,
  constraint claims_of_a_purchase foreign key (purchase_id, buyer_id, merchant_id)
    references purchases (id, buyer_id, merchant_id),
  constraint claims_answered_by_the_merchants_staff foreign key (answered_by, merchant_id)
    references staff_positions (id, merchant_id),
  constraint claims_answered_with_words check (num_nulls(answer, answered_at, answered_by) in (0, 3)),
  constraint claims_promise_in_an_answer check (promised_on is null or answer is not null),
  constraint claims_answered_when_they_say check (state <> 'answered' or answer is not null),
  constraint claims_end_when_they_say check ((state in ('open', 'answered')) = (ended_at is null)),
  constraint claims_due_after_they_begin check (due_at > opened_at)
);
create unique index claims_one_open on claims (purchase_id) where ended_at is null;
create index claims_by_purchase on claims (purchase_id, id);
create index claims_by_buyer on claims (buyer_id);
create index claims_waiting on claims (merchant_id, id) where ended_at is null;
grant select, insert (purchase_id, buyer_id, merchant_id, folio, notes, due_at),
  update (state, notes, due_at, answer, promised_on, answered_at, answered_by, ended_at) on claims to aparta_app;

alter table state_history drop constraint state_history_subject_kind_check;
alter table state_history add constraint state_history_subject_kind_check check (
  subject_kind in ('card_attempt', 'refund', 'invoice', 'cash_reference', 'cash_notice', 'claim')) not valid;

-- A claim an owner hears of at once, unless they say otherwise: five days are short.
alter table staff_positions alter column mails set default '{refund_owed,unit_missing,claim}';
update staff_positions set mails = mails || '{claim}' where role = 'owner' and revoked_at is null;
