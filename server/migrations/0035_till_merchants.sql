-- A till collects for the merchants that the operator listed for it, and for nobody else. Those that stand get the merchants
-- that they have taken money for; the warning says so, and `till assign` changes it.
create table till_merchants (
  service_account_id uuid not null references service_accounts,
  merchant_id bigint not null references merchants,
  primary key (service_account_id, merchant_id)
);
grant select on till_merchants to aparta_app;
grant select, insert, delete on till_merchants to aparta_operator;

insert into till_merchants (service_account_id, merchant_id)
select distinct operation.service_account_id, receipt.merchant_id
from receipts receipt join till_operations operation on operation.id::text = receipt.source_id
where receipt.channel = 'till';

do $$
declare
  account record;
begin
  for account in
    select user_name, coalesce((select string_agg(merchant_id::text, ', ' order by merchant_id)
      from till_merchants where service_account_id = id), 'none, so it takes nothing until till assign lists them') as merchants
    from service_accounts where kind = 'till' and revoked_at is null order by user_name
  loop
    raise warning 'the till % now collects for these merchants alone: %', account.user_name, account.merchants;
  end loop;
end $$;
