import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { html, type Html } from './html.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
].join('; ');

const files = { 'page.css': 'text/css', 'page.js': 'text/javascript' } as const;

/** The style sheet and the script of the sandbox's own pages. */
export function mountPageFiles(app: FastifyInstance): void {
  for (const [name, type] of Object.entries(files)) {
    const text = readFileSync(new URL(name, import.meta.url), 'utf8');
    app.get(`/pages/${name}`, (_request, reply) => reply.type(`${type}; charset=utf-8`).send(text));
  }
}

const entries = [
  ['/', 'Inicio'],
  ['/email', 'Correo'],
  ['/till', 'Caja'],
  ['/tiendas', 'Tiendas'],
  ['/facturas', 'Facturas'],
] as const;

/** Sends a page of the sandbox in its frame: navigation, title, content. */
export function sendPage(reply: FastifyReply, path: string, title: string, content: Html): FastifyReply {
  const page = html`<!doctype html>
    <html lang="es-MX">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Sandbox</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/pages/page.css" />
        <script src="/pages/page.js" defer></script>
      </head>
      <body>
        <header class="bar">
          <strong>Sandbox</strong>
          <nav aria-label="Secciones">
            ${entries.map(
              ([href, label]) =>
                html`<a href="${href}" ${href === path && html`aria-current="page"`}>${label}</a>`,
            )}
          </nav>
        </header>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .send(page.markup.trim());
}

/** A value with a button that copies it. */
export function copyable(value: string, text: string): Html {
  return html`<span class="value"
    ><code>${text}</code
    ><button type="button" data-copy="${value}" aria-label="Copiar ${text}">Copiar</button></span
  >`;
}

const moments = new Intl.DateTimeFormat('es-MX', {
  timeZone: 'America/Mexico_City',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});

/** '20 nov, 18:04:05' in Mexico City. */
export const showMoment = (moment: number): string => moments.format(moment);

const money = new Intl.NumberFormat('es-MX', { style: 'currency', currency: 'MXN' });

export const showPesos = (pesos: number): string => money.format(pesos);
