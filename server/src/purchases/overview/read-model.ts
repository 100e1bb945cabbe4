import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import {
  type AliasedExpression,
  type ExpressionBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { serviceFeeIn } from '../../ledger/receipts/service-fee.read-model.ts';
import { payerAtStore } from '../../ledger/receipts/payer-at-store.read-model.ts';
import { pictureOf } from '../../catalogue/read-model.ts';
import { isLive } from '../cash-references/is-live.ts';
import { builtOnce } from '../../platform/db/built-once.ts';
import type { Db } from '../../platform/db/db.ts';
import { newestInvoices, type InvoiceView } from '../../invoicing/invoices/read-model.ts';
import { type PlanChangeRow, planChangesOf } from '../moving/read-model.ts';
import { warningsOf, type WrittenWarning } from '../ending/read-model.ts';
import { openAttemptOf } from '../plans/being-paid.read-model.ts';
import type {
  AttemptState,
  Database,
  EndedBy,
  InstalmentsTable,
  PurchasesTable,
  PurchaseState,
  ReceiptChannel,
} from '../../platform/db/tables.ts';

/** What one payment paid of an instalment. */
export interface AppliedPayment {
  readonly id: number;
  readonly amountCentavos: Centavos;
  readonly channel: ReceiptChannel;
  readonly folio: string;
  /** ISO-8601 as the database writes it inside JSON, microseconds included. */
  readonly paidAt: string;
  readonly bookedAt: string;
  /** The merchant's cut-off for invoices when it was paid. */
  readonly cutOffDays: number | null;
  /** Of the buyer's own card. */
  readonly last4: string | null;
  /** Who paid it to help the buyer. */
  readonly payerName: string | null;
  readonly hasFee: boolean;
}

export interface InstalmentRow {
  readonly id: number;
  readonly number: number;
  /** The printed payment reference. */
  readonly reference: string;
  readonly dueOn: string;
  readonly amountCentavos: Centavos;
  readonly paidCentavos: Centavos;
  /** Until when a store takes cash for it, in the form of `paidAt`; null without a cash reference. */
  readonly cashUntil: string | null;
  /** Oldest first. */
  readonly payments: readonly AppliedPayment[];
}

/** A purchase with its plan, by number, and what a list shows of merchant, product and buyer. */
export interface ListedPurchase {
  readonly id: number;
  readonly state: PurchaseState;
  readonly merchantId: number;
  readonly productId: number;
  readonly productName: string;
  /** What names the product's picture; null without one. */
  readonly picture: string | null;
  readonly productDescription: string;
  readonly priceCentavos: Centavos;
  readonly depositCentavos: Centavos;
  readonly paidCentavos: Centavos;
  readonly ssoId: string;
  readonly createdAt: Date;
  readonly endDaysLate: number | null;
  readonly nextDueOn: DateOnly | null;
  readonly moreTimeUntil: DateOnly | null;
  readonly moreTimeFor: DateOnly | null;
  /** Of the clock that runs. */
  readonly warnings: readonly WrittenWarning[];
  readonly tradeName: string;
  readonly invoicingBusinessUuid: string;
  readonly invoicingProductUuid: string;
  /** '' without a logo. */
  readonly logoFileName: string;
  readonly buyerId: number;
  readonly buyerName: string;
  readonly buyerEmail: string;
  readonly buyerPhone: string;
  readonly instalments: readonly InstalmentRow[];
  /** The state of the buyer's own card payment of it that is not decided. */
  readonly openAttempt: AttemptState | null;
  /** The newest invoice of each instalment that has one. */
  readonly invoices: readonly InvoiceView[];
  /** The database's time when it was read. */
  readonly now: Date;
}

/** A purchase with what its own screens show besides. */
export interface PurchaseRow extends ListedPurchase {
  readonly companyId: number;
  readonly sku: string;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly PaymentMethod[];
  readonly cancelledAt: Date | null;
  readonly cancelNotes: string;
  readonly endedBy: EndedBy | null;
  /** The merchant's rule of moving as it is now, and what was changed of the plan by it. */
  readonly movesAllowed: number;
  readonly moveDays: number;
  readonly changes: readonly PlanChangeRow[];
  readonly layawayReference: string;
  readonly layawayExpiresAt: Date;
  readonly invoiceCutOffDays: number | null;
  readonly buyerSsoId: string;
}

/** A buyer's own purchase; undefined for any other. */
export async function findPurchase(db: Db, buyerId: number, id: number): Promise<PurchaseRow | undefined> {
  const { rows } = await db.executeQuery(ownPurchase(db, { buyerId, id }));
  return rows[0];
}

const ownPurchase = builtOnce((db, { buyerId, id }: { buyerId: number; id: number }) =>
  withDetails(
    db,
    db.selectFrom('purchases').selectAll().where('id', '=', id).where('buyer_id', '=', buyerId),
  ),
);

/** The buyer's own purchase that an instalment is of; undefined for any other. */
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
  return withDetails(db, own).executeTakeFirst();
}

type Selection = Database & { p: PurchasesTable };

/** Joins to purchases what a list shows of them; it cuts its page first, so that nothing else is joined. */
export function withNames(
  db: Db,
  purchases: AliasedExpression<Selectable<PurchasesTable>, 'p'>,
  paymentsOf: 'all' | 'partly paid',
) {
  // By keys (`offset 0`): for a page of twenty the planner may read thousands of shops and products instead.
  return db
    .selectFrom(purchases)
    .crossJoinLateral((of) =>
      of.selectFrom('merchants').selectAll().whereRef('id', '=', 'p.merchant_id').offset(0).as('m'),
    )
    .crossJoinLateral((of) =>
      of.selectFrom('companies').selectAll().whereRef('id', '=', 'm.company_id').offset(0).as('c'),
    )
    .crossJoinLateral((of) =>
      of.selectFrom('products').selectAll().whereRef('id', '=', 'p.product_id').offset(0).as('d'),
    )
    .crossJoinLateral((of) =>
      of.selectFrom('buyers').selectAll().whereRef('id', '=', 'p.buyer_id').offset(0).as('b'),
    )
    .select([
      'p.id',
      'p.state',
      'p.merchant_id as merchantId',
      'p.product_id as productId',
      'p.product_name as productName',
      'p.product_description as productDescription',
      pictureOf('p.product_id').as('picture'),
      'p.price_centavos as priceCentavos',
      'p.deposit_centavos as depositCentavos',
      'p.paid_centavos as paidCentavos',
      'p.sso_id as ssoId',
      'p.created_at as createdAt',
      'p.end_days_late as endDaysLate',
      'p.next_due_on as nextDueOn',
      'p.more_time_until as moreTimeUntil',
      'p.more_time_for as moreTimeFor',
      'm.trade_name as tradeName',
      'm.invoicing_business_uuid as invoicingBusinessUuid',
      'd.invoicing_product_uuid as invoicingProductUuid',
      sql<string>`case when c.logo is null then '' else c.logo_file_name end`.as('logoFileName'),
      'b.id as buyerId',
      'b.name as buyerName',
      'b.email as buyerEmail',
      'b.phone as buyerPhone',
      sql<Date>`app_now()`.as('now'),
    ])
    .select(
      sql<
        WrittenWarning[]
      >`case when p.end_days_late is null then '[]' else ${warningsOf(sql`p.id`, 'running')} end`.as(
        'warnings',
      ),
    )
    .select(openAttemptOf(sql`p.id`).as('openAttempt'))
    .select((purchase) => newestInvoices(purchase).as('invoices'))
    .select((purchase) => planOf(purchase, paymentsOf).as('instalments'));
}

/** Joins to purchases what their own screens show. */
function withDetails(
  db: Db,
  purchases: SelectQueryBuilder<Database, 'purchases', Selectable<PurchasesTable>>,
) {
  return withNames(db, purchases.as('p'), 'all')
    .innerJoin('layaway_references as l', 'l.id', 'p.layaway_reference_id')
    .innerJoin('payment_references as r', 'r.id', 'l.id')
    .select([
      'm.company_id as companyId',
      'd.sku',
      'p.service_fee_centavos as feeCentavos',
      'p.service_fee_methods as feeMethods',
      'p.cancelled_at as cancelledAt',
      'p.cancel_notes as cancelNotes',
      'p.ended_by as endedBy',
      'm.moves_allowed as movesAllowed',
      'm.move_days as moveDays',
      planChangesOf(sql`p.id`).as('changes'),
      'r.reference as layawayReference',
      'l.expires_at as layawayExpiresAt',
      'm.invoice_cut_off_days as invoiceCutOffDays',
      'b.sso_id as buyerSsoId',
    ]);
}

/** The instalments of a purchase by number, with the payments of all of them or of those that are partly paid. */
function planOf(purchase: ExpressionBuilder<Selection, 'p'>, paymentsOf: 'all' | 'partly paid') {
  const owed = purchase
    .selectFrom('instalments as i')
    .whereRef('i.purchase_id', '=', 'p.id')
    .orderBy('i.number')
    .select([
      'i.id',
      'i.number',
      'i.due_on as dueOn',
      'i.amount_centavos as amountCentavos',
      'i.paid_centavos as paidCentavos',
    ])
    // As `payment_references.reference` is made; a foreign key has both parts, and nothing is looked up.
    .select(sql<string>`i.prefix || i.id`.as('reference'))
    .select((instalment) =>
      instalment
        .selectFrom('cash_references as w')
        .whereRef('w.instalment_id', '=', 'i.id')
        .where('w.state', '=', 'issued')
        .where(isLive('w.valid'))
        .select(sql<string>`upper(w.valid)`.as('until'))
        .as('cashUntil'),
    )
    .select((instalment) => {
      const applied = jsonArrayFrom(appliedTo(instalment));
      if (paymentsOf === 'all') return applied.as('payments');
      // Not a condition within: most instalments of a list are not partly paid, and then nothing is read at all.
      const isPartlyPaid = sql<boolean>`i.paid_centavos > 0 and i.paid_centavos < i.amount_centavos`;
      return sql<AppliedPayment[]>`case when ${isPartlyPaid} then ${applied} else '[]' end`.as('payments');
    });
  return jsonArrayFrom(owed);
}

/** The payments of an instalment: its allocations, without those that were reversed. */
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
      sql<string>`coalesce(t.paid_at, t.received_at)`.as('paidAt'),
      sql<string>`t.received_at`.as('bookedAt'),
      't.invoice_cut_off_days as cutOffDays',
      sql<string | null>`case when k.payer_name is null then k.card_last4 end`.as('last4'),
      sql<string | null>`coalesce(k.payer_name, ${payerAtStore('t')})`.as('payerName'),
      sql<boolean>`${serviceFeeIn('t')} > 0`.as('hasFee'),
    ]);
}
