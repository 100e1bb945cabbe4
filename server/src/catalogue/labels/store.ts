import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import { pictureOf } from '../read-model.ts';
import type { Figures, Offer } from './label.ts';

/** Whose labels: one merchant's, or certain products'. Withdrawn products have none. */
export interface WhichOffers {
  readonly merchantId?: number | undefined;
  readonly productIds?: readonly number[] | undefined;
}

/** What a label in a shop says. */
export interface PrintedLabel extends Figures {
  /** Null on labels printed before names were kept. */
  readonly productName: string | null;
  readonly printedAt: Date;
}

/** A product with today's terms, and what its newest label says; null before its first. */
export interface OfferWithLabel extends Offer {
  readonly printed: PrintedLabel | null;
  /** The content of its picture; null without one. */
  readonly picture: string | null;
}

/** Products by merchant and id, with their newest labels. */
export async function listOffers(
  db: Db | Tx,
  { merchantId, productIds }: WhichOffers,
): Promise<OfferWithLabel[]> {
  let query = db
    .selectFrom('products as product')
    .innerJoin('merchants as merchant', 'merchant.id', 'product.merchant_id')
    .leftJoin('printed_labels as label', 'label.product_id', 'product.id')
    .select([
      'product.id',
      'product.merchant_id',
      'product.name',
      'product.sku',
      'product.sale_price_centavos',
      'merchant.trade_name',
      'merchant.deposit_basis_points',
      'merchant.frequency_days',
      'merchant.plan_duration_days',
      'label.price_centavos',
      'label.deposit_centavos',
      'label.payments',
      'label.product_name',
      'label.printed_at',
      pictureOf('product.id').as('picture'),
    ])
    .where('product.withdrawn_at', 'is', null)
    .orderBy('product.merchant_id')
    .orderBy('product.id');
  if (merchantId !== undefined) query = query.where('product.merchant_id', '=', merchantId);
  if (productIds !== undefined) query = query.where('product.id', 'in', [...productIds]);
  const rows = await query.execute();
  return rows.map((row) => ({
    productId: row.id,
    merchantId: row.merchant_id,
    productName: row.name,
    sku: row.sku,
    tradeName: row.trade_name,
    priceCentavos: row.sale_price_centavos,
    depositBasisPoints: row.deposit_basis_points,
    frequencyDays: row.frequency_days,
    durationDays: row.plan_duration_days,
    picture: row.picture,
    printed:
      row.price_centavos === null ||
      row.deposit_centavos === null ||
      row.payments === null ||
      row.printed_at === null
        ? null
        : {
            priceCentavos: row.price_centavos,
            depositCentavos: row.deposit_centavos,
            payments: row.payments,
            productName: row.product_name,
            printedAt: row.printed_at,
          },
  }));
}

export interface OfferedProduct extends Offer {
  readonly description: string;
  readonly ivaBasisPoints: number;
  readonly invoicingProductUuid: string;
  readonly isWithdrawn: boolean;
  readonly version: number;
  readonly countsUnits: boolean;
  /** The content of its picture; null without one. */
  readonly picture: string | null;
}

/** Accents of what was normalized to NFD, for JavaScript and PostgreSQL. */
const ACCENTS = String.raw`[\u0300-\u036f]`;
const withoutAccents = (text: string) =>
  text.toLowerCase().normalize('NFD').replaceAll(new RegExp(ACCENTS, 'g'), '');
const partOf = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** A page of a merchant's products, on sale or withdrawn (null: both), by number, and how many there are; `search` is words of the name or parts of them, with accents or without, or a part of the code. */
export async function pageOfOffers(
  db: Db,
  {
    merchantId,
    productId,
    isWithdrawn = null,
    search = '',
    after = 0,
    limit,
  }: {
    readonly merchantId: number;
    readonly productId?: number;
    readonly isWithdrawn?: boolean | null;
    readonly search?: string;
    readonly after?: number;
    readonly limit: number;
  },
): Promise<{ readonly offers: readonly OfferedProduct[]; readonly total: number }> {
  const words = withoutAccents(search).split(/\s+/);
  const { rows } = await sql<OfferedProduct & { readonly total: number }>`
    with chosen as materialized (
      select p.* from products p
      where p.merchant_id = ${merchantId}
        ${isWithdrawn === null ? sql`` : isWithdrawn ? sql`and p.withdrawn_at is not null` : sql`and p.withdrawn_at is null`}
        and (${search} = '' or p.sku ilike ${partOf(search)}
          or regexp_replace(normalize(lower(p.name), nfd), ${ACCENTS}, '', 'g') like all (${words.map(partOf)}::text[]))
        and (${productId ?? null}::bigint is null or p.id = ${productId ?? null})
    )
    select c.id as "productId", c.merchant_id as "merchantId", c.name as "productName", c.sku, c.description, c.version,
      c.iva_basis_points as "ivaBasisPoints", c.invoicing_product_uuid as "invoicingProductUuid",
      c.withdrawn_at is not null as "isWithdrawn", c.counts_units as "countsUnits",
      ${pictureOf('c.id')} as picture,
      m.trade_name as "tradeName", c.sale_price_centavos as "priceCentavos", m.deposit_basis_points as "depositBasisPoints",
      m.frequency_days as "frequencyDays", m.plan_duration_days as "durationDays",
      (select count(*) from chosen)::int as total
    from chosen c join merchants m on m.id = c.merchant_id
    where c.id > ${after}
    order by c.id limit ${limit}`.execute(db);
  return { offers: rows, total: rows[0]?.total ?? 0 };
}

/** Remembers what was printed of each product, in the place of what was printed before. */
export async function recordPrinted(
  tx: Tx,
  labels: readonly (Figures & { readonly productId: number; readonly productName: string })[],
): Promise<void> {
  const rows = labels.map(({ productId, productName, priceCentavos, depositCentavos, payments }) => ({
    product_id: productId,
    product_name: productName,
    price_centavos: priceCentavos,
    deposit_centavos: depositCentavos,
    payments,
  }));
  await sql`
    insert into printed_labels (product_id, product_name, price_centavos, deposit_centavos, payments)
    select product_id, product_name, price_centavos, deposit_centavos, payments
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row (product_id bigint, product_name text, price_centavos bigint, deposit_centavos bigint, payments integer)
    on conflict (product_id) do update set product_name = excluded.product_name, price_centavos = excluded.price_centavos,
      deposit_centavos = excluded.deposit_centavos, payments = excluded.payments, printed_at = app_now()`.execute(
    tx,
  );
}
