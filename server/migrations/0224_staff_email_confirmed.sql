-- Since when a person of a shop is known to read their own mailbox (rules/accounts#staff): a link that was shown to others proves nothing.
-- Everybody from before is unconfirmed: a stranger's passkey would stay for good, one's own is added again once, after the next reset.
alter table staff add column email_confirmed_at timestamptz;
grant insert (email_confirmed_at), update (email_confirmed_at) on staff to aparta_app;
