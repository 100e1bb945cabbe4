import { query } from '../query.ts';

/** The provider's number of a card payment; undefined while it has none, or the database does not say. */
export async function paymentOf(url: string, intentId: string): Promise<string | undefined> {
  const asked = query<{ id: string | null }>(
    url,
    'select provider_payment_id as id from card_attempts where intent_id = $1',
    [intentId],
  );
  const [row] = await asked.catch(() => []);
  return row?.id ?? undefined;
}

/** The printed number of a buyer's next instalment; undefined when none is due, or the database does not say. */
export async function dueOf(url: string, buyerId: number): Promise<string | undefined> {
  const asked = query<{ reference: string }>(
    url,
    `select r.reference from instalments i join payment_references r on r.id = i.id
       join purchases p on p.id = i.purchase_id
     where p.buyer_id = $1 and p.state = 'active' and i.paid_centavos < i.amount_centavos order by i.number limit 1`,
    [buyerId],
  );
  const [row] = await asked.catch(() => []);
  return row?.reference;
}
