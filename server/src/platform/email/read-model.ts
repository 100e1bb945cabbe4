import { sql } from 'kysely';

import type { Db } from '../db/db.ts';

/** Whether the buyer of an email of the outbox was erased, and with them what it said. */
export const IS_OF_ERASED = sql<boolean>`exists (select from buyers b where b.id = outbox.buyer_id and b.erased_at is not null)`;

/** Whether the buyer has confirmed this address as theirs. */
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

/** A shop, and where to ask for what it owes; empty where it does not say. */
export interface ShopAddress {
  readonly tradeName: string;
  readonly address: string;
  readonly hours: string;
  readonly phone: string;
}

export async function findShopAddress(db: Db, merchantId: number): Promise<ShopAddress | undefined> {
  return db
    .selectFrom('merchants')
    .select(['trade_name as tradeName', 'address', 'hours', 'phone'])
    .where('id', '=', merchantId)
    .executeTakeFirst();
}

export interface InvoiceFiles {
  readonly folio: string;
  readonly xml: Buffer;
  readonly pdf: Buffer | null;
}

/** The files of a buyer's issued invoice; undefined when they have no such invoice. */
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
