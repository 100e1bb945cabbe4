-- Whether a buyer is reminded of what they have to pay; their profile and each reminder turn it off.
alter table buyers add column wants_reminders boolean not null default true;
grant update (wants_reminders) on buyers to aparta_app;
