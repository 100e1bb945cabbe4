import type { FastifyInstance } from 'fastify';
import { pesosFromCentavos } from '@aparta/provider-wire/clip';
import { type Acquirer } from '../card/acquirer.ts';
import { cardGroups } from '../card/cards.ts';
import { demoMerchants } from '../card/merchants.ts';
import type { PaymentRow } from '../card/payment.ts';
import type { CashNetwork } from '../cash/network.ts';
import { dueReferences } from '../cash/stores-page.ts';
import { html, type Html } from './html.ts';
import { copyable, sendPage, showMoment, showPesos } from './page.ts';

type Deps = { acquirer: Acquirer; network: CashNetwork; origins: { product: string; threeDs: string } };

const shown = 20;

/** The root page: what waits for somebody, what was charged lately, and every value that chooses an outcome. */
export function mountHome(app: FastifyInstance, { acquirer, network, origins }: Deps): void {
  app.get('/', (_request, reply) => {
    const payments = acquirer.payments.all().reverse();
    const waiting = payments.filter((row) => row.status === 'pending');
    return sendPage(
      reply,
      '/',
      'Pruebas sin dinero de verdad',
      html`
        <p>
          Aquí viven el Clip, el Tapi y el FacturaGreen de mentira: nada de esto cobra ni factura. El producto
          está en
          <a href="${origins.product}">${origins.product}</a>.
        </p>

        <h2>Pagos en espera</h2>
        ${
          waiting.length === 0
            ? html`<p class="quiet">Ninguno. Los que pidan 3DS aparecen aquí hasta que alguien decida.</p>`
            : html`<ul class="rows">
                ${waiting.slice(0, shown).map((row) => paymentRow(row, origins.threeDs))}
              </ul>`
        }
        <p class="quiet">
          Las referencias de apartado se pagan con tarjeta en el producto, o en la <a href="/till">caja</a>.
        </p>

        <h2>Referencias de tienda por pagar</h2>
        ${dueReferences(network, shown)}
        ${cardGroups.map(
          ({ title, note, cards }) => html`
            <h2>${title}</h2>
            <p class="quiet">${note} Cualquier CVV y cualquier fecha por venir.</p>
            <ul class="rows">
              ${cards.map(
                (card) =>
                  html`<li>
                    <span class="what"
                      >${card.label}<small>${card.issuer}, ${kinds[card.type]}, ${card.country}</small></span
                    >
                    ${copyable(card.number, card.number.replace(/(\d{4})(?=\d)/g, '$1 '))}
                  </li>`,
              )}
            </ul>
          `,
        )}

        <h2>Llaves de los comercios</h2>
        <p class="quiet">La llave es pública; el secreto, solo para el servidor.</p>
        <ul class="rows">
          ${demoMerchants.map(
            (merchant) =>
              html`<li>
                <span class="what">${merchant.name}<small>${merchant.id}</small></span>
                ${copyable(`${merchant.id}:${merchant.secret}`, merchant.secret)}
              </li>`,
          )}
        </ul>

        <h2>Últimos pagos</h2>
        ${
          payments.length === 0
            ? html`<p class="quiet">Todavía ninguno.</p>`
            : html`<ul class="rows">
                ${payments.slice(0, shown).map((row) => paymentRow(row, origins.threeDs))}
              </ul>`
        }
      `,
    );
  });
}

const kinds = { credit_card: 'crédito', debit_card: 'débito', prepaid_card: 'prepago' } as const;

function paymentRow(row: PaymentRow, threeDsOrigin: string): Html {
  return html`<li>
    <span class="what">
      ${showPesos(pesosFromCentavos(row.amountCentavos))} · tarjeta ${row.token.lastDigits} ·
      <span class="${row.status}">${row.status} ${row.detail}</span>
      <small>${showMoment(row.createdAt)} · ${row.request.external_reference ?? 'sin referencia'}</small>
    </span>
    ${row.challenge !== null && html`<a class="button" href="${threeDsOrigin}/challenge/${row.id}">Abrir 3DS</a>`}
  </li>`;
}
