-- When the provider last said what stores did with a reference: a notice may be lost, so each one is asked about while it lives.
alter table cash_references add column polled_at timestamptz;
