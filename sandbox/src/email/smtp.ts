import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email as Parsed } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Table } from '../journal.ts';

export type Email = {
  id: string;
  at: number;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string | null;
  /** The headers by which a mail program leaves a list (RFC 8058); empty where there are none. */
  listUnsubscribe: string;
  listUnsubscribePost: string;
  /** Names of the attachments, less those that its HTML draws. */
  attachments: string[];
};

/** An SMTP server that takes every email and delivers none: they end in `emails`. */
export function createSmtp(emails: Table<Email>, now: () => number): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    size: 5 * 2 ** 20,
    // Any user and password will do.
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anybody' }),
    onData(stream, session, done) {
      buffer(stream)
        .then((raw) => PostalMime.parse(raw))
        .then((email) => {
          emails.put({
            id: randomUUID(),
            at: now(),
            from: email.from?.address ?? (session.envelope.mailFrom || { address: '' }).address,
            to: session.envelope.rcptTo.map((recipient) => recipient.address),
            subject: email.subject ?? '',
            text: email.text ?? '',
            html: email.html === undefined ? null : withPictures(email.html, email),
            listUnsubscribe: headerOf(email, 'list-unsubscribe'),
            listUnsubscribePost: headerOf(email, 'list-unsubscribe-post'),
            attachments: email.attachments
              .filter((one) => one.contentId === undefined)
              .map((one) => one.filename ?? one.mimeType),
          });
          done();
        })
        .catch((error: unknown) => done(error instanceof Error ? error : new Error(String(error))));
    },
  });
}

const headerOf = ({ headers }: Parsed, name: string): string =>
  headers.find(({ key }) => key === name)?.value ?? '';

/** HTML with the pictures that come with its email in it, as a mail program shows it. */
function withPictures(html: string, { attachments }: Parsed): string {
  return attachments.reduce((drawn, { contentId, mimeType, content }) => {
    if (contentId === undefined) return drawn;
    const bytes =
      typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('base64');
    return drawn.replaceAll(`cid:${contentId.replace(/^<|>$/g, '')}`, `data:${mimeType};base64,${bytes}`);
  }, html);
}
