-- Rows from before hold neither.
alter table staff_invitations validate constraint staff_invitations_mailed_is_a_hash;
alter table staff_sessions validate constraint staff_sessions_browser_is_short;
