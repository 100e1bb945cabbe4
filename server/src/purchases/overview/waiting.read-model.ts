import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import { meantFor } from '../../ledger/receipts/meant-for.read-model.ts';
import { payerOf } from '../../ledger/receipts/payer-at-store.read-model.ts';
import { builtOnce } from '../../platform/db/built-once.ts';
import type { Db } from '../../platform/db/db.ts';

/** A purchase of any state that has something for its buyer. */
export interface WaitingRow {
  readonly id: number;
  readonly productName: string;
  readonly tradeName: string;
  /** '' without a logo. */
  readonly logoFileName: string;
  /** It is paid whole, and not handed over yet. */
  readonly isToCollect: boolean;
  /** Of the buyer's own money, what the shop still gives back, and what still goes to a card. */
  readonly atShopCentavos: Centavos;
  readonly toCardCentavos: Centavos;
}

/** Shops that never say what they handed over would fill a screen. */
const MOST_WAITING = 4;

/**
 * A buyer's purchases with money that still goes back to them, then those that are paid whole and not handed over; the newest first.
 * A helper's money is never told as the buyer's.
 */
export async function listWaiting(db: Db, buyerId: number): Promise<WaitingRow[]> {
  const { rows } = await db.executeQuery(waitingOf(db, { buyerId }));
  return rows;
}

const waitingOf = builtOnce(
  (_, { buyerId }: { buyerId: number }) => sql<WaitingRow>`
    with owed as (
      select p.id as purchase_id, sum(f.amount_centavos) filter (where f.method = 'cash') as at_shop,
        sum(f.amount_centavos) filter (where f.method = 'card') as to_card
      from receipts r join refunds f on f.receipt_id = r.id and f.state not in ('done', 'moved_to_cash')
      ${meantFor('r', sql`f.purchase_id`)}
      where r.buyer_id = ${buyerId} and ${payerOf('r')} is null and p.id is not null
      group by p.id
    ), few as (
      select p.*, o.purchase_id is not null as is_owed, coalesce(o.at_shop, 0)::bigint as at_shop, coalesce(o.to_card, 0)::bigint as to_card
      from purchases p left join owed o on o.purchase_id = p.id
      where p.buyer_id = ${buyerId}
        and (o.purchase_id is not null or p.state = 'active' and p.paid_centavos = p.price_centavos)
      order by o.purchase_id is null, p.id desc limit ${MOST_WAITING}
    )
    select p.id, p.product_name as "productName", m.trade_name as "tradeName",
      case when c.logo is null then '' else c.logo_file_name end as "logoFileName",
      p.state = 'active' and p.paid_centavos = p.price_centavos as "isToCollect",
      at_shop as "atShopCentavos", to_card as "toCardCentavos"
    from few p join merchants m on m.id = p.merchant_id join companies c on c.id = m.company_id
    order by p.is_owed desc, p.id desc`,
);
