import type { ShopMailKind } from '@aparta/domain/shop-mails';
import { shortName } from '@aparta/domain/short-name';
import { sql } from 'kysely';

import { payerOf } from '../../ledger/receipts/payer-at-store.read-model.ts';
import { terminalLast4 } from '../../ledger/refunds/terminal.read-model.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { ShopNews, ShopNewsOf } from '../../platform/email/shop-news-copy.ts';

/** An email that nobody has queued yet. */
export interface WaitingMail {
  readonly of: ShopNewsOf;
  readonly email: string;
  readonly dedupeKey: string;
}

/** Shops whose books have no place for mail yet. */
export async function listNewShops(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from merchants where not exists (select from shop_mail_places where merchant_id = id)`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

/** A shop's owners, and what each wants to be told as it happens. */
export async function listOwners(
  tx: Tx,
  merchantId: number,
): Promise<
  { readonly positionId: string; readonly email: string; readonly mails: readonly ShopMailKind[] }[]
> {
  const { rows } = await sql<{ positionId: string; email: string; mails: ShopMailKind[] }>`
    select p.id as "positionId", s.email, p.mails from staff_positions p join staff s on s.id = p.staff_id
    where p.merchant_id = ${merchantId} and p.role = 'owner' and p.revoked_at is null order by p.id`.execute(
    tx,
  );
  return rows;
}

/** A debt of longer ago is no news. */
const NEWS = sql`interval '2 days'`;
/** Reservations end at midnight: their owner hears of it at nine. */
const SOON = sql`interval '15 hours'`;

/** Cash that came to be owed at a till, units that are not on their shelf, what buyers claim, and reservations whose last day has come, of which an owner wants to be told and was not. */
export async function listWaiting(tx: Tx, most: number): Promise<WaitingMail[]> {
  const { rows } = await sql<ShopNewsOf & { email: string; dedupeKey: string }>`
    with news as materialized (
      select r.merchant_id, 'refund_owed' as kind, f.id, '' as again from refunds f join receipts r on r.id = f.receipt_id
        where f.method = 'cash' and f.state = 'owed' and f.created_at > app_now() - ${NEWS}
      -- One that was found may be missing again.
      union all select u.merchant_id, 'unit_missing', h.layaway_reference_id, ' ' || extract(epoch from h.missing_since)
        from holds h join product_units u on (u.product_id, u.branch_id) = (h.product_id, h.branch_id)
        where h.state = 'held' and h.missing_since > app_now() - ${NEWS}
      union all select merchant_id, 'claim', id, '' from claims where ended_at is null and opened_at > app_now() - ${NEWS}
      union all select owner.merchant_id, 'expiring', reference.id, ''
        from (select distinct merchant_id from staff_positions
          where role = 'owner' and revoked_at is null and 'expiring' = any (mails)) owner
        join layaway_references reference on reference.merchant_id = owner.merchant_id and reference.state = 'open'
          and reference.expires_at > app_now() and reference.expires_at < app_now() + ${SOON}
    ), mails as (
      select p.id as "positionId", p.merchant_id as "merchantId", news.kind, news.id as "subjectId", s.email,
        p.id || ' ' || news.kind || ' ' || news.id || news.again as "dedupeKey"
      from news join staff_positions p on p.merchant_id = news.merchant_id and news.kind = any (p.mails) and p.role = 'owner'
        and p.revoked_at is null
      join staff s on s.id = p.staff_id)
    select * from mails where not exists (select from outbox where topic = 'staff_shop_news' and dedupe_key = "dedupeKey")
    order by "merchantId", "subjectId", "positionId" limit ${most}`.execute(tx);
  return rows.map(({ email, dedupeKey, ...of }) => ({ of, email, dedupeKey }));
}

interface Subject {
  readonly tradeName: string;
  readonly buyerName: string | null;
  readonly payerName: string | null;
  readonly productName: string;
  readonly purchaseId: number | null;
  readonly amountCentavos: number | null;
  readonly priceCentavos: number | null;
  readonly balanceCentavos: number | null;
  readonly last4: string | null;
  readonly endsAt: Date | null;
}

const NONE = sql`null::bigint`;

/** What is told of, as it is now; no row once it is so no more. */
const SUBJECT = {
  first_deposit: purchase(sql`true`),
  paid_off: purchase(sql`p.paid_centavos = p.price_centavos`),
  cancelled: purchase(sql`p.state = 'cancelled'`),
  refund_owed: sql`
    select r.merchant_id, r.buyer_id, ${payerOf('r')} as payer_name, p.product_name, p.id as purchase_id, f.id, f.amount_centavos as amount, ${NONE} as price,
      ${NONE} as balance, null::timestamptz as ends_at
    from refunds f join receipts r on r.id = f.receipt_id left join lateral (
      select p.id, p.product_name from allocations a join instalments i on i.id = a.instalment_id join purchases p on p.id = i.purchase_id
      where a.receipt_id = r.id order by p.id is distinct from f.purchase_id, p.id limit 1) p on true
    where f.method = 'cash' and f.state = 'owed'`,
  unit_missing: sql`
    select l.merchant_id, l.buyer_id, product.name as product_name, p.id as purchase_id, h.layaway_reference_id as id,
      coalesce(p.paid_centavos, 0) as amount, l.price_centavos as price, ${NONE} as balance, h.missing_since as ends_at
    from holds h join layaway_references l on l.id = h.layaway_reference_id join products product on product.id = l.product_id
    left join purchases p on p.layaway_reference_id = l.id
    where h.state = 'held' and h.missing_since is not null`,
  claim: sql`
    select p.merchant_id, p.buyer_id, p.product_name, p.id as purchase_id, c.id, p.paid_centavos as amount, ${NONE} as price,
      ${NONE} as balance, c.due_at as ends_at
    from claims c join purchases p on p.id = c.purchase_id where c.state = 'open'`,
  expiring: sql`
    select l.merchant_id, l.buyer_id, product.name as product_name, ${NONE} as purchase_id, l.id, l.deposit_centavos as amount,
      l.price_centavos as price, ${NONE} as balance, l.expires_at as ends_at
    from layaway_references l join products product on product.id = l.product_id
    where l.state = 'open' and l.expires_at > app_now()`,
} satisfies Record<ShopMailKind, unknown>;

/** A refund's alone. */
const LAST4 = sql`(select ${terminalLast4('f', 'r')} from refunds f join receipts r on r.id = f.receipt_id where f.id = subject.id)`;

function purchase(isSo: ReturnType<typeof sql>) {
  return sql`
    select p.merchant_id, p.buyer_id, p.product_name, p.id as purchase_id, p.id, ${NONE} as amount, p.price_centavos as price,
      p.price_centavos - p.paid_centavos as balance, null::timestamptz as ends_at
    from purchases p where ${isSo}`;
}

/** What an owner is told; undefined when they have left, want it no more, or it is so no more. */
export async function readShopNews(db: Db, of: ShopNewsOf): Promise<ShopNews | undefined> {
  const { positionId, merchantId, kind, subjectId } = of;
  const { rows } = await sql<Subject>`
    select m.trade_name as "tradeName", b.name as "buyerName", ${kind === 'refund_owed' ? sql`payer_name` : sql`null`} as "payerName", coalesce(product_name, '') as "productName", purchase_id as "purchaseId",
      amount as "amountCentavos", price as "priceCentavos", balance as "balanceCentavos", ends_at as "endsAt",
      ${kind === 'refund_owed' ? LAST4 : sql`null`} as last4
    from (${SUBJECT[kind]}) subject join merchants m on m.id = subject.merchant_id left join buyers b on b.id = subject.buyer_id
    where subject.id = ${subjectId} and subject.merchant_id = ${merchantId} and exists (
      select from staff_positions p where p.id = ${positionId} and p.merchant_id = ${merchantId} and p.role = 'owner'
        and p.revoked_at is null and ${kind} = any (p.mails))`.execute(db);
  const [found] = rows;
  if (found === undefined) return undefined;
  const { buyerName, payerName, ...subject } = found;
  return {
    ...of,
    ...subject,
    buyer: shortName(buyerName ?? ''),
    payer: shortName(payerName ?? ''),
    amountCentavos: found.amountCentavos ?? of.amountCentavos ?? 0,
  } as ShopNews;
}
