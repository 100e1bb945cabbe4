import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import type { EmailTopic } from '../db/tables.ts';
import type { Attachment, Mailer } from './port.ts';
import { asHtml } from './as-html.ts';
import { asText } from './as-text.ts';
import { type InvoiceFacts, composeEmail, type EmailFacts, type Occasion } from './copy.ts';
import { oneLine } from './email-body.ts';
import { linksFrom } from './links.ts';
import { findFullReceipt, findInvoiceFiles, isConfirmed } from './store.ts';

export interface EmailDeps {
  readonly db: Db;
  readonly mailer: Mailer;
  readonly productName: string;
  readonly publicOrigin: string;
  /** Makes the link that changes the password of an email address's account; undefined when there is no account. */
  readonly resetLink: (email: string) => Promise<string | undefined>;
  /** Makes the link that confirms a buyer's email address; undefined when it is confirmed already. */
  readonly confirmationLink: (buyerId: number) => Promise<string | undefined>;
}

const MOST_TRIES = 12;

/**
 * Sends one email of the outbox, if it still waits. Throws when the provider did not take it, so that the queue tries again
 * with back-off; after the last try it stays as `failed` for the operator. A crash between sending and marking sends it twice,
 * with the same message id: an email too many is better than none.
 */
export async function deliverEmail(deps: EmailDeps, outboxId: number): Promise<void> {
  const queued = await deps.db
    .updateTable('outbox')
    .set({
      tries: sql<number>`tries + 1`,
      state: sql`case when tries + 1 >= ${MOST_TRIES} then 'failed' else 'waiting' end`,
    })
    .where('id', '=', outboxId)
    .where('state', '=', 'waiting')
    .returning(['id', 'topic', 'buyer_id', 'recipient', 'facts', 'tries'])
    .returning(sql<boolean>`created_at < app_now() - interval '30 minutes'`.as('is_late'))
    .executeTakeFirst();
  if (queued === undefined) return;
  const said = await occasionOf(deps, queued);
  if (said === undefined) {
    // The address may be anybody's: it is not kept.
    await deps.db
      .updateTable('outbox')
      .set({ state: 'dropped', recipient: '' })
      .where('id', '=', outboxId)
      .execute();
    return;
  }
  const { occasion, attachments = [] } = said;
  const body = composeEmail(occasion, { product: deps.productName, links: linksFrom(deps.publicOrigin) });
  const sender = { product: deps.productName, origin: deps.publicOrigin };
  await deps.mailer.send({
    to: queued.recipient,
    subject: oneLine(body.subject),
    text: asText(body, sender),
    html: asHtml(body, sender),
    attachments,
    id: messageId(queued),
  });
  await deps.db
    .updateTable('outbox')
    .set({ state: 'sent', sent_at: sql<Date>`app_now()` })
    .where('id', '=', outboxId)
    .execute();
}

interface Queued {
  readonly id: number;
  readonly topic: EmailTopic;
  readonly buyer_id: number | null;
  readonly recipient: string;
  readonly facts: unknown;
  readonly tries: number;
  readonly is_late: boolean;
}

interface Said {
  readonly occasion: Occasion;
  readonly attachments?: readonly Attachment[];
}

/** What is to be said; undefined when there is nobody to say it to, or nobody waits for it any more. */
async function occasionOf(deps: EmailDeps, queued: Queued): Promise<Said | undefined> {
  const { topic, facts, recipient } = queued;
  const buyerId = queued.buyer_id ?? 0; // nobody's
  switch (topic) {
    case 'password_reset': {
      const link = queued.is_late ? undefined : await deps.resetLink(recipient);
      return link === undefined ? undefined : { occasion: { topic, link } };
    }
    case 'password_changed':
      return { occasion: { topic } };
    case 'welcome':
      return { occasion: { topic, link: await deps.confirmationLink(buyerId) } };
    case 'confirm_email': {
      const link = await deps.confirmationLink(buyerId);
      return link === undefined ? undefined : { occasion: { topic, link } };
    }
    case 'layaway_paid':
    case 'instalment_paid': {
      const known = facts as EmailFacts;
      const isHis = await isConfirmed(deps.db, buyerId, recipient);
      const full = isHis ? await findFullReceipt(deps.db, buyerId, known.folio ?? '') : undefined;
      return { occasion: { topic, facts: known, full } };
    }
    case 'invoice_issued': {
      const known = facts as InvoiceFacts;
      const isHis = await isConfirmed(deps.db, buyerId, recipient);
      const attachments = isHis ? await invoiceAttachments(deps.db, buyerId, known.invoiceId) : [];
      return { occasion: { topic, facts: known, isAttached: attachments.length > 0 }, attachments };
    }
    case 'invoice_refused':
    case 'invoice_cancelled':
      return { occasion: { topic, facts: facts as InvoiceFacts } };
    default:
      return { occasion: { topic, facts: facts as EmailFacts } };
  }
}

/** More than this, and the email leads to the files instead. */
const MOST_ATTACHED_BYTES = 3 * 2 ** 20;

/** An invoice's PDF and XML, both or none. */
async function invoiceAttachments(db: Db, buyerId: number, invoiceId: number): Promise<Attachment[]> {
  const files = await findInvoiceFiles(db, buyerId, invoiceId);
  if (files === undefined || files.pdf === null) return [];
  if (files.pdf.length + files.xml.length > MOST_ATTACHED_BYTES) return [];
  const name = `factura-${files.folio.replace(/[^0-9A-Za-z-]/g, '') || invoiceId}`;
  return [
    { name: `${name}.pdf`, type: 'application/pdf', bytes: files.pdf },
    { name: `${name}.xml`, type: 'application/xml', bytes: files.xml },
  ];
}

const WITH_A_CODE: readonly EmailTopic[] = ['password_reset', 'welcome', 'confirm_email'];

/** Each try of an email with a code carries another one, so that none may hide the newest. */
function messageId({ topic, id, tries }: Queued): string {
  return WITH_A_CODE.includes(topic) ? `${topic}.${id}.${tries}` : `${topic}.${id}`;
}
