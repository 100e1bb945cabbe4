-- `a1` and `A1` are one product. Where a merchant has both, a person says which: the labels of both may hang in the shop.
do $$
declare twice text;
begin
  select string_agg(format('merchant %s: products %s', merchant_id, ids), '; ') into twice from (
    select merchant_id, string_agg(format('%s (%s)', id, sku), ', ' order by id) as ids from products
    where sku <> '' group by merchant_id, lower(sku) having count(*) > 1 order by 1 limit 20) spelt;
  if twice is not null then
    raise exception 'Skus that differ in capitals alone. Give one of each another sku by the version before (admin product edit ID --sku NEW), then migrate again. %', twice;
  end if;
end $$;
