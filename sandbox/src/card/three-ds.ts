import { readFileSync } from 'node:fs';
import { pesosFromCentavos } from '@aparta/provider-wire/clip';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { html } from '../pages/html.ts';
import { showPesos } from '../pages/page.ts';
import type { Acquirer } from './acquirer.ts';
import { answerChallenge } from './panel.ts';

type Deps = { acquirer: Acquirer; origins: { product: string } };

const answerBody = v.object({ answer: v.picklist(['approve', 'reject']) });

/**
 * The bank's window on its own origin. Once the payment's status has changed it posts `{ paymentId }` to the
 * product's origin, as Clip's 3DS frame does. Opened alone (a tester's tab), it only changes the status.
 */
export function mountThreeDs(app: FastifyInstance, { acquirer, origins }: Deps): void {
  const style = readFileSync(new URL('./three-ds.css', import.meta.url), 'utf8');
  const script = readFileSync(new URL('./three-ds.js', import.meta.url), 'utf8');
  app.get('/three-ds.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
  app.get('/three-ds.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script));

  app.get<{ Params: { id: string } }>('/challenge/:id', (request, reply) => {
    const row = acquirer.payments.get(request.params.id);
    const waits = row?.status === 'pending' && row.challenge !== null;
    const merchant = row && acquirer.merchants.get(row.apiKey);
    const page = html`<!doctype html>
      <html lang="es-MX">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>Tu banco</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href="/three-ds.css" />
          <script src="/three-ds.js" defer></script>
        </head>
        <body
          data-payment="${row?.id}"
          data-parent-origin="${origins.product}"
          data-waits="${waits ? 'yes' : 'no'}"
        >
          <main>
            <p class="bank">Banco de Pruebas</p>
            ${
              row === undefined
                ? html`<h1>No hay tal pago</h1>`
                : html`<h1>${waits ? '¿Autorizas este pago?' : 'Este pago ya se decidió'}</h1>
                    <dl>
                      <dt>Comercio</dt>
                      <dd>${merchant?.name}</dd>
                      <dt>Monto</dt>
                      <dd>${showPesos(pesosFromCentavos(row.amountCentavos))}</dd>
                      <dt>Tarjeta</dt>
                      <dd>terminada en ${row.token.lastDigits}</dd>
                    </dl>`
            }
            ${
              waits &&
              html`<div class="buttons">
                <button type="button" class="main" data-answer="approve">Aprobar</button>
                <button type="button" data-answer="reject">Rechazar</button>
              </div>`
            }
            <p role="status"></p>
          </main>
        </body>
      </html>`;
    return reply
      .code(row === undefined ? 404 : 200)
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
          `base-uri 'none'; form-action 'none'; frame-ancestors ${origins.product}`,
      )
      .header('cache-control', 'no-store')
      .send(page.markup.trim());
  });

  app.post<{ Params: { id: string } }>('/challenge/:id', (request, reply) => {
    const body = v.safeParse(answerBody, request.body);
    if (!body.success) return reply.code(400).send({ message: 'answer: approve or reject' });
    const row = answerChallenge(acquirer, request.params.id, body.output.answer === 'approve');
    return row === undefined
      ? reply.code(404).send({ message: 'no such payment' })
      : reply.send({ paymentId: row.id, status: row.status });
  });
}
