import { type Centavos, formatMoney } from '@aparta/domain/money';
import { withoutLink } from '@aparta/domain/web-address';

/** What an email is made of, before it is HTML or plain text. All of it is text: nothing in here is markup. */
export interface EmailBody {
  readonly subject: string;
  /** What an inbox shows beside the subject. */
  readonly preview: string;
  /** What happened to the money, in one or two words. */
  readonly badge?: { readonly text: string; readonly tone: Tone };
  readonly heading: string;
  readonly blocks: readonly Block[];
  /** Why it comes, where it is not that the address has an account. */
  readonly why?: string;
  /** Beside that: what turns it off. In HTML without its address, a word longer than a phone is wide. */
  readonly off?: { readonly label: string; readonly link: string };
}

/** An email's words; what an inbox shows beside the subject is made of them. */
export type Words = Omit<EmailBody, 'preview'>;

export type Tone = 'paid' | 'pending' | 'danger';

export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** The sum that the email is about: `$615.00 MXN`. */
  | { readonly kind: 'amount'; readonly label: string; readonly amount: string }
  /** Facts, one per line, below a perforation. Rows without a value are left out. */
  | { readonly kind: 'rows'; readonly title?: string; readonly rows: readonly Row[] }
  /** A plan's payments, a slot for each: of a plan that is paid, all are full. */
  | { readonly kind: 'slots'; readonly text: string; readonly count: number }
  | { readonly kind: 'button'; readonly label: string; readonly link: string }
  /** A reference as bars, for a till; its digits stand in words beside it. */
  | { readonly kind: 'barCode'; readonly text: string }
  /** Small print. */
  | { readonly kind: 'note'; readonly text: string };

/** A receipt in an email. */
export interface ReceiptBlocks {
  /** Who paid it to help the buyer. */
  readonly payerName?: string;
  /** Of the last payment: what is the buyer's now. */
  readonly paidOff: readonly Block[];
  readonly receipt: readonly Block[];
}

export interface Row {
  readonly label: string;
  readonly value: string;
  readonly strong?: boolean;
}

/** The product that writes, and where it is. */
export interface Sender {
  readonly product: string;
  /** The configured public origin: no other ever becomes a link (rules/threats#mail-abuse). */
  readonly origin: string;
}

/** What an email's HTML calls the picture of a reference by. */
export const barCodeId = (text: string): string => `codigo-${text}`;

export const mxn = (amount: Centavos): string => `${formatMoney(amount)} MXN`;
export const paragraph = (text: string): Block => ({ kind: 'paragraph', text });
export const note = (text: string): Block => ({ kind: 'note', text });
export const button = (label: string, link: string): Block => ({ kind: 'button', label, link });

/**
 * Others' text on one line: without controls, line breaks and marks that turn the reading direction round, and with nothing that mail
 * programs make a link of, as of a product called 'www.tienda.mx'.
 */
export function oneLine(text: string): string {
  return withoutLink(
    text
      .toWellFormed()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .replace(/[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
      .trim(),
  );
}
