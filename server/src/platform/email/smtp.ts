import { createTransport } from 'nodemailer';
import type { Mailer } from './port.ts';

/** Connections that are kept for the emails that follow: greeting and signing in take longer than an email. */
export const MAIL_CONNECTIONS = 2;

/** What a person at a terminal waits for each step of a check. */
const CHECK_MS = 6_000;

/**
 * Email by SMTP, every wait bounded. Addresses go as objects, so that no header can be written into them
 * (rules/threats#mail-abuse).
 */
export function smtp(options: { url: string; from: string }): Mailer {
  const transport = createTransport({
    url: options.url,
    pool: true,
    maxConnections: MAIL_CONNECTIONS,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  } as Parameters<typeof createTransport>[0]);
  const host = /@([^>]+)>?$/.exec(options.from)?.[1] ?? 'localhost';
  return {
    async send(email) {
      try {
        await transport.sendMail({
          from: options.from,
          to: { name: '', address: email.to },
          subject: email.subject,
          text: email.text,
          html: email.html,
          attachments: email.attachments.map(({ name, type, bytes, contentId }) => ({
            filename: name,
            contentType: type,
            content: bytes,
            ...(contentId !== undefined && { cid: contentId, contentDisposition: 'inline' as const }),
          })),
          ...(email.unsubscribe !== undefined && {
            headers: {
              'List-Unsubscribe': `<${email.unsubscribe}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            },
          }),
          messageId: `<${email.id}@${host}>`,
          disableFileAccess: true,
          disableUrlAccess: true,
        });
      } catch (error) {
        // A mail server's message quotes the address; only its codes may end in the log and the queue.
        const { code, responseCode } = error as { code?: string; responseCode?: number };
        throw new Error(`the email was not taken over (${[code, responseCode].filter(Boolean).join(' ')})`);
      }
    },
    async check() {
      const trial = createTransport({
        url: options.url,
        dnsTimeout: CHECK_MS,
        connectionTimeout: CHECK_MS,
        greetingTimeout: CHECK_MS,
        socketTimeout: CHECK_MS,
      } as Parameters<typeof createTransport>[0]);
      try {
        await trial.verify();
        return { kind: 'works' };
      } catch (error) {
        const { code, responseCode } = error as { code?: string; responseCode?: number };
        const why = [responseCode, code].filter(Boolean).join(' ');
        return { kind: code === 'EAUTH' ? 'refused' : responseCode ? 'in_trouble' : 'unreachable', why };
      } finally {
        trial.close();
      }
    },
    close: () => transport.close(),
  };
}
