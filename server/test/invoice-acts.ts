import { randomUUID } from 'node:crypto';

import { centavos } from '@aparta/domain/money';

import type { Db } from '../src/platform/db/db.ts';
import type { InvoiceState } from '../src/platform/db/tables.ts';
import { createLog } from '../src/platform/logging.ts';
import type { Answer } from './app.ts';
import type { MadeBuyer } from './make.ts';
import type { Shop } from './shop.ts';
import { asOwner } from './store-acts.ts';

/** A fiscal form that SAT takes, as the screen sends it. */
export const FISCAL_FORM = {
  name: 'Cecilia Miranda Sánchez',
  rfc: 'MISC491214B86',
  alias: '',
  email: 'ceci@example.mx',
  phone: '5512345678',
  regime: '612',
  cfdiUse: 'G03',
  street: 'Av. Juárez 1204',
  suburb: 'Centro',
  zip: '72000',
};
export type FiscalForm = typeof FISCAL_FORM;

/** Registers a tax identity; in the sandbox its postal code decides what becomes of its invoices. */
export async function addFiscalClient(
  { ask }: Pick<Shop, 'ask'>,
  buyer: MadeBuyer,
  changes: Partial<FiscalForm> = {},
): Promise<number> {
  const { status, body } = await ask('POST /v1/ClientSat/InsertAsync', {
    token: buyer.token,
    body: { ...FISCAL_FORM, ...changes },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data.id;
}

/** Asks for the invoice of an instalment; `beside` is what the spec's client sends too. */
export async function emitInvoice(
  { ask }: Pick<Shop, 'ask'>,
  buyer: MadeBuyer,
  request: { cxcId: number; clientSatId: number },
  beside: object = {},
): Promise<Answer> {
  return ask('POST /v1/FacturaGreen/cfdiemmitAsync', {
    token: buyer.token,
    body: { ...beside, ...request },
  });
}

/** An invoice in a state, issued unless told otherwise, of which no provider knows. */
export async function makeInvoice(
  db: Db,
  given: {
    readonly instalmentId: number;
    readonly purchaseId: number;
    readonly buyerId: number;
    readonly merchantId: number;
    readonly fiscalClientId: number;
    readonly state?: InvoiceState;
    readonly amountCentavos?: number;
  },
): Promise<number> {
  const { state = 'issued', amountCentavos = 60_000 } = given;
  const isStamped = state === 'issued' || state === 'stamped';
  const { id } = await db
    .insertInto('invoices')
    .values({
      instalment_id: given.instalmentId,
      purchase_id: given.purchaseId,
      buyer_id: given.buyerId,
      merchant_id: given.merchantId,
      fiscal_client_id: given.fiscalClientId,
      state,
      payment_form: '01',
      amount_centavos: centavos(amountCentavos),
      iva_basis_points: 1_600,
      receiver: JSON.stringify({ rfc: FISCAL_FORM.rfc, name: FISCAL_FORM.name }),
      receiver_revision: 1,
      ...(isStamped && { provider_uuid: randomUUID(), fiscal_folio: randomUUID() }),
      ...(state === 'issued' && {
        xml: Buffer.from('<xml/>'),
        pdf: Buffer.from('%PDF-'),
        issued_at: new Date(),
      }),
      ...((state === 'refused' || state === 'cancelled') && { closed_at: new Date() }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The oracle: what the provider stamped for a purchase. */
export async function stampedFor(shop: Shop, purchaseId: number): Promise<any[]> {
  const { invoices } = await shop.control('GET /control/invoicing');
  return invoices.filter(({ description }: { description: string }) =>
    description.endsWith(`compra ${purchaseId}`),
  );
}

/** An instalment as its buyer's screen reads it. */
export async function readInstalment(shop: Shop, buyer: MadeBuyer, cxcId: number): Promise<any> {
  const { body } = await shop.ask(`GET /v1/Cxc/ByIdWithBalance/${cxcId}`, { token: buyer.token });
  return body.data;
}

/** Runs the job of an invoice, after moving it `agoMs` into the past. */
export async function workOn(shop: Shop, invoiceId: number, agoMs = 0): Promise<void> {
  if (agoMs > 0) {
    const moments = ['created_at', 'sent_at', 'busy_until', 'issued_at'];
    const moved = moments.map((moment) => `${moment} = ${moment} - interval '1 millisecond' * $2`);
    await asOwner(shop, `update invoices set ${moved.join(', ')} where id = $1`, [invoiceId, agoMs]);
  }
  await shop.job.issue_invoice({ invoiceId }, createLog('silent'));
}

/** The job that waits for an invoice: how many seconds its last step put it off, and since when there is one. */
export async function queuedFor(shop: Shop, invoiceId: number): Promise<{ seconds: number; first: Date }> {
  const [job] = await asOwner(
    shop,
    `select extract(epoch from run_at - updated_at)::float as seconds, created_at as first
      from graphile_worker.jobs where key = $1`,
    [`invoice:${invoiceId}`],
  );
  return job;
}

export function invoiceRow(shop: Shop, id: number) {
  return shop.db.selectFrom('invoices').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** The open alerts about an invoice. */
export async function alertsOf(shop: Shop, invoiceId: number): Promise<string[]> {
  const alerts = await shop.db
    .selectFrom('alerts')
    .select('kind')
    .where('subject', '=', String(invoiceId))
    .where('resolved_at', 'is', null)
    .orderBy('kind')
    .execute();
  return alerts.map(({ kind }) => kind);
}

/** Topics of a buyer's emails about invoices. */
export async function invoiceEmails(shop: Shop, buyer: MadeBuyer): Promise<string[]> {
  const emails = await shop.db
    .selectFrom('outbox')
    .select('topic')
    .where('buyer_id', '=', buyer.id)
    .where('topic', 'in', ['invoice_issued', 'invoice_refused', 'invoice_cancelled'])
    .orderBy('id')
    .execute();
  return emails.map(({ topic }) => topic);
}
