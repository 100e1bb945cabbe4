import type { FastifyInstance } from 'fastify';
import type { Table } from '../journal.ts';
import { html, type Html } from '../pages/html.ts';
import { sendPage, showMoment } from '../pages/page.ts';
import type { Mail } from './smtp.ts';

/** The inbox: every letter that the product sent, newest first. */
export function mountInbox(app: FastifyInstance, mails: Table<Mail>): void {
  app.get('/mail', (_request, reply) => {
    const letters = mails.all().reverse();
    return sendPage(
      reply,
      '/mail',
      'Correo',
      letters.length === 0
        ? html`<p class="quiet">Todavía no llega nada. Aquí cae todo correo que mande el producto.</p>`
        : html`<ul class="rows">
            ${letters.map(
              (mail) =>
                html`<li>
                  <span class="what"
                    ><a href="/mail/${mail.id}">${mail.subject || '(sin asunto)'}</a>
                    <small>${mail.to.join(', ')} · ${showMoment(mail.at)}</small></span
                  >
                </li>`,
            )}
          </ul>`,
    );
  });

  app.get<{ Params: { id: string } }>('/mail/:id', (request, reply) => {
    const mail = mails.get(request.params.id);
    if (mail === undefined) return sendPage(reply.code(404), '/mail', 'No hay tal correo', html``);
    return sendPage(
      reply,
      '/mail',
      mail.subject || '(sin asunto)',
      html`
        <dl>
          <dt>De</dt>
          <dd>${mail.from}</dd>
          <dt>Para</dt>
          <dd>${mail.to.join(', ')}</dd>
          <dt>Llegó</dt>
          <dd>${showMoment(mail.at)}</dd>
          ${
            mail.attachments.length > 0 &&
            html`<dt>Adjuntos</dt>
              <dd>${mail.attachments.join(', ')}</dd>`
          }
        </dl>
        ${
          mail.html !== null &&
          html`<h2>Con formato</h2>
            <iframe
              class="letter"
              title="Correo con formato"
              src="/mail/${mail.id}/html"
              sandbox="allow-popups allow-popups-to-escape-sandbox"
            ></iframe>`
        }
        <h2>Texto</h2>
        <pre>${linked(mail.text)}</pre>
      `,
    );
  });

  // The letter's own markup: no script, no form, nothing from elsewhere; links open in a tab of their own.
  app.get<{ Params: { id: string } }>('/mail/:id/html', (request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; " +
          "img-src data:; frame-ancestors 'self'",
      )
      .send(inNewTabs(mails.get(request.params.id)?.html ?? '')),
  );
}

/** After the start of the head, where there is one: before the document's type, it would be drawn as an old one. */
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
