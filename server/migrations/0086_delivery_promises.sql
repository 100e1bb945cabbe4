-- Within how many days of its last payment a shop hands a purchase over: frozen with the terms of each reference.
alter table merchants add column delivery_promise_days integer not null default 15;
alter table merchants add constraint merchants_promise_delivery check (delivery_promise_days between 1 and 90) not valid;
alter table layaway_references add column delivery_promise_days integer not null default 15;
alter table layaway_references add constraint layaway_references_promise_delivery
  check (delivery_promise_days between 1 and 90) not valid;
alter table purchases add column delivery_promise_days integer not null default 15;
alter table purchases add constraint purchases_promise_delivery check (delivery_promise_days between 1 and 90) not valid;
