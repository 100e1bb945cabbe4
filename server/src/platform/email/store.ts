import type { Db } from '../db/db.ts';
import type { FullReceipt, PlanLine } from './copy.ts';
import { findReceipt } from '../../purchases/receipts/read-model.ts';

/** Whether the mailbox that an email goes to has been proven to be the buyer's. */
export async function isConfirmed(db: Db, buyerId: number, email: string): Promise<boolean> {
  const found = await db
    .selectFrom('buyers')
    .select('id')
    .where('id', '=', buyerId)
    .where('email', '=', email)
    .where('email_confirmed_at', 'is not', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** A receipt with its purchase's plan; undefined when the buyer has no such. */
export async function findFullReceipt(
  db: Db,
  buyerId: number,
  folio: string,
): Promise<FullReceipt | undefined> {
  const receipt = await findReceipt(db, buyerId, folio);
  if (receipt === undefined) return undefined;
  const rows = await db
    .selectFrom('instalments')
    .select(['number', 'due_on', 'amount_centavos', 'paid_centavos'])
    .where('purchase_id', '=', receipt.purchaseId)
    .orderBy('number')
    .execute();
  const plan = rows.map((row): PlanLine => ({
    number: row.number,
    dueOn: row.due_on,
    amountCentavos: row.amount_centavos,
    isPaid: row.paid_centavos >= row.amount_centavos,
  }));
  return { receipt, plan };
}

export interface InvoiceFiles {
  readonly folio: string;
  readonly xml: Buffer;
  readonly pdf: Buffer | null;
}

/** The files of an invoice that the buyer has; undefined when there is none. */
export async function findInvoiceFiles(
  db: Db,
  buyerId: number,
  invoiceId: number,
): Promise<InvoiceFiles | undefined> {
  const found = await db
    .selectFrom('invoices')
    .select(['folio', 'xml', 'pdf'])
    .where('id', '=', invoiceId)
    .where('buyer_id', '=', buyerId)
    .where('state', '=', 'issued')
    .executeTakeFirst();
  return found?.xml ? { folio: found.folio, xml: found.xml, pdf: found.pdf } : undefined;
}
