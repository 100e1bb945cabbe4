import { sql } from 'kysely';
import type { Centavos } from '@aparta/domain/money';

import type { Db, Tx } from '../../platform/db/db.ts';
import type { InvoiceState, PurchaseState, ReceiptChannel } from '../../platform/db/tables.ts';
import type { FiscalData } from '../fiscal-clients/fiscal-data.ts';

/** An instalment with all that decides whether it can be invoiced. */
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
  /** The merchant's cut-off (rules/invoicing#cut-off), and whom a buyer asks after it. */
  readonly cutOffDays: number | null;
  readonly tradeName: string;
  readonly phone: string;
  /** The database's time when it was read. */
  readonly now: Date;
  /** Invoices of it that were refused within the last hour. */
  readonly refusedLately: number;
}

/**
 * Locks the purchase of a buyer's own instalment (rules/ledger#lock-order, level 1) and reads the instalment under the lock, so
 * that neither a cancel nor a reversal comes between. Undefined when it does not exist or is another buyer's.
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
      'm.invoice_cut_off_days as cutOffDays',
      'm.trade_name as tradeName',
      'm.phone',
      sql<Date>`app_now()`.as('now'),
      sql<number>`(select count(*) from invoices v where v.purchase_id = p.id and v.instalment_id = i.id
        and v.state = 'refused' and v.closed_at > app_now() - interval '1 hour')`.as('refusedLately'),
    ])
    .executeTakeFirst();
}

/** Money of one receipt that was applied to an instalment. */
export interface PaidPart {
  readonly channel: ReceiptChannel;
  /** The card provider's word for it; null where it gave none, or where no card was used. */
  readonly cardType: string | null;
  /** A card on a counter's own terminal, which does not say what kind of card it was. */
  readonly isTerminal: boolean;
  readonly amountCentavos: Centavos;
  readonly folio: string;
  readonly paidAt: Date;
  readonly bookedAt: Date;
  /** The merchant's cut-off when it was booked. */
  readonly cutOffDays: number | null;
}

/** What an instalment was paid with, oldest first, without what was reversed. */
export async function listPaidParts(tx: Tx | Db, instalmentId: number): Promise<PaidPart[]> {
  return tx
    .selectFrom('allocations as a')
    .innerJoin('receipts as r', 'r.id', 'a.receipt_id')
    .leftJoin('card_attempts as t', (join) =>
      join.on('t.id', '=', sql<string>`case when r.channel = 'card' then r.source_id::uuid end`),
    )
    .leftJoin('counter_operations as c', (join) =>
      join.on(
        'c.till_operation_id',
        '=',
        sql<string>`case when r.channel = 'till' then r.source_id::uuid end`,
      ),
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
      sql<boolean>`coalesce(c.method = 'terminal', false)`.as('isTerminal'),
      sql<Centavos>`a.amount_centavos`.as('amountCentavos'),
      'r.folio',
      sql<Date>`coalesce(r.paid_at, r.received_at)`.as('paidAt'),
      'r.received_at as bookedAt',
      'r.invoice_cut_off_days as cutOffDays',
    ])
    .execute();
}

/** Whether any money of a receipt is invoiced, or is about to be: then it cannot be taken back (rules/invoicing#holding-money). */
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

/** An invoice with everything that the provider is told, read anew for each round. */
export interface InvoiceRound {
  readonly id: number;
  readonly state: InvoiceState;
  /** How often it was claimed. An answer to an older claim does not count for the newest one. */
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
  readonly productName: string;
  readonly number: number;
  readonly of: number;
  /** The merchant's id at the provider: today's until it is sent, then the one that it was sent with. */
  readonly businessUuid: string;
  readonly productUuid: string;
  /** The product's rate of IVA as it is now: the provider adds that one. */
  readonly productIvaBasisPoints: number;
  /** The merchant's RFC, '' while it is unknown. */
  readonly issuerRfc: string;
  readonly providerUuid: string | null;
  readonly fiscalFolio: string | null;
  readonly folio: string;
  readonly hasXml: boolean;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly issuedAt: Date | null;
  /** The database's time of this reading. */
  readonly now: Date;
}

/** Locks an invoice and reads it under the lock. Whoever locks its purchase too locks that first (rules/ledger#lock-order). */
export async function lockInvoice(tx: Tx, id: number): Promise<InvoiceRound | undefined> {
  await tx.selectFrom('invoices').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  return tx
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
      'p.product_name as productName',
      'i.number',
      sql<number>`(select count(*) from instalments n where n.purchase_id = p.id)`.as('of'),
      sql<string>`coalesce(case when v.state <> 'requested' then v.business_uuid end, m.invoicing_business_uuid)`.as(
        'businessUuid',
      ),
      'd.invoicing_product_uuid as productUuid',
      'd.iva_basis_points as productIvaBasisPoints',
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

/** When an invoice in review was found stamped; undefined for one whose answer came at once. Its files are fetched from then on. */
export async function foundStampedAt(tx: Tx, id: number): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`select moved_at as at from state_history
    where subject_kind = 'invoice' and subject_id = ${String(id)} and from_state = 'review' and to_state = 'stamped'
    order by id desc limit 1`.execute(tx);
  return rows[0]?.at;
}

/** Whether no answer of the provider ever gave an invoice its folio: an operator found it in the panel. */
export async function isFolioByOperator(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql<{
    is: boolean | null;
  }>`select bool_and(from_state = 'review') as is from state_history
    where subject_kind = 'invoice' and subject_id = ${String(id)} and to_state = 'stamped'`.execute(tx);
  return rows[0]?.is ?? false;
}
