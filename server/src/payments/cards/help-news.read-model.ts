import { firstName } from '@aparta/domain/short-name';
import { sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';
import type { HelpNews, HelpNewsOf } from '../../platform/email/help-copy.ts';

/** What a helper is told of their attempt; undefined where there is none, or its names are forgotten. */
export async function readHelpNews(db: Db, of: HelpNewsOf): Promise<HelpNews | undefined> {
  const { rows } = await sql<Omit<HelpNews, keyof HelpNewsOf | 'firstName'> & { buyerName: string }>`
    select a.payer_name as "payerName", b.name as "buyerName", p.product_name as "productName", m.trade_name as "tradeName",
      a.fee_centavos as "feeCentavos", a.card_last4 as last4, r.folio,
      p.penalty_centavos as "penaltyCentavos"
    from card_attempts a join help_links l on l.id = a.help_link_id join purchases p on p.id = l.purchase_id
    join buyers b on b.id = p.buyer_id join merchants m on m.id = p.merchant_id
    left join receipts r on r.channel = 'card' and r.source_id = a.id::text
    where a.id = ${of.attemptId} and b.erased_at is null`.execute(db);
  const [found] = rows;
  if (found === undefined) return undefined;
  const { buyerName, ...news } = found;
  return { ...of, ...news, firstName: firstName(buyerName) };
}
