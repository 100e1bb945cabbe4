import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { Table } from '../journal.ts';
import { html, type Html } from '../pages/html.ts';
import { sendPage, showMoment } from '../pages/page.ts';

/** One call of a shop's till to the product, and what came back. */
export type TillCall = {
  id: string;
  at: number;
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
  user: text,
  password: text,
  referencia: text,
  importe: text,
  compañia: text,
  sucursal: text,
  /** Empty = a new one. */
  idtransaccion: text,
});
type Form = v.InferOutput<typeof form>;

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

/** A shop's till: pays a reference at the product, over the wire that tills use. */
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
        <p>Como en el mostrador: escanea o escribe la referencia y cóbrala en efectivo.</p>
        <form class="fields" method="post" action="/till">
          ${field('referencia', 'Referencia', filled.referencia, 'autofocus required')}
          ${field('importe', 'Importe en pesos', filled.importe, 'inputmode="decimal" required')}
          ${field('idtransaccion', 'idtransaccion (vacío: uno nuevo)', '')}
          ${field('compañia', 'Compañía', filled.compañia, 'required')}
          ${field('sucursal', 'Sucursal', filled.sucursal, 'required')}
          ${field('user', 'Usuario', filled.user, 'required')}
          ${field('password', 'Contraseña', filled.password, 'required')}
          <button class="main wide">Cobrar</button>
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
    const body = v.parse(form, request.body);
    await pay({ ...body, idtransaccion: body.idtransaccion || randomUUID() });
    return reply.redirect('/till', 303);
  });

  /** Signs in, pays, and keeps the answer as it came. */
  async function pay(call: Form): Promise<void> {
    const { user, password, ...operation } = call;
    const put = (status: number | null, answer: string) =>
      calls.put({ id: randomUUID(), at: clock.now(), ...call, status, answer });
    try {
      const signIn = await post('/User/authenticate', { User: user, Password: password });
      const { token } = v.parse(v.object({ token: v.string() }), parseJson(signIn.text) ?? {}, {
        message: `sign-in answered ${signIn.status} without a token: ${signIn.text}`,
      });
      const body = { ...operation, importe: Number(operation.importe) };
      const { status, text: answer } = await post('/PosOperations/OnLayaway', body, token);
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

function showCall(call: TillCall): Html {
  const again = [
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
      ${call.referencia} · ${call.importe}
      <small>${showMoment(call.at)} · ${call.idtransaccion} · ${call.status ?? 'sin respuesta'}</small>
      <pre>${call.answer}</pre>
    </span>
    <form method="post" action="/till">
      ${again.map((name) => html`<input type="hidden" name="${name}" value="${call[name]}" />`)}
      <button>Repetir con el mismo idtransaccion</button>
    </form>
  </li>`;
}
