import { formatMoney } from '@aparta/domain/money';
import type { FastifyInstance } from 'fastify';
import { html } from '../pages/html.ts';
import { copyable, sendPage, showMoment } from '../pages/page.ts';
import { pdfOf, xmlOf } from './files.ts';
import { type InvoiceRow, type InvoicingOffice, isDown, setDown } from './office.ts';
import { fieldSentinels, zipOutcomes } from './outcomes.ts';

const shown = 20;

/** What was stamped, the switch that takes the provider down, and what to type for each outcome. */
export function mountInvoices(app: FastifyInstance, office: InvoicingOffice): void {
  app.get('/facturas', (_request, reply) => {
    const invoices = office.invoices.all().reverse();
    const down = isDown(office);
    return sendPage(
      reply,
      '/facturas',
      'Facturas',
      html`
        <p>El FacturaGreen de mentira: timbra sin el SAT, y nada de esto tiene valor fiscal.</p>
        <p role="status">
          ${down ? 'El servicio está caído: contesta 503 a todo.' : 'El servicio está en pie.'}
        </p>
        <form method="post" action="/facturas/servicio">
          <button name="caido" value="${down ? 'no' : 'si'}">
            ${down ? 'Levantar' : 'Tirar el servicio'}
          </button>
        </form>

        <h2>Timbradas</h2>
        ${
          invoices.length === 0
            ? html`<p class="quiet">Todavía ninguna.</p>`
            : html`<ul class="rows">
                ${invoices.slice(0, shown).map(invoiceRow)}
              </ul>`
        }

        <h2>Rechazos por dato</h2>
        <p class="quiet">Se escriben en los datos fiscales; corregido el dato, la factura sale.</p>
        <ul class="rows">
          ${fieldSentinels.map(
            ({ field, value, label }) =>
              html`<li>
                <span class="what">${field}<small>${label}</small></span> ${copyable(value, value)}
              </li>`,
          )}
        </ul>

        <h2>Resultados por código postal</h2>
        <ul class="rows">
          ${zipOutcomes.map(
            ({ zip, label }) => html`<li><span class="what">${label}</span> ${copyable(zip, zip)}</li>`,
          )}
        </ul>
      `,
    );
  });

  app.post<{ Body: { caido?: string } }>('/facturas/servicio', (request, reply) => {
    setDown(office, request.body.caido === 'si');
    return reply.redirect('/facturas', 303);
  });

  app.get<{ Params: { id: string } }>('/facturas/:id/xml', (request, reply) => {
    const row = office.invoices.get(request.params.id);
    if (row === undefined) return sendPage(reply.code(404), '/facturas', 'No hay tal factura', html``);
    return reply.type('text/xml; charset=utf-8').send(xmlOf(row));
  });
  app.get<{ Params: { id: string } }>('/facturas/:id/pdf', (request, reply) => {
    const row = office.invoices.get(request.params.id);
    if (row === undefined) return sendPage(reply.code(404), '/facturas', 'No hay tal factura', html``);
    return reply.type('application/pdf').send(pdfOf(row));
  });
}

function invoiceRow(row: InvoiceRow) {
  return html`<li>
    <span class="what">
      ${row.serie}${row.folio} · ${formatMoney(row.totalCentavos)} · forma ${row.form}
      <small>${row.receiver.name} ${row.receiver.taxid} · ${row.description}</small>
      <small>${row.folioTax} · ${showMoment(row.at)}</small>
    </span>
    <a class="button" href="/facturas/${row.id}/xml">XML</a>
    <a class="button" href="/facturas/${row.id}/pdf">PDF</a>
  </li>`;
}
