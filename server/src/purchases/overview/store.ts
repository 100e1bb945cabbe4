import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { LIST_FILTERS, type ListFilter } from '@aparta/domain/purchase-status';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import { type AliasedExpression, type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db } from '../../platform/db/db.ts';
import { newestInvoices, type InvoiceView } from '../../invoicing/invoices/read-model.ts';
import type {
  Database,
  InstalmentsTable,
  PurchasesTable,
  PurchaseState,
  ReceiptChannel,
} from '../../platform/db/tables.ts';

/** A receipt's part that stands on an instalment. */
export interface AppliedPayment {
  readonly id: number;
  readonly amountCentavos: Centavos;
  readonly channel: ReceiptChannel;
  readonly folio: string;
  /** ISO-8601 as the database writes it inside JSON, microseconds included. */
  readonly receivedAt: string;
  readonly last4: string | null;
}

export interface InstalmentRow {
  readonly id: number;
  readonly number: number;
  /** As printed: the number and the id. */
  readonly reference: string;
  readonly dueOn: string;
  readonly amountCentavos: Centavos;
  readonly paidCentavos: Centavos;
  /** Until when a store takes cash for it, as the database writes a moment inside JSON; null where none was asked for. */
  readonly cashUntil: string | null;
  /** Oldest first. */
  readonly payments: readonly AppliedPayment[];
}

/** A purchase with the names that its buyer reads and its whole plan by number. */
export interface PurchaseRow {
  readonly id: number;
  readonly state: PurchaseState;
  readonly merchantId: number;
  readonly productId: number;
  readonly companyId: number;
  readonly productName: string;
  readonly productDescription: string;
  readonly sku: string;
  readonly priceCentavos: Centavos;
  readonly depositCentavos: Centavos;
  readonly paidCentavos: Centavos;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly PaymentMethod[];
  readonly ssoId: string;
  readonly createdAt: Date;
  readonly cancelledAt: Date | null;
  readonly cancelNotes: string;
  readonly layawayReference: string;
  readonly layawayExpiresAt: Date;
  readonly tradeName: string;
  readonly invoicingBusinessUuid: string;
  readonly invoicingProductUuid: string;
  /** '' without a logo. */
  readonly logoFileName: string;
  readonly buyerId: number;
  readonly buyerName: string;
  readonly buyerEmail: string;
  readonly buyerPhone: string;
  readonly buyerSsoId: string;
  readonly instalments: readonly InstalmentRow[];
  /** The newest of each instalment that has any. */
  readonly invoices: readonly InvoiceView[];
  /** The database's time when it was read. */
  readonly now: Date;
}

/** A purchase as a place in the list's order. */
export interface ListPlace {
  /** What lateness is judged by on all pages, so that midnight between two of them hides nothing. */
  readonly day: DateOnly;
  readonly late: boolean;
  readonly id: number;
}

export interface PageOf {
  readonly buyerId: number;
  readonly filter: ListFilter;
  /** Purchases that follow this one; the first page when undefined. */
  readonly after: ListPlace | undefined;
  /** At most {@link LONG_PAGE}. */
  readonly limit: number;
}

/** A purchase on a page, and whether it stands there among the late ones. */
export type ListedRow = PurchaseRow & { readonly late: boolean };

// Written into the statement: a plan that is made once for all values must know how few rows a page has, or
// it reads whole tables. Two of them and no more, so that callers cannot fill the connections with prepared
// statements.
const SHORT_PAGE = 21;
const LONG_PAGE = 101;

/**
 * A page of a buyer's purchases, late ones first and then newest first, in one statement, and on the first
 * page how many there are on all. Only an instalment that is paid in part brings its payments: the others'
 * are not shown there.
 */
export async function findPurchasePage(
  db: Db,
  { buyerId, filter, after, limit }: PageOf,
): Promise<{ purchases: ListedRow[]; total: number | undefined }> {
  const listed = ofBuyer(db, buyerId, filter);
  const most = sql.lit(limit <= SHORT_PAGE ? SHORT_PAGE : LONG_PAGE);
  const late = isLateOn(after && sql`${after.day}::date`);
  const part = (isLate: boolean) =>
    db
      .selectFrom(
        (after?.late === isLate ? listed.where('id', '<', after.id) : listed)
          .where(isLate ? late : sql<boolean>`not ${late}`)
          .selectAll()
          .select(sql<boolean>`${sql.lit(isLate)}`.as('late'))
          .orderBy('id', 'desc')
          .limit(most)
          .as('part'),
      )
      .selectAll();
  // Each part goes by the buyer's index and ends when the page is full: nothing is sorted but one page of each.
  const parts = after?.late === false ? part(false) : part(true).unionAll(part(false));
  const page = db
    .selectFrom(parts.as('listed'))
    .selectAll()
    .orderBy('late', 'desc')
    .orderBy('id', 'desc')
    .limit(most);
  const purchases = withNames(db, page.as('p'), 'partly paid')
    .select(sql<boolean>`p.late`.as('late'))
    .orderBy(sql`p.late`, 'desc')
    .orderBy('p.id', 'desc');
  if (after !== undefined) {
    return { purchases: (await purchases.execute()).slice(0, limit), total: undefined };
  }
  const rows = await purchases
    .select(listed.select(({ fn }) => fn.countAll<number>().as('count')).as('total'))
    .execute();
  return { purchases: rows.slice(0, limit), total: rows[0]?.total ?? 0 };
}

/**
 * `standingOf`'s lateness of a purchase in SQL, on a day (today's in Mexico City when undefined). Counting is what keeps
 * the planner at one lookup by index per purchase: an `exists` it may answer by reading all instalments.
 */
function isLateOn(day = sql`(select (app_now() at time zone 'America/Mexico_City')::date)`) {
  return sql<boolean>`(state = 'active' and paid_centavos < price_centavos and
    (select count(*) from instalments i where i.purchase_id = purchases.id
      and i.paid_centavos < i.amount_centavos and i.due_on < ${day}) > 0)`;
}

/** A buyer's own purchase; somebody else's is undefined like one that does not exist. */
export async function findPurchase(db: Db, buyerId: number, id: number): Promise<PurchaseRow | undefined> {
  const own = db.selectFrom('purchases').selectAll().where('id', '=', id).where('buyer_id', '=', buyerId);
  return withNames(db, own.as('p'), 'all').executeTakeFirst();
}

/**
 * The buyer's own purchase that an instalment is of; somebody else's is undefined like one that does not
 * exist.
 */
export async function findPurchaseOfInstalment(
  db: Db,
  buyerId: number,
  instalmentId: number,
): Promise<PurchaseRow | undefined> {
  const own = db
    .selectFrom('purchases')
    .selectAll()
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('instalments').select('purchase_id').where('instalments.id', '=', instalmentId),
    )
    .where('buyer_id', '=', buyerId);
  return withNames(db, own.as('p'), 'all').executeTakeFirst();
}

/** The filter of spec §4 in SQL; what is paid is what the instalments say, by constraint. */
function ofBuyer(db: Db, buyerId: number, filter: ListFilter) {
  const own = db.selectFrom('purchases').where('buyer_id', '=', buyerId);
  switch (filter) {
    case LIST_FILTERS.all:
      return own;
    case LIST_FILTERS.active:
      return own.where('state', '=', 'active').whereRef('paid_centavos', '<', 'price_centavos');
    case LIST_FILTERS.paid_off:
      return own.where('state', '=', 'active').whereRef('paid_centavos', '=', 'price_centavos');
    case LIST_FILTERS.cancelled:
      return own.where('state', '=', 'cancelled');
  }
}

type PurchaseSelection = AliasedExpression<Selectable<PurchasesTable>, 'p'>;

/**
 * Joins to purchases what their screens show: the page is cut first, so that nothing is joined to what is
 * not on it.
 */
function withNames(db: Db, purchases: PurchaseSelection, paymentsOf: 'all' | 'partly paid') {
  return db
    .selectFrom(purchases)
    .innerJoin('merchants as m', 'm.id', 'p.merchant_id')
    .innerJoin('companies as c', 'c.id', 'm.company_id')
    .innerJoin('products as d', 'd.id', 'p.product_id')
    .innerJoin('buyers as b', 'b.id', 'p.buyer_id')
    .innerJoin('layaway_references as l', 'l.id', 'p.layaway_reference_id')
    .innerJoin('payment_references as r', 'r.id', 'l.id')
    .select([
      'p.id',
      'p.state',
      'p.merchant_id as merchantId',
      'p.product_id as productId',
      'm.company_id as companyId',
      'p.product_name as productName',
      'p.product_description as productDescription',
      'd.sku',
      'p.price_centavos as priceCentavos',
      'p.deposit_centavos as depositCentavos',
      'p.paid_centavos as paidCentavos',
      'p.service_fee_centavos as feeCentavos',
      'p.service_fee_methods as feeMethods',
      'p.sso_id as ssoId',
      'p.created_at as createdAt',
      'p.cancelled_at as cancelledAt',
      'p.cancel_notes as cancelNotes',
      'r.reference as layawayReference',
      'l.expires_at as layawayExpiresAt',
      'm.trade_name as tradeName',
      'm.invoicing_business_uuid as invoicingBusinessUuid',
      'd.invoicing_product_uuid as invoicingProductUuid',
      sql<string>`case when c.logo is null then '' else c.logo_file_name end`.as('logoFileName'),
      'b.id as buyerId',
      'b.name as buyerName',
      'b.email as buyerEmail',
      'b.phone as buyerPhone',
      'b.sso_id as buyerSsoId',
      sql<Date>`app_now()`.as('now'),
    ])
    .select((purchase) => newestInvoices(purchase).as('invoices'))
    .select(({ selectFrom }) => [
      jsonArrayFrom(
        selectFrom('instalments as i')
          .innerJoin('payment_references as ir', 'ir.id', 'i.id')
          .whereRef('i.purchase_id', '=', 'p.id')
          .orderBy('i.number')
          .select([
            'i.id',
            'i.number',
            'ir.reference',
            'i.due_on as dueOn',
            'i.amount_centavos as amountCentavos',
            'i.paid_centavos as paidCentavos',
          ])
          .select((instalment) =>
            instalment
              .selectFrom('cash_references as w')
              .whereRef('w.instalment_id', '=', 'i.id')
              .where('w.state', '=', 'issued')
              .where(sql<boolean>`w.valid @> app_now()`)
              .select(sql<string>`upper(w.valid)`.as('until'))
              .as('cashUntil'),
          )
          .select((instalment) =>
            jsonArrayFrom(
              paymentsOf === 'all'
                ? appliedTo(instalment)
                : appliedTo(instalment).whereRef('i.paid_centavos', '<', 'i.amount_centavos'),
            ).as('payments'),
          ),
      ).as('instalments'),
    ]);
}

/** What stands on an instalment: its allocations, less the ones that were taken back. */
function appliedTo(instalment: ExpressionBuilder<Database & { i: InstalmentsTable }, 'i'>) {
  return instalment
    .selectFrom('allocations as a')
    .innerJoin('receipts as t', 't.id', 'a.receipt_id')
    .leftJoin('card_attempts as k', (join) =>
      join.on('k.id', '=', sql<string>`case when t.channel = 'card' then t.source_id::uuid end`),
    )
    .whereRef('a.instalment_id', '=', 'i.id')
    .where('a.reverses_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('allocations as u').select('u.id').whereRef('u.reverses_id', '=', 'a.id'))),
    )
    .orderBy('a.id')
    .select([
      'a.id',
      sql<Centavos>`a.amount_centavos`.as('amountCentavos'),
      't.channel',
      't.folio',
      't.received_at as receivedAt',
      'k.card_last4 as last4',
    ]);
}
