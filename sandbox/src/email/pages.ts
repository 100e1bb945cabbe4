import type { FastifyInstance } from 'fastify';
import type { Table } from '../journal.ts';
import { html, type Html } from '../pages/html.ts';
import { sendPage, showMoment } from '../pages/page.ts';
import type { Email } from './smtp.ts';

/** The inbox: every email that the product sent, newest first. */
export function mountInbox(app: FastifyInstance, emails: Table<Email>): void {
  app.get('/email', (_request, reply) => {
    const inbox = emails.all().reverse();
    return sendPage(
      reply,
      '/email',
      'Correo',
      inbox.length === 0
        ? html`<p class="quiet">Todavía no llega nada. Aquí cae todo correo que mande el producto.</p>`
        : html`<ul class="rows">
            ${inbox.map(
              (email) =>
                html`<li>
                  <span class="what"
                    ><a href="/email/${email.id}">${email.subject || '(sin asunto)'}</a>
                    <small>${email.to.join(', ')} · ${showMoment(email.at)}</small></span
                  >
                </li>`,
            )}
          </ul>`,
    );
  });

  app.get<{ Params: { id: string } }>('/email/:id', (request, reply) => {
    const email = emails.get(request.params.id);
    if (email === undefined) return sendPage(reply.code(404), '/email', 'No hay tal correo', html``);
    return sendPage(
      reply,
      '/email',
      email.subject || '(sin asunto)',
      html`
        <dl>
          <dt>De</dt>
          <dd>${email.from}</dd>
          <dt>Para</dt>
          <dd>${email.to.join(', ')}</dd>
          <dt>Llegó</dt>
          <dd>${showMoment(email.at)}</dd>
          ${
            email.attachments.length > 0 &&
            html`<dt>Adjuntos</dt>
              <dd>${email.attachments.join(', ')}</dd>`
          }
        </dl>
        ${
          email.html !== null &&
          html`<h2>Con formato</h2>
            <iframe
              class="email"
              title="Correo con formato"
              src="/email/${email.id}/html"
              sandbox="allow-popups allow-popups-to-escape-sandbox"
            ></iframe>`
        }
        <h2>Texto</h2>
        <pre>${linked(email.text)}</pre>
      `,
    );
  });

  // The email's own markup, without scripts, forms or anything remote; links open in a new tab.
  app.get<{ Params: { id: string } }>('/email/:id/html', (request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; " +
          "img-src data:; frame-ancestors 'self'",
      )
      .send(inNewTabs(emails.get(request.params.id)?.html ?? '')),
  );
}

/** Inserts after `<head>`: before the doctype it would switch the browser to quirks mode. */
function inNewTabs(markup: string): string {
  const base = '<base target="_blank">';
  return markup.includes('<head>') ? markup.replace('<head>', `<head>${base}`) : base + markup;
}

/** Text with its web addresses as links. */
function linked(text: string): Html[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, at) =>
      at % 2 === 1 ? html`<a href="${part}" target="_blank" rel="noopener">${part}</a>` : html`${part}`,
    );
}
