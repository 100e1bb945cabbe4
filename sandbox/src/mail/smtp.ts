import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Table } from '../journal.ts';

export type Mail = {
  id: string;
  at: number;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string | null;
  /** Names of the attachments. */
  attachments: string[];
};

/** An SMTP server that takes every letter and delivers none: they end in `mails`. */
export function createSmtp(mails: Table<Mail>, now: () => number): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    size: 5 * 2 ** 20,
    // Any user and password will do: a product may be set up to send one.
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anybody' }),
    onData(stream, session, done) {
      buffer(stream)
        .then((raw) => PostalMime.parse(raw))
        .then((letter) => {
          mails.put({
            id: randomUUID(),
            at: now(),
            from: letter.from?.address ?? (session.envelope.mailFrom || { address: '' }).address,
            to: session.envelope.rcptTo.map((recipient) => recipient.address),
            subject: letter.subject ?? '',
            text: letter.text ?? '',
            html: letter.html ?? null,
            attachments: letter.attachments.map((one) => one.filename ?? one.mimeType),
          });
          done();
        })
        .catch((error: unknown) => done(error instanceof Error ? error : new Error(String(error))));
    },
  });
}
