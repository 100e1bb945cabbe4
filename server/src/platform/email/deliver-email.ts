import type { ShopMail } from '@aparta/domain/shop-mails';

import type { Db } from '../db/db.ts';
import type { EmailTopic } from '../db/tables.ts';
import { transaction } from '../db/transaction.ts';
import type { Attachment, Mailer } from './port.ts';
import { asHtml } from './as-html.ts';
import { asText } from './as-text.ts';
import { composeEmail, type EmailFacts, type Occasion, type WarningFacts } from './copy.ts';
import { barCodeId, oneLine, type ReceiptBlocks } from './email-body.ts';
import type { InvoiceFacts } from './invoice-copy.ts';
import { barCodePicture } from './bar-code-picture.ts';
import { linksFrom } from './links.ts';
import type { HelpNews, HelpNewsOf } from './help-copy.ts';
import type { Reminder, ReminderOf } from './reminder-copy.ts';
import type { StaffOccasion } from './staff-copy.ts';
import type { DigestOf, ShopDigest } from './digest-copy.ts';
import type { ShopNews, ShopNewsOf } from './shop-news-copy.ts';
import { findInvoiceFiles, findShopAddress, type InvoiceFiles, isConfirmed } from './read-model.ts';
import { countTry, dropUnneeded, markSent, type TriedEmail, waitLonger } from './store.ts';

export interface EmailDeps {
  readonly db: Db;
  readonly mailer: Mailer;
  readonly productName: string;
  readonly publicOrigin: string;
  /** Makes the link that changes the password of an email address's account; undefined when there is no account. */
  readonly resetLink: (email: string) => Promise<string | undefined>;
  /** The same for an email address of the people of a shop. */
  readonly staffResetLink: (email: string) => Promise<string | undefined>;
  /** Makes a link to an invitation, beside the one that was shown; undefined when it was used or withdrawn. */
  readonly staffInvitation: (
    merchantId: number,
    email: string,
  ) => Promise<Omit<Extract<StaffOccasion, { topic: 'staff_invitation' }>, 'topic'> | undefined>;
  /** How an owner's shop stands; undefined when they are not to be told, or not any more. */
  readonly shopDigest: (of: DigestOf) => Promise<ShopDigest | undefined>;
  /** What an owner is told of their shop; undefined when they are not to be told, or it is so no more. */
  readonly shopNews: (of: ShopNewsOf) => Promise<ShopNews | undefined>;
  /** What a buyer is reminded of; undefined when there is nothing to pay any more, they do not want it, or its hours are over. */
  readonly reminder: (
    of: ReminderOf & { readonly buyerId: number; readonly email: string },
  ) => Promise<Reminder | undefined>;
  /** What a buyer is warned of; undefined when it is so no more: they paid, got more time, or their purchase ended. */
  readonly endWarning: (of: {
    readonly outboxId: number;
    readonly buyerId: number;
    readonly purchaseId: number;
  }) => Promise<WarningFacts | undefined>;
  /** What a helper is told; undefined when nobody knows any more whom it is about. */
  readonly helpNews: (of: HelpNewsOf) => Promise<HelpNews | undefined>;
  /** What turns off the reminders of one buyer. */
  readonly remindersOffCode: (buyerId: number) => string;
  /** What turns off one kind of email for one owner. */
  readonly unsubscribeCode: (of: { readonly positionId: string; readonly mail: ShopMail }) => string;
  /** Makes the link that confirms a buyer's email address; undefined when it is confirmed already. */
  readonly confirmationLink: (buyerId: number) => Promise<string | undefined>;
  /** A buyer's receipt, whole; undefined when they have no such receipt. */
  readonly receiptBlocks: (buyerId: number, folio: string) => Promise<ReceiptBlocks | undefined>;
}

/**
 * Sends one email of the outbox, if it still waits. Throws when the mail server did not take it: it is due again with back-off,
 * and after the last try it stays as `failed` for an operator.
 */
export async function deliverEmail(deps: EmailDeps, outboxId: number): Promise<void> {
  const email = await transaction(deps.db, (tx) => countTry(tx, outboxId));
  if (email !== undefined) await deliverTried(deps, email);
}

/**
 * {@link deliverEmail} of one whose try is counted. A crash between sending and marking sends it twice, with the same message id:
 * an email too many is better than none.
 */
export async function deliverTried(deps: EmailDeps, email: TriedEmail): Promise<void> {
  try {
    await send(deps, email);
  } catch (error) {
    await transaction(deps.db, (tx) => waitLonger(tx, email)).catch(() => {}); // it is taken for dead, and due then
    throw error;
  }
}

async function send(deps: EmailDeps, email: TriedEmail): Promise<void> {
  const said = await occasionOf(deps, email);
  if (said === undefined) return transaction(deps.db, (tx) => dropUnneeded(tx, email.id));
  const { occasion, attachments = [], unsubscribe } = said;
  const links = linksFrom(deps.publicOrigin);
  const unsubscribeLink = unsubscribe && links.unsubscribe(unsubscribe);
  const body = composeEmail(occasion, { product: deps.productName, links, unsubscribeLink });
  const sender = { product: deps.productName, origin: deps.publicOrigin };
  await deps.mailer.send({
    to: email.recipient,
    subject: oneLine(body.subject),
    text: asText(body, sender),
    html: asHtml(body, sender),
    attachments,
    unsubscribe: unsubscribeLink,
    id: messageId(email),
  });
  await transaction(deps.db, (tx) => markSent(tx, email.id));
}

interface Said {
  readonly occasion: Occasion;
  readonly attachments?: readonly Attachment[];
  /** What turns off emails of its kind. */
  readonly unsubscribe?: string;
}

/** What the email says; undefined when there is nobody to send it to, or nobody waits for it any more. */
async function occasionOf(deps: EmailDeps, email: TriedEmail): Promise<Said | undefined> {
  const { topic, facts, recipient } = email;
  const buyerId = email.buyerId ?? 0; // nobody's
  switch (topic) {
    case 'password_reset': {
      const link = email.isLate ? undefined : await deps.resetLink(recipient);
      return link === undefined ? undefined : { occasion: { topic, link } };
    }
    case 'staff_password_reset': {
      const link = email.isLate ? undefined : await deps.staffResetLink(recipient);
      return link === undefined ? undefined : { occasion: { topic, link } };
    }
    case 'staff_invitation': {
      const { merchantId } = facts as { readonly merchantId: number };
      const invitation = await deps.staffInvitation(merchantId, recipient);
      return invitation && { occasion: { topic, ...invitation } };
    }
    case 'staff_digest': {
      const of = facts as DigestOf;
      const digest = await deps.shopDigest(of);
      const unsubscribe = deps.unsubscribeCode({ positionId: of.positionId, mail: 'digest' });
      return digest && { occasion: { topic, digest }, unsubscribe };
    }
    case 'staff_shop_news': {
      const of = facts as ShopNewsOf;
      const news = await deps.shopNews(of);
      const unsubscribe = deps.unsubscribeCode({ positionId: of.positionId, mail: of.kind });
      return news && { occasion: { topic, news }, unsubscribe };
    }
    case 'staff_password_changed': {
      // One that was queued by an older server says nothing of them.
      const { passkeysForgotten = 0 } = facts as { readonly passkeysForgotten?: number };
      return { occasion: { topic, passkeysForgotten } };
    }
    case 'staff_passkey_added':
    case 'password_changed':
    case 'kept_session_replayed':
      return { occasion: { topic } };
    case 'welcome':
      return { occasion: { topic, link: await deps.confirmationLink(buyerId) } };
    case 'confirm_email': {
      const link = await deps.confirmationLink(buyerId);
      return link === undefined ? undefined : { occasion: { topic, link } };
    }
    case 'payment_due': {
      const reminder = await deps.reminder({ ...(facts as ReminderOf), buyerId, email: recipient });
      return (
        reminder && {
          occasion: { topic, reminder },
          attachments: await barCodeOf(reminder),
          unsubscribe: deps.remindersOffCode(buyerId),
        }
      );
    }
    case 'end_warned': {
      const { purchaseId } = facts as WarningFacts;
      const now = await deps.endWarning({ outboxId: email.id, buyerId, purchaseId });
      return now && { occasion: { topic, facts: now } };
    }
    case 'help_received':
    case 'help_returned':
    case 'help_in_review':
    case 'help_not_charged':
    case 'help_refunded':
    case 'help_refund_in_cash':
    case 'help_penalty':
    case 'help_cash_owed_back':
    case 'help_cash_paid_back':
    case 'help_cash_bounced':
    case 'help_reversed': {
      const news = await deps.helpNews(facts as HelpNewsOf);
      return news && { occasion: { topic, news } };
    }
    case 'layaway_paid':
    case 'instalment_paid': {
      const known = facts as EmailFacts;
      const isTheirs = await isConfirmed(deps.db, buyerId, recipient);
      const receipt = isTheirs ? await deps.receiptBlocks(buyerId, known.folio ?? '') : undefined;
      return { occasion: { topic, facts: known, receipt } };
    }
    case 'refund_in_cash':
    case 'refund_bounced':
    case 'cash_owed_back': {
      // One that was queued by an older server does not say whose it is to give.
      const known = facts as EmailFacts;
      const isTheirs = await isConfirmed(deps.db, buyerId, recipient);
      const shop = isTheirs ? await findShopAddress(deps.db, known.merchantId ?? 0) : undefined;
      return { occasion: { topic, facts: known, shop } };
    }
    case 'invoice_issued': {
      const known = facts as InvoiceFacts;
      const isTheirs = await isConfirmed(deps.db, buyerId, recipient);
      const found = await findInvoiceFiles(deps.db, buyerId, known.invoiceId);
      const attachments = isTheirs ? invoiceAttachments(found, known.invoiceId) : [];
      const isWithoutPdf = found !== undefined && found.pdf === null;
      const files = attachments.length > 0 ? 'attached' : isWithoutPdf ? 'without_pdf' : 'there';
      return { occasion: { topic, facts: known, files, isTheirs }, attachments };
    }
    case 'invoice_refused':
    case 'invoice_cancelled':
      return { occasion: { topic, facts: facts as InvoiceFacts } };
    default:
      return { occasion: { topic, facts: facts as EmailFacts } };
  }
}

/** Larger files are not attached; the email links to them. */
const MOST_ATTACHED_BYTES = 3 * 2 ** 20;

/** The bar code of a reminder that names a till. */
async function barCodeOf({ due }: Reminder): Promise<Attachment[]> {
  if (due?.totals.till === undefined) return [];
  const contentId = barCodeId(due.planReference);
  const bytes = await barCodePicture(due.planReference);
  return [{ name: `${contentId}.png`, type: 'image/png', bytes, contentId }];
}

/** An invoice's PDF and XML, both or none. */
function invoiceAttachments(files: InvoiceFiles | undefined, invoiceId: number): Attachment[] {
  if (files === undefined || files.pdf === null) return [];
  if (files.pdf.length + files.xml.length > MOST_ATTACHED_BYTES) return [];
  const name = `factura-${files.folio.replace(/[^0-9A-Za-z-]/g, '') || invoiceId}`;
  return [
    { name: `${name}.pdf`, type: 'application/pdf', bytes: files.pdf },
    { name: `${name}.xml`, type: 'application/xml', bytes: files.xml },
  ];
}

const WITH_A_CODE: readonly EmailTopic[] = [
  'password_reset',
  'welcome',
  'confirm_email',
  'staff_password_reset',
  'staff_invitation',
];

/** Each try of an email with a code has its own id, so that no mail program hides the newest. */
function messageId({ topic, id, tries }: TriedEmail): string {
  return WITH_A_CODE.includes(topic) ? `${topic}.${id}.${tries}` : `${topic}.${id}`;
}
