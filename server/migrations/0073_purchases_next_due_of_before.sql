-- outside a transaction
-- What was bought before. One purchase at a time, so that no payment waits for more than one or for another lock of ours; one that
-- a payment has filled meanwhile is left alone, and a run that was cut off goes on where it was.
do $$
declare
  owing bigint;
begin
  for owing in select id from purchases
    where state = 'active' and paid_centavos < price_centavos and next_due_on is null order by id
  loop
    update purchases p
      set next_due_on = (select min(due_on) from instalments where purchase_id = p.id and paid_centavos < amount_centavos)
      where id = owing and state = 'active' and paid_centavos < price_centavos and next_due_on is null;
    perform set_config('synchronous_commit', 'off', true);
    commit;
  end loop;
end $$;
