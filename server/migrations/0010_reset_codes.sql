-- contract: every emailed reset code lives its 30 minutes, so that nobody kills another's; no server counts wrong tries any more
alter table password_resets drop column wrong_tries, drop constraint password_resets_pkey;
alter table password_resets add primary key (buyer_id, code_hash);
