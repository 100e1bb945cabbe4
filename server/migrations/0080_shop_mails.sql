-- What of their shop owners are mailed at once, each by their own choice. Cash that is owed at the till is on from the beginning: its
-- buyer may stand there within the hour.
alter table staff_positions add column mails text[] not null default '{refund_owed}';
grant update (mails) on staff_positions to aparta_app;

-- Up to where a shop's books have been read for its owners' mail. Nothing is written for mail beside a payment.
create table shop_mail_places (
  merchant_id bigint primary key references merchants,
  position bigint not null,
  last_event_id bigint not null
);
-- Of what was booked before, nobody is told.
insert into shop_mail_places select id, journal_horizon(), 0 from merchants;
grant select, insert on shop_mail_places to aparta_app;
grant update (position, last_event_id) on shop_mail_places to aparta_app;
