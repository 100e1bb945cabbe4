import type { ProviderCheck } from '../provider-check.ts';

export interface Attachment {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  /** What the email's HTML calls it by: it is drawn there. */
  readonly contentId?: string;
}

export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same words, styled. */
  readonly html: string;
  readonly attachments: readonly Attachment[];
  /** Where a mail program turns off emails like it with one POST (RFC 8058); absent for what nobody can turn off. */
  readonly unsubscribe?: string | undefined;
  /** The same email sent twice carries the same id, so that mail programs show it once. */
  readonly id: string;
}

/** Sends email. Throws when the mail server did not take it. */
export interface Mailer {
  send(email: Email): Promise<void>;
  /** Connects, greets and signs in; sends nothing. */
  check(): Promise<ProviderCheck>;
  close(): void;
}
