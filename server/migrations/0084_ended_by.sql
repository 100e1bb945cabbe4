-- Who ended a purchase: its buyer, the shop, the rule of its terms, a claim, or money that was taken back. Null of those that ended
-- before this was written down: their buyers', or reversed, as their notes say.
alter table purchases add column ended_by text;
alter table purchases add constraint purchases_ended_by
  check (ended_by is null or ended_by in ('buyer', 'merchant', 'rule', 'claim', 'reversal') and state = 'cancelled') not valid;
grant update (ended_by) on purchases to aparta_app;
