import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Centavos } from '@aparta/domain/money';

import type { Db, Tx } from '../../platform/db/db.ts';
import type { Database, InvoicesTable, InvoiceState } from '../../platform/db/tables.ts';
import type { FiscalField } from '../fiscal-clients/fiscal-data.ts';

/** An invoice as its buyer may see it, without its files. Inside JSON, times are text as the database writes them. */
export interface InvoiceView {
  readonly id: number;
  readonly instalmentId: number;
  readonly state: InvoiceState;
  readonly amountCentavos: Centavos;
  readonly createdAt: Date | string;
  readonly issuedAt: Date | string | null;
  /** When it was refused or cancelled. */
  readonly closedAt: Date | string | null;
  /** An issued one that stands beside its merchant's credit note. */
  readonly isCredited: boolean;
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
  /** Whether a round of it is running now. */
  readonly isBusy: boolean;
}

/** When an instalment's newest invoice was refused or cancelled; null while none was. */
export function closingOf(newest: InvoiceView | undefined): Date | null {
  const at = newest?.closedAt ?? null;
  return at === null ? null : new Date(at);
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
    'v.closed_at as closedAt',
    sql<boolean>`v.credited_at is not null`.as('isCredited'),
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

/** The newest invoice of each instalment of a purchase, for a query that reads that purchase as `p`. */
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

/** A buyer's own invoice; undefined for another buyer's. */
export async function findInvoice(
  db: Db | Tx,
  buyerId: number,
  id: number,
): Promise<InvoiceView | undefined> {
  return invoicesOf(db, buyerId).where('v.id', '=', id).executeTakeFirst();
}

/** The newest invoice of a buyer's own instalment, in whatever state. */
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

/** A file of an issued invoice of a buyer's own, or of one of a merchant's that was issued, with its fiscal folio; undefined while there is none. */
export async function findInvoiceFile(
  db: Db,
  whose: { readonly buyerId: number } | { readonly merchantId: number },
  id: number,
  file: 'pdf' | 'xml',
): Promise<{ fiscalFolio: string; bytes: Buffer } | undefined> {
  const found = await db
    .selectFrom('invoices')
    .where('id', '=', id)
    // One in review may have to be cancelled at SAT, so it is not handed out. Books keep also what was cancelled.
    .where((eb) =>
      'buyerId' in whose
        ? eb.and({ buyer_id: whose.buyerId, state: 'issued' })
        : eb.and([
            eb('merchant_id', '=', whose.merchantId),
            eb('state', 'in', ['issued', 'cancelled']),
            eb('issued_at', 'is not', null),
          ]),
    )
    .select(['fiscal_folio as fiscalFolio', `${file} as bytes`])
    .executeTakeFirst();
  if (found === undefined || found.fiscalFolio === null || found.bytes === null) return undefined;
  return { fiscalFolio: found.fiscalFolio, bytes: found.bytes };
}
