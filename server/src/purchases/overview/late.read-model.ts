import { MOST_AT_ONCE } from '@aparta/domain/at-once';
import type { Centavos } from '@aparta/domain/money';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import { sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';
import { TODAY } from '../../platform/db/mexico-city.ts';

/** What is late of a purchase. */
export interface LatePurchase {
  readonly id: number;
  readonly productName: string;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly PaymentMethod[];
  /** Of its oldest late instalment. */
  readonly reference: string;
  readonly instalments: readonly { readonly number: number; readonly balanceCentavos: Centavos }[];
}

/**
 * What is late of a buyer's purchases at the merchant of one of them: that one first, then the longest late, at most as many as one
 * payment pays. Empty for anybody else's purchase.
 */
export async function listLateWith(db: Db, buyerId: number, purchaseId: number): Promise<LatePurchase[]> {
  const { rows } = await sql<LatePurchase>`
    select p.id, p.product_name as "productName", p.service_fee_centavos as "feeCentavos", p.service_fee_methods as "feeMethods",
      (select reference from payment_references where id = late.first) as reference, late.instalments
    from (
      select o.* from purchases mine join purchases o on o.buyer_id = mine.buyer_id and o.merchant_id = mine.merchant_id
      where mine.id = ${purchaseId} and mine.buyer_id = ${buyerId} and o.state = 'active'
        and o.next_due_on < ${TODAY}
      order by o.id <> mine.id, o.next_due_on, o.id limit ${MOST_AT_ONCE}
    ) p, lateral (
      select (array_agg(id order by number))[1] as first,
        json_agg(json_build_object('number', number, 'balanceCentavos', amount_centavos - paid_centavos) order by number) as instalments
      from instalments where purchase_id = p.id and paid_centavos < amount_centavos
        and due_on < ${TODAY}
    ) late
    order by p.id <> ${purchaseId}, p.next_due_on, p.id`.execute(db);
  return rows;
}
