import { formatDate } from '@aparta/domain/calendar';
import { centavos, type Centavos, decimal, formatMoney, pesosToCentavos } from '@aparta/domain/money';
import { groupDigits } from '@aparta/domain/payment-reference';
import { STORE_CHAINS } from '@aparta/domain/store-chains';
import type { Clock } from '../clock.ts';
import { html, type Html } from '../pages/html.ts';
import { showMoment } from '../pages/page.ts';
import { type CashNetwork, expiresAt, type OperationRow, type ReferenceRow, takenFor } from './network.ts';
import type { CashNotices, NoticeMode, NoticeRow } from './notices.ts';

type Deps = { network: CashNetwork; notices: CashNotices; clock: Clock };

/** When the product hears of what is done next. */
export const timings = {
  enseguida: { label: 'Enseguida', mode: {} },
  tarde: { label: 'A los 30 segundos', mode: { delayMs: 30_000 } },
  doble: { label: 'Dos veces', mode: { copies: 2 } },
  nunca: { label: 'Nunca llega', mode: { drop: true } },
  retenido: { label: 'Retenido, hasta que lo sueltes abajo', mode: { hold: true } },
} as const satisfies Record<string, { label: string; mode: Partial<NoticeMode> }>;
export type Timing = keyof typeof timings;

const shown = 20;

/** The counter with the reference that was typed, what is still to pay, and what stores did last. */
export function storesPage(deps: Deps, typed: string, note: string | undefined): Html {
  const { network, notices } = deps;
  const row = network.references.get(typed);
  const recent = network.operations.all().reverse().slice(0, shown);
  return html`
    <p>Como en la tienda: escanea o escribe la referencia, elige la cadena y cobra en efectivo.</p>
    ${note !== undefined && html`<p role="status">${note}</p>`}
    <form class="fields" method="get" action="/tiendas">
      <label
        >Referencia<input
          name="referencia"
          value="${groupDigits(typed)}"
          inputmode="numeric"
          autocomplete="off"
          required
          ${row === undefined && html`autofocus`}
      /></label>
      <button class="wide">Consultar</button>
    </form>
    ${typed !== '' && (row === undefined ? html`<p>Nadie emitió esa referencia.</p>` : referenceToPay(deps, row))}

    <h2>Por pagar</h2>
    ${dueReferences(network, shown)} ${heldNotices(notices)}

    <h2>Lo último en las tiendas</h2>
    ${
      recent.length === 0
        ? html`<p class="quiet">Todavía nada.</p>`
        : html`<p class="quiet">
              Para pagar una compra ya cancelada, cancélala en el producto y cobra aquí su referencia.
            </p>
            <ul class="rows">
              ${recent.map((operation) => operationItem(notices, operation))}
            </ul>`
    }
  `;
}

/** What the counter shows of a reference, with the buttons that pay it. */
function referenceToPay({ network, clock }: Deps, row: ReferenceRow): Html {
  const taken = takenFor(network, row.id);
  const less = centavos(Math.max(100, row.amountCentavos - (row.amountCentavos % 200)) / 2);
  const more = centavos(row.amountCentavos + 5_000);
  const others: [string, Centavos][] = [
    ['De menos', less],
    ['De más', more],
  ];
  return html`
    <dl>
      <dt>Por cobrar</dt>
      <dd><strong>${formatMoney(row.amountCentavos)}</strong></dd>
      <dt>Ya cobrado</dt>
      <dd>${formatMoney(taken)}</dd>
      <dt>Vence</dt>
      <dd>${formatDate(row.expiresOn)}${expiresAt(row) < clock.now() && ', ya venció'}</dd>
      <dt>Paga</dt>
      <dd>${row.identifier} · ${row.request.additionalData.email}</dd>
    </dl>
    <form class="fields" method="post" action="/tiendas">
      <input type="hidden" name="referencia" value="${row.id}" />
      <label
        >Cadena<select name="cadena">
          ${STORE_CHAINS.map(
            ({ name, limitCentavos }) =>
              html`<option value="${name}">${name}, hasta ${formatMoney(limitCentavos)}</option>`,
          )}
        </select></label
      >
      <label
        >Aviso al producto<select name="aviso">
          ${Object.entries(timings).map(([name, { label }]) => html`<option value="${name}">${label}</option>`)}
        </select></label
      >
      <label
        >Importe<input
          name="escrito"
          value="${decimal(row.amountCentavos)}"
          inputmode="decimal"
          autocomplete="off"
      /></label>
      <p class="wide buttons">
        <button class="main">Cobrar</button>
        ${others.map(
          ([label, amount]) =>
            html`<button name="importe" value="${decimal(amount)}">${label}, ${formatMoney(amount)}</button>`,
        )}
        <button name="vencida" value="1">Como si ya hubiera vencido</button>
      </p>
    </form>
  `;
}

/** Notices that wait until somebody releases them. */
function heldNotices(notices: CashNotices): Html | false {
  const rows = notices.notices.all().filter(({ state }) => state === 'held');
  return (
    rows.length > 0 &&
    html`<h2>Avisos retenidos</h2>
      <form class="buttons" method="post" action="/tiendas/soltar">
        <button name="orden" value="same">Soltar en orden (${rows.length})</button>
        <button name="orden" value="reverse">Soltar al revés</button>
      </form>`
  );
}

function operationItem(notices: CashNotices, row: OperationRow): Html {
  const changed = notices.notices.all().filter(({ operationId }) => operationId === row.id);
  const moves = [
    ...(row.status === 'confirmed' ? [['reverse', 'Revertir'] as const] : []),
    ['repeat', 'Avisar otra vez'] as const,
    ['alter', 'Avisar con otro importe'] as const,
  ];
  return html`<li>
    <span class="what">
      ${row.reverses === null ? statuses[row.status] : 'Reversa'} · ${formatMoney(row.amountCentavos)} ·
      ${groupDigits(row.reference)}
      <small>${row.store}, ${showMoment(row.paidAt)} · ${row.id}</small>
      ${changed.map(showNotice)}
    </span>
    <form class="buttons" method="post" action="/tiendas/operacion">
      <input type="hidden" name="operacion" value="${row.id}" />
      ${moves.map(([move, label]) => html`<button name="mover" value="${move}">${label}</button>`)}
    </form>
  </li>`;
}

const statuses = {
  processing: 'En proceso',
  confirmed: 'Cobrada',
  failed: 'Fallida',
  reversed: 'Revertida',
} as const;

const noticeStates = {
  held: 'retenido',
  sending: 'en camino',
  delivered: 'recibido',
  'given up': 'sin recibir',
  dropped: 'perdido',
} as const;

function showNotice(row: NoticeRow): Html {
  const results = row.tries.map(({ result }) => result).join(', ');
  const sum = formatMoney(pesosToCentavos(row.body.amount ?? 0) ?? centavos(0));
  return html`<small>Aviso de ${sum}: ${noticeStates[row.state]}${results !== '' && ` (${results})`}</small>`;
}

/** References that nobody has paid whole, newest first. */
export function dueReferences(network: CashNetwork, most: number): Html {
  const rows = network.references
    .all()
    .filter((row) => takenFor(network, row.id) < row.amountCentavos)
    .reverse();
  if (rows.length === 0) return html`<p class="quiet">Ninguna.</p>`;
  return html`<ul class="rows">
    ${rows.slice(0, most).map(
      (row) =>
        html`<li>
          <span class="what">
            ${groupDigits(row.id)} · ${formatMoney(row.amountCentavos)}
            <small
              >${row.identifier} · ${row.request.additionalData.email} · vence el
              ${formatDate(row.expiresOn)}</small
            >
          </span>
          <a class="button" href="/tiendas?referencia=${row.id}">Cobrar</a>
        </li>`,
    )}
  </ul>`;
}
