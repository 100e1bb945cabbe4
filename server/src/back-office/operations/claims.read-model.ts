import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';
import type { ClaimState } from '../../platform/db/tables.ts';

/** A claim as the operator sees it, with whose it is. */
export interface OperatorClaim {
  readonly folio: string;
  readonly purchaseId: number;
  readonly merchantId: number;
  readonly tradeName: string;
  readonly merchantPhone: string;
  readonly buyerName: string;
  readonly buyerEmail: string;
  readonly buyerPhone: string;
  readonly productName: string;
  readonly paidCentavos: Centavos;
  readonly state: ClaimState;
  readonly isOverdue: boolean;
  readonly openedAt: Date;
  readonly dueAt: Date;
  readonly notes: string;
  readonly answer: string | null;
  readonly promisedOn: DateOnly | null;
  readonly answeredAt: Date | null;
  readonly endedAt: Date | null;
}

/** Claims that are open, those first whose shops had the longest; or one by its number, open or not. */
export async function listClaims(
  db: Db,
  { folio, merchantId }: { folio?: string; merchantId?: number | undefined },
): Promise<OperatorClaim[]> {
  const which =
    folio === undefined
      ? sql`c.ended_at is null and ${merchantId === undefined ? sql`true` : sql`c.merchant_id = ${merchantId}`}`
      : sql`c.folio = ${folio}`;
  const { rows } = await sql<OperatorClaim>`
    select c.folio, c.purchase_id as "purchaseId", c.merchant_id as "merchantId", m.trade_name as "tradeName",
      m.phone as "merchantPhone", b.name as "buyerName", b.email as "buyerEmail", b.phone as "buyerPhone",
      p.product_name as "productName", p.paid_centavos as "paidCentavos", c.state,
      c.ended_at is null and c.due_at < app_now() as "isOverdue", c.opened_at as "openedAt", c.due_at as "dueAt", c.notes,
      c.answer, c.promised_on as "promisedOn", c.answered_at as "answeredAt", c.ended_at as "endedAt"
    from claims c join purchases p on p.id = c.purchase_id join merchants m on m.id = c.merchant_id
      join buyers b on b.id = c.buyer_id
    where ${which} order by c.due_at, c.id`.execute(db);
  return rows;
}
