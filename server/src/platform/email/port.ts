export interface Attachment {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same words with their look. */
  readonly html: string;
  readonly attachments: readonly Attachment[];
  /** The same email sent twice carries the same id, so that mail programs show it once. */
  readonly id: string;
}

/** What the product needs of a mail provider. Throws when the email was not taken over. */
export interface Mailer {
  send(email: Email): Promise<void>;
  close(): void;
}
