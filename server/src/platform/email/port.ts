export interface Attachment {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same words with their look. */
  readonly html: string;
  readonly attachments: readonly Attachment[];
  /** The same letter sent twice carries the same id, so that mail programs show it once. */
  readonly id: string;
}

/** What the product needs of a mail provider. Throws when the letter was not taken over. */
export interface MailProvider {
  send(letter: Letter): Promise<void>;
  close(): void;
}
