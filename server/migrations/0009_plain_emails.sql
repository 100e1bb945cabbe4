-- One mailbox has one account: an email address is spelt plainly (domain/src/email-address.ts), for a mail program reads
-- brackets, quotes and comments away. Not validated: an account that slipped in before is ended by hand.
alter table buyers add constraint buyers_email_is_plain check (
  email ~ '^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$'
) not valid;
