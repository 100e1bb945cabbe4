import { randomUUID } from 'node:crypto';
import { parsePaymentReference } from '@aparta/domain/payment-reference';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { Table } from '../journal.ts';
import { html, type Html } from '../pages/html.ts';
import { sendPage, showMoment } from '../pages/page.ts';

/** The calls of a till: the last segment of the path after `/PosOperations/`. */
const operations = ['OnLayaway', 'payment', 'query', 'reverse'] as const;
type Operation = (typeof operations)[number];

/** One call of a shop's till to the product, and what came back. */
export type TillCall = {
  id: string;
  at: number;
  operation: Operation;
  user: string;
  password: string;
  referencia: string;
  importe: string;
  compañia: string;
  sucursal: string;
  idtransaccion: string;
  /** The raw answer, or why there is none. */
  status: number | null;
  answer: string;
};

type Deps = { calls: Table<TillCall>; clock: Clock; origins: { product: string } };

const text = v.pipe(v.optional(v.string(), ''), v.trim());
const form = v.object({
  /** Empty: charge; the reference says whether it is a layaway or an instalment. */
  operacion: v.optional(v.picklist(['', ...operations]), ''),
  user: text,
  password: text,
  referencia: text,
  importe: text,
  compañia: text,
  sucursal: text,
  /** Empty: a new one. */
  idtransaccion: text,
});
type Form = Omit<v.InferOutput<typeof form>, 'operacion'>;

const firstForm: Form = {
  user: 'caja-demo',
  password: 'caja-demo-2026',
  referencia: '',
  importe: '',
  compañia: 'CAJA-DEMO',
  sucursal: '1',
  idtransaccion: '',
};

const answerTimeoutMs = 30_000;

/** A shop's till: charges, queries and reverses at the product, over the tills' wire. */
export function mountTill(app: FastifyInstance, { calls, clock, origins }: Deps): void {
  app.get<{ Querystring: { referencia?: string } }>('/till', (request, reply) => {
    const recent = calls.all().reverse();
    const last = recent[0];
    const filled = { ...(last ?? firstForm), importe: '', referencia: request.query.referencia ?? '' };
    return sendPage(
      reply,
      '/till',
      'Caja',
      html`
        <p>
          Como en el mostrador: escanea o escribe la referencia y cóbrala en efectivo. La de un apartado
          empieza con 1; la de un abono, con su número de pago.
        </p>
        <form class="fields" method="post" action="/till">
          ${field('referencia', 'Referencia', filled.referencia, 'autofocus required')}
          ${field('importe', 'Importe en pesos', filled.importe, 'inputmode="decimal" required')}
          ${field('idtransaccion', 'idtransaccion (vacío: uno nuevo)', '')}
          ${field('compañia', 'Compañía', filled.compañia, 'required')}
          ${field('sucursal', 'Sucursal', filled.sucursal, 'required')}
          ${field('user', 'Usuario', filled.user, 'required')}
          ${field('password', 'Contraseña', filled.password, 'required')}
          <p class="wide buttons">
            <button class="main">Cobrar</button>
            <button name="operacion" value="query" formnovalidate>Consultar</button>
            <button name="operacion" value="reverse" formnovalidate>Revertir</button>
          </p>
        </form>

        <h2>Lo último en esta caja</h2>
        ${
          recent.length === 0
            ? html`<p class="quiet">Todavía nada.</p>`
            : html`<ul class="rows">
                ${recent.slice(0, 20).map(showCall)}
              </ul>`
        }
      `,
    );
  });

  app.post('/till', async (request, reply) => {
    const { operacion, ...body } = v.parse(form, request.body);
    const operation = operacion || chargeOf(body.referencia);
    await ask(operation, { ...body, idtransaccion: body.idtransaccion || randomUUID() });
    return reply.redirect('/till', 303);
  });

  /** Signs in, calls, and keeps the answer as it came. */
  async function ask(operation: Operation, call: Form): Promise<void> {
    const { user, password, referencia, importe, ...key } = call;
    const put = (status: number | null, answer: string) =>
      calls.put({ id: randomUUID(), at: clock.now(), operation, ...call, status, answer });
    try {
      const signIn = await post('/User/authenticate', { User: user, Password: password });
      const { token } = v.parse(v.object({ token: v.string() }), parseJson(signIn.text) ?? {}, {
        message: `sign-in answered ${signIn.status} without a token: ${signIn.text}`,
      });
      const money = {
        ...(referencia !== '' && { referencia }),
        ...(importe !== '' && { importe: Number(importe) }),
      };
      const body = operation === 'query' ? key : { ...money, ...key };
      const { status, text: answer } = await post(`/PosOperations/${operation}`, body, token);
      put(status, answer);
    } catch (error) {
      put(null, error instanceof Error ? error.message : String(error));
    }
  }

  async function post(
    path: string,
    body: unknown,
    token?: string,
  ): Promise<{ status: number; text: string }> {
    const response = await fetch(`${origins.product}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    return { status: response.status, text: await response.text() };
  }
}

/** Only a layaway's reference begins with 1: instalment 1 is the deposit, which is paid by the layaway's reference. */
function chargeOf(reference: string): Operation {
  const prefix = parsePaymentReference(reference)?.prefix ?? '1';
  return prefix === '1' ? 'OnLayaway' : 'payment';
}

function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

function field(name: keyof Form, label: string, value: string, attributes = ''): Html {
  return html`<label
    >${label}<input name="${name}" value="${value}" autocomplete="off" ${{ markup: attributes }}
  /></label>`;
}

const labels: Record<Operation, string> = {
  OnLayaway: 'Apartado',
  payment: 'Abono',
  query: 'Consulta',
  reverse: 'Reversa',
};

/** A call with its answer, and the buttons that query or reverse the same operation. */
function showCall(call: TillCall): Html {
  const kept = [
    'user',
    'password',
    'referencia',
    'importe',
    'compañia',
    'sucursal',
    'idtransaccion',
  ] as const;
  return html`<li>
    <span class="what">
      ${labels[call.operation]} · ${call.referencia} · ${call.importe}
      <small>${showMoment(call.at)} · ${call.idtransaccion} · ${call.status ?? 'sin respuesta'}</small>
      <pre>${call.answer}</pre>
    </span>
    <form class="buttons" method="post" action="/till">
      ${kept.map((name) => html`<input type="hidden" name="${name}" value="${call[name]}" />`)}
      <button name="operacion" value="${call.operation}">Repetir con el mismo idtransaccion</button>
      <button name="operacion" value="query">Consultar</button>
      <button name="operacion" value="reverse">Revertir</button>
    </form>
  </li>`;
}
