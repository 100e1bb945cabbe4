import type { Centavos } from '@aparta/domain/money';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import type { CompaniesTable, MerchantsTable, ProductsTable } from '../../platform/db/tables.ts';

/** What the operator says of a product. */
export interface ProductEntry {
  readonly sku: string;
  readonly name: string;
  readonly description: string;
  readonly priceCentavos: Centavos;
  /** 16 % = 1600. */
  readonly ivaBasisPoints: number;
  readonly invoicingProductUuid: string;
}

export type ProductRow = Selectable<ProductsTable>;

export type CompanyRow = Omit<Selectable<CompaniesTable>, 'logo'> & { readonly has_logo: boolean };

export async function findCompany(db: Db, id: number): Promise<CompanyRow | undefined> {
  return db
    .selectFrom('companies')
    .select(['id', 'name', 'phone', 'external_ref_antad', 'logo_file_name', 'created_at'])
    .select(sql<boolean>`logo is not null`.as('has_logo'))
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The bytes of the logo that has exactly this name. */
export async function findLogo(db: Db, fileName: string): Promise<Buffer | undefined> {
  const company = await db
    .selectFrom('companies')
    .select('logo')
    .where('logo_file_name', '=', fileName)
    .executeTakeFirst();
  return company?.logo ?? undefined;
}

export async function insertCompany(tx: Tx, company: Insertable<CompaniesTable>): Promise<number> {
  const { id } = await tx.insertInto('companies').values(company).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** A company, locked. */
export async function lockCompany(tx: Tx, id: number): Promise<{ name: string; phone: string } | undefined> {
  return tx
    .selectFrom('companies')
    .select(['name', 'phone'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function updateCompany(tx: Tx, id: number, change: Updateable<CompaniesTable>): Promise<void> {
  await tx.updateTable('companies').set(change).where('id', '=', id).execute();
}

export async function listCompanies(db: Db): Promise<(CompanyRow & { readonly merchants: number })[]> {
  return db
    .selectFrom('companies')
    .select(['id', 'name', 'phone', 'external_ref_antad', 'logo_file_name', 'created_at'])
    .select(sql<boolean>`logo is not null`.as('has_logo'))
    .select(sql<number>`(select count(*) from merchants where company_id = companies.id)`.as('merchants'))
    .orderBy('id')
    .execute();
}

export type MerchantColumns = Omit<
  Selectable<MerchantsTable>,
  | 'id'
  | 'business_type_id'
  | 'payment_gateway_id'
  | 'external_reference_antad'
  | 'sso_id'
  | 'created_at'
  | 'invoicing_mode'
>;

export async function insertMerchant(tx: Tx, merchant: MerchantColumns): Promise<number> {
  const { id } = await tx.insertInto('merchants').values(merchant).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** A merchant, locked against whoever else asks for it here: a lock of its row would need the right to change it. */
export async function lockMerchant(tx: Tx, id: number): Promise<Selectable<MerchantsTable> | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`merchant ${id}`}, 0))`.execute(tx);
  return tx.selectFrom('merchants').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function updateMerchant(tx: Tx, id: number, merchant: MerchantColumns): Promise<void> {
  await tx.updateTable('merchants').set(merchant).where('id', '=', id).execute();
}

/** A merchant's plan. */
export async function findPlan(
  db: Db,
  merchantId: number,
): Promise<
  Pick<Selectable<MerchantsTable>, 'deposit_basis_points' | 'frequency_days' | 'plan_duration_days'>
> {
  return db
    .selectFrom('merchants')
    .select(['deposit_basis_points', 'frequency_days', 'plan_duration_days'])
    .where('id', '=', merchantId)
    .executeTakeFirstOrThrow();
}

export async function listOnSale(
  tx: Tx,
  merchantId: number,
): Promise<Pick<ProductRow, 'id' | 'name' | 'sale_price_centavos'>[]> {
  return tx
    .selectFrom('products')
    .select(['id', 'name', 'sale_price_centavos'])
    .where('merchant_id', '=', merchantId)
    .where('withdrawn_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** A merchant's products, the withdrawn ones too. */
export async function listProducts(db: Db, merchantId: number): Promise<ProductRow[]> {
  return db.selectFrom('products').selectAll().where('merchant_id', '=', merchantId).orderBy('id').execute();
}

export async function findProductForChange(tx: Tx, id: number): Promise<ProductRow | undefined> {
  return tx.selectFrom('products').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function updateProduct(tx: Tx, id: number, entry: ProductEntry): Promise<void> {
  await tx
    .updateTable('products')
    .set({
      sku: entry.sku,
      name: entry.name,
      description: entry.description,
      sale_price_centavos: entry.priceCentavos,
      iva_basis_points: entry.ivaBasisPoints,
      invoicing_product_uuid: entry.invoicingProductUuid,
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .execute();
}

export async function setWithdrawn(tx: Tx, id: number, isWithdrawn: boolean): Promise<void> {
  await tx
    .updateTable('products')
    .set({ withdrawn_at: isWithdrawn ? sql<Date>`app_now()` : null, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

/** Says whether a product's units are counted. */
export async function setCountsUnits(tx: Tx, id: number, countsUnits: boolean): Promise<void> {
  await tx.updateTable('products').set({ counts_units: countsUnits }).where('id', '=', id).execute();
}

/** What a sku is compared by: `a1` and `A1` are one product. */
export function sameSku(sku: string): string {
  return sku.toLowerCase();
}

/** A merchant's products that have a sku. */
export async function listSkus(tx: Tx, merchantId: number): Promise<ProductRow[]> {
  return tx
    .selectFrom('products')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('sku', '<>', '')
    .execute();
}

/** The entries as rows, one array per column, so that their number changes no statement. */
function rowsOf(entries: readonly ProductEntry[]) {
  const column = <K extends keyof ProductEntry>(name: K) => entries.map((entry) => entry[name]);
  return sql`unnest(
    ${column('sku')}::text[], ${column('name')}::text[], ${column('description')}::text[],
    ${column('priceCentavos')}::bigint[], ${column('ivaBasisPoints')}::int[], ${column('invoicingProductUuid')}::text[]
  ) with ordinality as given (sku, name, description, price, iva, uuid, place)`;
}

export async function insertProducts(
  tx: Tx,
  merchantId: number,
  entries: readonly ProductEntry[],
): Promise<void> {
  await sql`
    insert into products (merchant_id, sku, name, description, sale_price_centavos, iva_basis_points, invoicing_product_uuid)
    select ${merchantId}, sku, name, description, price, iva, uuid from ${rowsOf(entries)} order by place
  `.execute(tx);
}

/** Adds one product as a press at a counter says it, and returns its id. Throws on `products_once_by_request` and `products_sku_…`. */
export async function insertProduct(
  tx: Tx,
  merchantId: number,
  requestId: string,
  entry: ProductEntry,
): Promise<number> {
  const { id } = await tx
    .insertInto('products')
    .values({
      merchant_id: merchantId,
      request_id: requestId,
      sku: entry.sku,
      name: entry.name,
      description: entry.description,
      sale_price_centavos: entry.priceCentavos,
      iva_basis_points: entry.ivaBasisPoints,
      invoicing_product_uuid: entry.invoicingProductUuid,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The product that a press at a counter added. */
export async function findProductOfRequest(
  tx: Tx,
  merchantId: number,
  requestId: string,
): Promise<number | undefined> {
  const row = await tx
    .selectFrom('products')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('request_id', '=', requestId)
    .executeTakeFirst();
  return row?.id;
}

/** Gives the products of these skus the entries' words and prices, and puts them on sale. */
export async function updateProducts(
  tx: Tx,
  merchantId: number,
  entries: readonly ProductEntry[],
): Promise<void> {
  await sql`
    update products set name = given.name, description = given.description, sale_price_centavos = given.price,
      iva_basis_points = given.iva, invoicing_product_uuid = given.uuid, withdrawn_at = null, version = version + 1
    from ${rowsOf(entries)} where products.merchant_id = ${merchantId} and products.sku = given.sku
  `.execute(tx);
}
