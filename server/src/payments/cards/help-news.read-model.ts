import { zero } from '@aparta/domain/money';
import { firstName } from '@aparta/domain/short-name';
import { mailedName } from '@aparta/domain/web-address';
import { sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';
import type { HelpNews, HelpNewsOf } from '../../platform/email/help-copy.ts';

/** What a helper is told of their card or of their cash; undefined where there is none, or its names are forgotten. */
export async function readHelpNews(db: Db, of: HelpNewsOf): Promise<HelpNews | undefined> {
  const given =
    'attemptId' in of
      ? sql`select a.help_link_id, a.payer_name, a.fee_centavos, a.card_last4, r.folio,
            a.captured_centavos <> a.principal_centavos + a.fee_centavos as is_other_sum
          from card_attempts a left join receipts r on r.channel = 'card' and r.source_id = a.id::text where a.id = ${of.attemptId}`
      : sql`select c.help_link_id, c.payer_name, coalesce((select sum(x.amount_centavos) from allocations x
            where x.receipt_id = r.id and x.target = 'service_fee' and x.reverses_id is null), 0)::bigint as fee_centavos,
            null as card_last4, r.folio, false as is_other_sum
          from cash_notices n join cash_references c on c.id = n.cash_reference_id
          left join receipts r on r.channel = 'cash' and r.source_id = n.operation_id
          where n.provider = 'tapi' and n.operation_id = ${of.operationId}`;
  const { rows } = await sql<
    Omit<HelpNews, 'amountCentavos' | 'leftCentavos' | 'isAtStore' | 'firstName'> & { buyerName: string }
  >`
    select a.payer_name as "payerName", b.name as "buyerName", p.product_name as "productName", m.trade_name as "tradeName",
      a.fee_centavos as "feeCentavos", a.card_last4 as last4, a.folio, a.is_other_sum as "isOtherSum",
      p.penalty_centavos as "penaltyCentavos"
    from (${given}) a join help_links l on l.id = a.help_link_id join purchases p on p.id = l.purchase_id
    join buyers b on b.id = p.buyer_id join merchants m on m.id = p.merchant_id
    where b.erased_at is null`.execute(db);
  const [found] = rows;
  if (found === undefined) return undefined;
  const { buyerName, payerName, ...news } = found;
  const isAtStore = 'operationId' in of;
  const { amountCentavos, leftCentavos = zero } = of;
  return {
    ...news,
    amountCentavos,
    leftCentavos,
    isAtStore,
    payerName: mailedName(payerName),
    firstName: firstName(buyerName),
  };
}
