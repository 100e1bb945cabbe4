import { moveState } from '../platform/lifecycle.ts';
import { INVOICE, type InvoiceEvent, isClosed } from './invoices/invoice.ts';
import type { Centavos } from '@aparta/domain/money';
import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';

import type { Db, Tx } from '../platform/db/db.ts';
import type {
  Database,
  InvoicesTable,
  InvoiceState,
  PurchaseState,
  ReceiptChannel,
} from '../platform/db/tables.ts';
import type { FiscalData, FiscalField } from './fiscal-clients/fiscal-data.ts';

// --- Fiscal clients -----------------------------------------------------------------------------------------

export interface FiscalClientRow extends FiscalData {
  readonly id: number;
  readonly revision: number;
  readonly isDeleted: boolean;
  /** The newest of its ids at the provider, '' before its first invoice. */
  readonly customerUuid: string;
}

function fiscalClientsOf(db: Db | Tx, buyerId: number) {
  return db
    .selectFrom('fiscal_clients as f')
    .where('f.buyer_id', '=', buyerId)
    .select([
      'f.id',
      'f.rfc',
      'f.name',
      'f.alias',
      'f.email',
      'f.phone',
      'f.tax_regime as taxRegime',
      'f.cfdi_use as cfdiUse',
      'f.street',
      'f.suburb',
      'f.postal_code as postalCode',
      'f.revision',
      sql<boolean>`f.deleted_at is not null`.as('isDeleted'),
      sql<string>`coalesce((select provider_uuid from invoicing_customers c where c.fiscal_client_id = f.id
        order by registered_at desc, merchant_id desc limit 1), '')`.as('customerUuid'),
    ]);
}

/** A buyer's tax identities, newest first. */
export async function listFiscalClients(db: Db, buyerId: number): Promise<FiscalClientRow[]> {
  return fiscalClientsOf(db, buyerId).where('f.deleted_at', 'is', null).orderBy('f.id', 'desc').execute();
}

/** A buyer's own tax identity, deleted ones too; somebody else's is undefined like one that does not exist. */
export async function findFiscalClient(
  db: Db | Tx,
  buyerId: number,
  id: number,
): Promise<FiscalClientRow | undefined> {
  return fiscalClientsOf(db, buyerId).where('f.id', '=', id).executeTakeFirst();
}

export async function findFiscalClientByRfc(
  db: Db | Tx,
  buyerId: number,
  rfc: string,
): Promise<FiscalClientRow | undefined> {
  return fiscalClientsOf(db, buyerId)
    .where('f.rfc', '=', rfc)
    .where('f.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Keeps a tax identity as it is to the end of the transaction. */
export async function lockFiscalClient(
  tx: Tx,
  buyerId: number,
  id: number,
): Promise<FiscalClientRow | undefined> {
  await sql`select id from fiscal_clients where id = ${id} and buyer_id = ${buyerId} for no key update`.execute(
    tx,
  );
  return findFiscalClient(tx, buyerId, id);
}

function columnsOf(data: FiscalData) {
  const { taxRegime, cfdiUse, postalCode, ...same } = data;
  return { ...same, tax_regime: taxRegime, cfdi_use: cfdiUse, postal_code: postalCode };
}

/** Undefined when the buyer has one with this RFC already. */
export async function insertFiscalClient(
  tx: Tx,
  buyerId: number,
  data: FiscalData,
): Promise<number | undefined> {
  const made = await tx
    .insertInto('fiscal_clients')
    .values({ buyer_id: buyerId, ...columnsOf(data), deleted_at: null })
    .onConflict((conflict) =>
      conflict.columns(['buyer_id', 'rfc']).where('deleted_at', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return made?.id;
}

/** How many a buyer has on his list, and how many he registered within a day, deleted ones too. */
export async function countFiscalClients(tx: Tx, buyerId: number): Promise<{ live: number; today: number }> {
  return tx
    .selectFrom('fiscal_clients')
    .where('buyer_id', '=', buyerId)
    .select([
      sql<number>`count(*) filter (where deleted_at is null)`.as('live'),
      sql<number>`count(*) filter (where created_at > app_now() - interval '1 day')`.as('today'),
    ])
    .executeTakeFirstOrThrow();
}

/** Corrects an identity, and what was asked for with it and not sent yet. Throws on `fiscal_clients_one_per_rfc`. */
export async function changeFiscalClient(tx: Tx, id: number, data: FiscalData): Promise<void> {
  const { revision } = await tx
    .updateTable('fiscal_clients')
    .set({ ...columnsOf(data), revision: sql`revision + 1`, updated_at: sql<Date>`app_now()` })
    .where('id', '=', id)
    .returning('revision')
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('invoices')
    .set({ receiver: JSON.stringify(data), receiver_revision: revision })
    .where('fiscal_client_id', '=', id)
    .where('state', '=', 'requested')
    .execute();
}

/** False when there is none of the buyer's to delete. */
export async function deleteFiscalClient(tx: Tx, buyerId: number, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('fiscal_clients')
    .set({ deleted_at: sql<Date>`app_now()` })
    .where('id', '=', id)
    .where('buyer_id', '=', buyerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

// --- The provider's customers -------------------------------------------------------------------------------

/** What a tax identity is called at the provider under one merchant, and how new that is. */
export interface Customer {
  readonly uuid: string;
  readonly revision: number;
}

export async function findCustomer(
  db: Db | Tx,
  fiscalClientId: number,
  merchantId: number,
): Promise<Customer | undefined> {
  return db
    .selectFrom('invoicing_customers')
    .where('fiscal_client_id', '=', fiscalClientId)
    .where('merchant_id', '=', merchantId)
    .select(['provider_uuid as uuid', 'revision'])
    .executeTakeFirst();
}

/** Keeps what the provider knows of an identity; an older revision does not replace a newer one. */
export async function saveCustomer(
  tx: Tx,
  where: { fiscalClientId: number; merchantId: number },
  customer: Customer,
): Promise<void> {
  await tx
    .insertInto('invoicing_customers')
    .values({
      fiscal_client_id: where.fiscalClientId,
      merchant_id: where.merchantId,
      provider_uuid: customer.uuid,
      revision: customer.revision,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['fiscal_client_id', 'merchant_id'])
        .doUpdateSet({
          provider_uuid: customer.uuid,
          revision: customer.revision,
          registered_at: sql<Date>`app_now()`,
        })
        .where('invoicing_customers.revision', '<=', customer.revision),
    )
    .execute();
}

/** How a merchant is called at the provider, '' where it does not invoice; undefined where the buyer bought nothing. */
export async function findBusinessUuid(
  db: Db,
  merchantId: number,
  buyerId: number,
): Promise<string | undefined> {
  const merchant = await db
    .selectFrom('merchants as m')
    .where('m.id', '=', merchantId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('purchases as p')
          .select('p.id')
          .whereRef('p.merchant_id', '=', 'm.id')
          .where('p.buyer_id', '=', buyerId),
      ),
    )
    .select('m.invoicing_business_uuid as uuid')
    .executeTakeFirst();
  return merchant?.uuid;
}

// --- Asking for an invoice ----------------------------------------------------------------------------------

/** An instalment as its invoice needs it. */
export interface InvoiceableInstalment {
  readonly id: number;
  readonly purchaseId: number;
  readonly purchaseState: PurchaseState;
  readonly merchantId: number;
  readonly amountCentavos: Centavos;
  readonly balanceCentavos: Centavos;
  readonly ivaBasisPoints: number;
  readonly businessUuid: string;
  readonly productUuid: string;
  /** Refused in the last hour. */
  readonly refusedLately: number;
}

/**
 * Locks the purchase that a buyer's own instalment is of (rules/ledger#lock-order, level 1) and reads it afterwards, so that
 * neither a cancel nor a reversal comes between. Undefined for somebody else's like for one that does not exist.
 */
export async function lockInvoiceable(
  tx: Tx,
  buyerId: number,
  instalmentId: number,
): Promise<InvoiceableInstalment | undefined> {
  await sql`select p.id from purchases p join instalments i on i.purchase_id = p.id
    where i.id = ${instalmentId} and p.buyer_id = ${buyerId} for no key update of p`.execute(tx);
  return tx
    .selectFrom('instalments as i')
    .innerJoin('purchases as p', 'p.id', 'i.purchase_id')
    .innerJoin('merchants as m', 'm.id', 'p.merchant_id')
    .innerJoin('products as d', 'd.id', 'p.product_id')
    .where('i.id', '=', instalmentId)
    .where('p.buyer_id', '=', buyerId)
    .select([
      'i.id',
      'p.id as purchaseId',
      'p.state as purchaseState',
      'p.merchant_id as merchantId',
      'i.amount_centavos as amountCentavos',
      sql<Centavos>`i.amount_centavos - i.paid_centavos`.as('balanceCentavos'),
      'd.iva_basis_points as ivaBasisPoints',
      'm.invoicing_business_uuid as businessUuid',
      'd.invoicing_product_uuid as productUuid',
      sql<number>`(select count(*) from invoices v where v.purchase_id = p.id and v.instalment_id = i.id
        and v.state = 'refused' and v.closed_at > app_now() - interval '1 hour')`.as('refusedLately'),
    ])
    .executeTakeFirst();
}

/** A part of a receipt that stands on an instalment, and what it was paid with. */
export interface PaidPart {
  readonly channel: ReceiptChannel;
  /** As the card provider names it; null where it did not say, or where it was no card. */
  readonly cardType: string | null;
  readonly amountCentavos: Centavos;
  readonly folio: string;
}

/** Oldest first; what was taken back is not among it. */
export async function listPaidParts(tx: Tx | Db, instalmentId: number): Promise<PaidPart[]> {
  return tx
    .selectFrom('allocations as a')
    .innerJoin('receipts as r', 'r.id', 'a.receipt_id')
    .leftJoin('card_attempts as t', (join) =>
      join.on('t.id', '=', sql<string>`case when r.channel = 'card' then r.source_id::uuid end`),
    )
    .where('a.instalment_id', '=', instalmentId)
    .where('a.reverses_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('allocations as u').select('u.id').whereRef('u.reverses_id', '=', 'a.id'))),
    )
    .orderBy('a.id')
    .select([
      'r.channel',
      't.card_type as cardType',
      sql<Centavos>`a.amount_centavos`.as('amountCentavos'),
      'r.folio',
    ])
    .execute();
}

/** Throws on `invoices_one_per_instalment`. */
export async function insertInvoice(
  tx: Tx,
  invoice: {
    buyerId: number;
    instalment: InvoiceableInstalment;
    fiscalClient: FiscalClientRow;
    receiver: FiscalData;
    paymentForm: string;
  },
): Promise<number> {
  const { instalment, fiscalClient } = invoice;
  const { id } = await tx
    .insertInto('invoices')
    .values({
      instalment_id: instalment.id,
      purchase_id: instalment.purchaseId,
      buyer_id: invoice.buyerId,
      merchant_id: instalment.merchantId,
      fiscal_client_id: fiscalClient.id,
      state: 'requested',
      payment_form: invoice.paymentForm,
      amount_centavos: instalment.amountCentavos,
      iva_basis_points: instalment.ivaBasisPoints,
      receiver: JSON.stringify(invoice.receiver),
      receiver_revision: fiscalClient.revision,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

// --- What is shown of invoices ------------------------------------------------------------------------------

/** An invoice without its files. Moments inside JSON come as the database writes them. */
export interface InvoiceView {
  readonly id: number;
  readonly instalmentId: number;
  readonly state: InvoiceState;
  readonly amountCentavos: Centavos;
  readonly createdAt: Date | string;
  readonly issuedAt: Date | string | null;
  readonly fiscalClientId: number;
  readonly rfc: string;
  readonly name: string;
  readonly providerUuid: string | null;
  readonly fiscalFolio: string | null;
  readonly folio: string;
  readonly hasPdf: boolean;
  readonly hasXml: boolean;
  readonly detailField: FiscalField | null;
  readonly detailCode: string;
  readonly detailMessage: string;
  /** Whether somebody is at it now. */
  readonly isBusy: boolean;
}

type Invoices = Database & { v: InvoicesTable };

const shown = <O>(invoices: SelectQueryBuilder<Invoices, 'v', O>) =>
  invoices.select([
    'v.id',
    'v.instalment_id as instalmentId',
    'v.state',
    'v.amount_centavos as amountCentavos',
    'v.created_at as createdAt',
    'v.issued_at as issuedAt',
    'v.fiscal_client_id as fiscalClientId',
    sql<string>`v.receiver ->> 'rfc'`.as('rfc'),
    sql<string>`v.receiver ->> 'name'`.as('name'),
    'v.provider_uuid as providerUuid',
    'v.fiscal_folio as fiscalFolio',
    'v.folio',
    sql<boolean>`v.pdf is not null`.as('hasPdf'),
    sql<boolean>`v.xml is not null`.as('hasXml'),
    'v.detail_field as detailField',
    'v.detail_code as detailCode',
    'v.detail_message as detailMessage',
    sql<boolean>`coalesce(v.busy_until > app_now(), false)`.as('isBusy'),
  ]);

/** A purchase's invoices, the newest of each instalment: for the query that reads the purchase as `p`. */
export function newestInvoices<T extends { p: { id: number } }>(purchase: ExpressionBuilder<T, 'p'>) {
  const invoices = (purchase as unknown as ExpressionBuilder<Database, never>).selectFrom('invoices as v');
  return jsonArrayFrom(
    shown(invoices as unknown as SelectQueryBuilder<Invoices, 'v', {}>)
      .distinctOn('v.instalment_id')
      .where('v.purchase_id', '=', sql.ref<number>('p.id'))
      .orderBy('v.instalment_id')
      .orderBy('v.id', 'desc'),
  );
}

function invoicesOf(db: Db | Tx, buyerId: number) {
  return shown(db.selectFrom('invoices as v').where('v.buyer_id', '=', buyerId));
}

/** A buyer's own invoice. */
export async function findInvoice(
  db: Db | Tx,
  buyerId: number,
  id: number,
): Promise<InvoiceView | undefined> {
  return invoicesOf(db, buyerId).where('v.id', '=', id).executeTakeFirst();
}

/** The newest invoice of a buyer's own instalment, whatever became of it. */
export async function findNewestInvoice(
  db: Db | Tx,
  buyerId: number,
  instalmentId: number,
): Promise<InvoiceView | undefined> {
  return invoicesOf(db, buyerId)
    .where('v.purchase_id', '=', ({ selectFrom }) =>
      selectFrom('instalments as i').select('i.purchase_id').where('i.id', '=', instalmentId),
    )
    .where('v.instalment_id', '=', instalmentId)
    .orderBy('v.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** What SAT stamped of a buyer's own invoice, and how it is called. */
export async function findInvoiceFile(
  db: Db,
  buyerId: number,
  id: number,
  file: 'pdf' | 'xml',
): Promise<{ fiscalFolio: string; bytes: Buffer } | undefined> {
  const found = await db
    .selectFrom('invoices')
    .where('id', '=', id)
    .where('buyer_id', '=', buyerId)
    // One that a person checks is not handed out: it may be the one that has to be cancelled.
    .where('state', '=', 'issued')
    .select(['fiscal_folio as fiscalFolio', `${file} as bytes`])
    .executeTakeFirst();
  if (found === undefined || found.fiscalFolio === null || found.bytes === null) return undefined;
  return { fiscalFolio: found.fiscalFolio, bytes: found.bytes };
}

// --- Bringing it about --------------------------------------------------------------------------------------

/** An invoice with everything that its provider is told. */
export interface InvoiceRound {
  readonly id: number;
  readonly state: InvoiceState;
  /** How often it was claimed: an answer to an older claim is not taken for the newest one's. */
  readonly tries: number;
  readonly instalmentId: number;
  readonly purchaseId: number;
  readonly purchaseState: PurchaseState;
  readonly buyerId: number;
  readonly merchantId: number;
  readonly fiscalClientId: number;
  readonly receiver: FiscalData;
  readonly receiverRevision: number;
  readonly paymentForm: string;
  readonly amountCentavos: Centavos;
  readonly ivaBasisPoints: number;
  readonly number: number;
  readonly of: number;
  /** Before it is sent the merchant's id at the provider today, afterwards the one that it was sent with. */
  readonly businessUuid: string;
  readonly productUuid: string;
  /** The merchant's RFC, '' where it is not known. */
  readonly issuerRfc: string;
  readonly providerUuid: string | null;
  readonly fiscalFolio: string | null;
  readonly folio: string;
  readonly hasXml: boolean;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly issuedAt: Date | null;
  /** The database's time when it was read. */
  readonly now: Date;
}

/** Takes an invoice up for so long; false while somebody else is at it, or when nothing is left to do of it. */
export async function takeUpInvoice(tx: Tx, id: number, roundMs: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('invoices')
    .set({ busy_until: sql<Date>`app_now() + ${`${roundMs} milliseconds`}::interval` })
    .where('id', '=', id)
    .where(sql<boolean>`(busy_until is null or busy_until <= app_now())`)
    .where(sql<boolean>`(state in ('requested', 'sending', 'stamped') or (state = 'issued' and pdf is null))`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** For how many milliseconds somebody may still be at an invoice; 0 when nobody is. */
export async function busyFor(tx: Tx, id: number): Promise<number> {
  const found = await tx
    .selectFrom('invoices')
    .where('id', '=', id)
    .select(
      sql<number>`coalesce(greatest(ceil(extract(epoch from busy_until - app_now()) * 1000), 0), 0)::int`.as(
        'ms',
      ),
    )
    .executeTakeFirst();
  return found?.ms ?? 0;
}

/** Locks an invoice (after its purchase, where that is locked too) and reads it afterwards. */
export async function lockInvoice(tx: Tx, id: number): Promise<InvoiceRound | undefined> {
  await tx.selectFrom('invoices').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  return readRound(tx, id);
}

async function readRound(db: Tx, id: number): Promise<InvoiceRound | undefined> {
  return db
    .selectFrom('invoices as v')
    .innerJoin('purchases as p', 'p.id', 'v.purchase_id')
    .innerJoin('instalments as i', 'i.id', 'v.instalment_id')
    .innerJoin('merchants as m', 'm.id', 'v.merchant_id')
    .innerJoin('products as d', 'd.id', 'p.product_id')
    .where('v.id', '=', id)
    .select([
      'v.id',
      'v.state',
      'v.tries',
      'v.instalment_id as instalmentId',
      'v.purchase_id as purchaseId',
      'p.state as purchaseState',
      'v.buyer_id as buyerId',
      'v.merchant_id as merchantId',
      'v.fiscal_client_id as fiscalClientId',
      sql<FiscalData>`v.receiver`.as('receiver'),
      'v.receiver_revision as receiverRevision',
      'v.payment_form as paymentForm',
      'v.amount_centavos as amountCentavos',
      'v.iva_basis_points as ivaBasisPoints',
      'i.number',
      sql<number>`(select count(*) from instalments n where n.purchase_id = p.id)`.as('of'),
      sql<string>`coalesce(case when v.state <> 'requested' then v.business_uuid end, m.invoicing_business_uuid)`.as(
        'businessUuid',
      ),
      'd.invoicing_product_uuid as productUuid',
      'm.rfc as issuerRfc',
      'v.provider_uuid as providerUuid',
      'v.fiscal_folio as fiscalFolio',
      'v.folio',
      sql<boolean>`v.xml is not null`.as('hasXml'),
      'v.created_at as createdAt',
      'v.sent_at as sentAt',
      'v.issued_at as issuedAt',
      sql<Date>`app_now()`.as('now'),
    ])
    .executeTakeFirst();
}

/** What changes of an invoice beside its state; what is left out stays. */
export interface InvoiceChanges {
  readonly businessUuid?: string;
  readonly providerUuid?: string;
  readonly fiscalFolio?: string;
  readonly folio?: string;
  readonly xml?: Buffer;
  readonly pdf?: Buffer;
  readonly detail?: {
    readonly code: string;
    readonly field: FiscalField | undefined;
    readonly message: string;
  };
}

const DETAIL_CODE_MAX = 60;
const DETAIL_MESSAGE_MAX = 300;

/**
 * Moves an invoice, whose lock the caller holds, by an event that leads to `state`. `isFree`: nobody is at it any more. Throws
 * on `invoices_folio_once`.
 */
export async function moveInvoice(
  tx: Tx,
  id: number,
  { event, to: state }: { readonly event: InvoiceEvent; readonly to: InvoiceState },
  { isFree, ...change }: InvoiceChanges & { isFree: boolean },
): Promise<void> {
  const moved = await moveState(tx, INVOICE, {
    event,
    to: state,
    where: sql`id = ${id}`,
    set: {
      closed_at: isClosed(state) ? sql`app_now()` : null,
      ...(isFree && { busy_until: null }),
      ...(state === 'sending' && { tries: sql`tries + 1`, sent_at: sql`app_now()` }),
      ...(state === 'issued' && { issued_at: sql`coalesce(issued_at, app_now())` }),
      ...(change.businessUuid !== undefined && { business_uuid: change.businessUuid }),
      ...(change.providerUuid !== undefined && { provider_uuid: change.providerUuid }),
      ...(change.fiscalFolio !== undefined && { fiscal_folio: change.fiscalFolio }),
      ...(change.folio !== undefined && { folio: change.folio }),
      ...(change.xml !== undefined && { xml: change.xml }),
      ...(change.pdf !== undefined && { pdf: change.pdf }),
      ...(change.detail !== undefined && {
        detail_code: change.detail.code.toWellFormed().slice(0, DETAIL_CODE_MAX),
        detail_field: change.detail.field ?? null,
        detail_message: change.detail.message.toWellFormed().slice(0, DETAIL_MESSAGE_MAX),
      }),
    },
  });
  if (moved.length === 0) throw new Error(`invoice ${id} knows no '${event}' in its state`);
}

/** Nobody is at an invoice any more; its state stays. Keeps its PDF, where that was fetched late. */
export async function releaseInvoice(tx: Tx, id: number, pdf?: Buffer): Promise<void> {
  await tx
    .updateTable('invoices')
    .set({ busy_until: null, ...(pdf !== undefined && { pdf }) })
    .where('id', '=', id)
    .execute();
}

// --- What hangs on a purchase -------------------------------------------------------------------------------

/** Invoices of a purchase that stand at SAT, or may. */
export async function listStandingInvoices(db: Db | Tx, purchaseId: number): Promise<{ id: number }[]> {
  return db
    .selectFrom('invoices')
    .where('purchase_id', '=', purchaseId)
    .where('state', 'in', ['sending', 'stamped', 'issued', 'review'])
    .select('id')
    .orderBy('id')
    .execute();
}

/** Ends what was asked for a purchase and not sent. */
export async function withdrawRequests(tx: Tx, purchaseId: number): Promise<void> {
  await moveState(tx, INVOICE, {
    event: 'withdrawn',
    where: sql`purchase_id = ${purchaseId}`,
    set: { closed_at: sql`app_now()` },
  });
}

/**
 * Whether money of a receipt is invoiced, or asked to be: then it can no longer be taken back (rules/invoicing#holding-money).
 */
export async function isReceiptInvoiced(tx: Tx, channel: ReceiptChannel, sourceId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('receipts as r')
    .innerJoin('allocations as a', 'a.receipt_id', 'r.id')
    .innerJoin('invoices as v', 'v.instalment_id', 'a.instalment_id')
    .where('r.channel', '=', channel)
    .where('r.source_id', '=', sourceId)
    .where('v.state', 'not in', ['refused', 'cancelled'])
    .select('v.id')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
