import { formatMoney, parseDecimal } from '@aparta/domain/money';
import { STORE_CHAINS } from '@aparta/domain/store-chains';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import { sendPage } from '../pages/page.ts';
import type { Counter } from './counter.ts';
import { type CashNetwork, expiresAt } from './network.ts';
import type { CashNotices } from './notices.ts';
import { storesPage, type Timing, timings } from './stores-page.ts';

type Deps = { network: CashNetwork; notices: CashNotices; counter: Counter; clock: Clock };

const text = v.pipe(v.optional(v.string(), ''), v.trim());
const timing = v.optional(v.fallback(v.picklist(Object.keys(timings) as Timing[]), 'enseguida'), 'enseguida');
const payForm = v.object({
  referencia: text,
  /** Of the button that was pressed; without one, the amount that was typed counts. */
  importe: text,
  escrito: text,
  cadena: text,
  aviso: timing,
  /** Pressed to pay as if the reference had expired an hour before. */
  vencida: v.optional(v.string()),
});
const moveForm = v.object({
  operacion: text,
  mover: v.picklist(['reverse', 'repeat', 'alter']),
  aviso: timing,
});

const hourMs = 3_600_000;

/** Spaces and dashes are for the eye. */
const digitsOf = (typed: string) => typed.replace(/[\s-]/g, '');

/** A store's counter: takes cash for a reference and notifies the product, as Tapi does. */
export function mountStores(app: FastifyInstance, { network, notices, counter, clock }: Deps): void {
  app.get<{ Querystring: { referencia?: string; nota?: string } }>('/tiendas', (request, reply) => {
    const { referencia = '', nota } = request.query;
    const page = storesPage({ network, notices, clock }, digitsOf(referencia), nota);
    return sendPage(reply, '/tiendas', 'Tiendas', page);
  });

  app.post('/tiendas', (request, reply) => {
    const form = v.parse(payForm, request.body);
    const row = network.references.get(digitsOf(form.referencia));
    const amountCentavos = parseDecimal((form.importe || form.escrito).replaceAll(',', ''));
    const chain = STORE_CHAINS.find(({ name }) => name === form.cadena);
    const back = (nota: string) =>
      reply.redirect(`/tiendas?${String(new URLSearchParams({ referencia: form.referencia, nota }))}`, 303);
    if (row === undefined) return back('Nadie emitió esa referencia.');
    if (amountCentavos === undefined || amountCentavos === 0) return back('Ese importe no se entiende.');
    if (chain !== undefined && amountCentavos > chain.limitCentavos)
      return back(`${chain.name} cobra hasta ${formatMoney(chain.limitCentavos)} por operación.`);
    const late = form.vencida === undefined ? {} : { paidAt: expiresAt(row) + hourMs };
    counter.pay({ reference: row.id, amountCentavos, store: chain?.name, ...late }, timings[form.aviso].mode);
    return back(`Cobrado: ${formatMoney(amountCentavos)}.`);
  });

  app.post('/tiendas/operacion', (request, reply) => {
    const form = v.parse(moveForm, request.body);
    const { mode } = timings[form.aviso];
    const changed =
      form.mover === 'alter'
        ? counter.alter(form.operacion, undefined, mode)
        : counter[form.mover](form.operacion, mode);
    const nota = changed === undefined ? 'Ya no se puede.' : 'Hecho.';
    return reply.redirect(`/tiendas?${String(new URLSearchParams({ nota }))}`, 303);
  });

  app.post('/tiendas/soltar', async (request, reply) => {
    const { orden } = v.parse(v.object({ orden: v.picklist(['same', 'reverse']) }), request.body);
    await notices.release(orden);
    return reply.redirect('/tiendas', 303);
  });
}
