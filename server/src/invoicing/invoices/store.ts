import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import { defer } from '../../platform/db/transaction.ts';
import type { InvoiceState } from '../../platform/db/tables.ts';
import { deferMove, moveState } from '../../platform/lifecycle.ts';
import type { FiscalData, FiscalField } from '../fiscal-clients/fiscal-data.ts';
import type { FiscalClientRow } from '../fiscal-clients/store.ts';
import type { InvoiceableInstalment } from './instalment.read-model.ts';
import { INVOICE, type InvoiceEvent, isClosed } from './invoice.ts';

/** Requests an invoice, and returns its id. Throws on `invoices_one_per_instalment`. */
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

/** Begins a round, at most `roundMs` long. False while another round runs, or when nothing is left to do. */
export async function beginRound(tx: Tx, id: number, roundMs: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('invoices')
    .set({ busy_until: sql<Date>`app_now() + ${`${roundMs} milliseconds`}::interval` })
    .where('id', '=', id)
    .where(sql<boolean>`(busy_until is null or busy_until <= app_now())`)
    .where(sql<boolean>`(state in ('requested', 'sending', 'stamped') or (state = 'issued' and pdf is null))`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** For how many more milliseconds the round that runs now may take; 0 when none does. */
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

/** What changes with the state; what is left out stays as it is. */
export interface InvoiceChanges {
  readonly businessUuid?: string;
  readonly providerUuid?: string;
  readonly fiscalFolio?: string;
  readonly folio?: string;
  readonly xml?: Buffer;
  readonly pdf?: Buffer;
  /** Its folio, ids and files were another invoice's. */
  readonly isGivenBack?: boolean;
  readonly detail?: {
    readonly code: string;
    readonly field: FiscalField | undefined;
    readonly message: string;
  };
}

const DETAIL_CODE_MAX = 60;
const DETAIL_MESSAGE_MAX = 300;

/**
 * Moves an invoice, whose lock the caller holds, by an event to the state that follows it. `isFree` ends the round. Throws on
 * `invoices_folio_once`.
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
      ...(change.isGivenBack && { provider_uuid: null, fiscal_folio: null, folio: '', xml: null, pdf: null }),
      // An operator may have taken it for another before: the files of that one go.
      ...(event === 'stamped' && { xml: null, pdf: null }),
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

/** Notes that the merchant credited an issued invoice; a second time changes nothing. */
export async function markCredited(tx: Tx, id: number): Promise<void> {
  await defer(
    tx,
    tx
      .updateTable('invoices')
      .set({ credited_at: sql<Date>`app_now()` })
      .where('id', '=', id)
      .where('credited_at', 'is', null),
  );
}

/** Ends a round without a move, and adds the PDF where that came late. */
export async function endRound(tx: Tx, id: number, pdf?: Buffer): Promise<void> {
  await defer(
    tx,
    tx
      .updateTable('invoices')
      .set({ busy_until: null, ...(pdf !== undefined && { pdf }) })
      .where('id', '=', id),
  );
}

/** Gives the invoices that still wait to be sent the corrected data of their receiver. */
export async function updateReceivers(
  tx: Tx,
  fiscalClientId: number,
  { data, revision }: { readonly data: FiscalData; readonly revision: number },
): Promise<void> {
  await defer(
    tx,
    tx
      .updateTable('invoices')
      .set({ receiver: JSON.stringify(data), receiver_revision: revision })
      .where('fiscal_client_id', '=', fiscalClientId)
      .where('state', '=', 'requested'),
  );
}

/** Whether an invoice of a tax identity was asked for and is neither issued nor closed yet. */
export async function isInvoiceOpenOf(tx: Tx, fiscalClientId: number): Promise<boolean> {
  const found = await tx
    .selectFrom('invoices')
    .where('fiscal_client_id', '=', fiscalClientId)
    .where('state', 'in', ['requested', 'sending', 'stamped', 'review'])
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Invoices of a purchase that are stamped, or may be. */
export async function listStandingInvoices(db: Db | Tx, purchaseId: number): Promise<{ id: number }[]> {
  return db
    .selectFrom('invoices')
    .where('purchase_id', '=', purchaseId)
    .where('state', 'in', ['sending', 'stamped', 'issued', 'review'])
    .select('id')
    .orderBy('id')
    .execute();
}

/** Cancels the invoices of a purchase that were requested and not sent. */
export async function withdrawRequests(tx: Tx, purchaseId: number): Promise<void> {
  await deferMove(tx, INVOICE, {
    event: 'withdrawn',
    where: sql`purchase_id = ${purchaseId}`,
    set: { closed_at: sql`app_now()` },
  });
}
