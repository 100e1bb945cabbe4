import type { TillError } from './tills.ts';

/**
 * What a till does next. `same`: send the same call again. `mend`: mend it and keep its `idtransaccion`. `new`: mend it and use a
 * new `idtransaccion`.
 */
export type TillNext = 'receipt' | 'same' | 'query' | 'mend' | 'new' | 'stop';

export const TILL_NEXT: Readonly<Record<TillNext, string>> = {
  receipt: 'for money that was taken: print the receipt with `autorizacion`',
  same: 'nothing was booked: after `Retry-After` send the same call again, with the same `idtransaccion`',
  query: 'it may be booked: ask `query`, or send the same call again, until there is another answer',
  mend: 'this call did nothing, but one before it with its `idtransaccion` may be booked: mend it, or sign in again, and send it with the same `idtransaccion`',
  new: 'this call did nothing: mend it and send it with a new `idtransaccion`, or give the money back',
  stop: 'this call did nothing, and repeated it says the same. Money to be taken: give it back. A reversal: the operation stands',
};

/** Each `error` of a PosOperations reply: what happened, and what a till does next. */
export const TILL_ERRORS_EXPLAINED: Readonly<Record<TillError, readonly [meaning: string, next: TillNext]>> =
  {
    0: ['Done. Of `query`: we have the money. Of `reverse`: it went back, or it was never taken.', 'receipt'],
    1: ['No such reference.', 'new'],
    2: ['The layaway reference has expired; the buyer makes another.', 'stop'],
    3: ['Already paid.', 'stop'],
    4: [
      'Not the sum to take: a deposit is exact, an instalment more than the fee and at most the balance.',
      'new',
    ],
    5: ['The purchase is cancelled, or its deposit was taken back.', 'stop'],
    6: [
      'This `idtransaccion` was used with another reference, sum or operation. Nothing was done with this call; the first one stands.',
      'new',
    ],
    7: [
      'A reversal that is not possible (another day, invoiced, cancelled, other money in it), or an operation that was reversed.',
      'stop',
    ],
    8: ['Not offered.', 'stop'],
    9: ["A buyer's call: there is no approved card payment.", 'stop'],
    10: ['A layaway reference whose product is sold out: the last unit is kept for another buyer.', 'stop'],
    11: ['Busy, or the database is away.', 'same'],
    12: [
      'The call is malformed (`mensaje` names the field), its method or path is wrong, or its session is not good (HTTP 401, 403).',
      'mend',
    ],
    13: ["`compañia` is not the account's own.", 'stop'],
    14: ['The branch or the account is at its cap of the day.', 'stop'],
    15: ['The account asked for too many unknown references; it goes on within the hour.', 'stop'],
    16: ['`query` alone: the operation never came; it may be sent.', 'same'],
    99: ['It failed on our side.', 'query'],
  };

/** How the calls of a till hang together, for the page. */
export const TILL_GUIDE = [
  'Sign in with `POST /User/authenticate` and send its token. A session lasts 12 hours; on HTTP 401 sign in again and send the same call.',
  'Once signed in every answer is HTTP 200 and `error` says what became of the call; besides there are 401 (no session), 403 (not a till) and 405 (not POST).',
  'An operation is named by the account with `compañia`, `sucursal` and `idtransaccion`, for ever. The same call again gets the same answer, refusals too, and books nothing twice; only 11, 12 and 99 are not kept.',
  'Before taking money, `query` with the `referencia` alone says what it is for and which sums can be taken. Error 4 says them too.',
  'No answer: send the same call again, or ask `query`. To give up, send `reverse`: it takes the operation back, or blocks it if it has not come.',
  'A reversal is for the same day (Mexico City), while nothing hangs on the money: not invoiced, the purchase active, a deposit the only money of its purchase.',
] as const;

const PAID = { error: 0, mensaje: 'Operación autorizada', autorizacion: 'K7Q2M9XW4T' };
const refused = (error: TillError, mensaje: string) => ({ error, mensaje, autorizacion: '' });
const BUSY = ['Busy: send the same again', refused(11, 'Ocupado, no se cobró, repite')] as const;
const MALFORMED = ['A field is wrong', refused(12, 'Solicitud incorrecta: revise importe')] as const;
const UNCLEAR = [
  'Failed on our side: ask query',
  refused(99, 'No se pudo procesar. No entregues comprobante y consulta la operación.'),
] as const;

/** Replies that a vendor can test against, by call. */
export const TILL_EXAMPLES: Readonly<
  Record<string, readonly (readonly [summary: string, reply: Readonly<Record<string, unknown>>])[]>
> = {
  onLayaway: [
    ['Taken', PAID],
    ['No such reference', refused(1, 'Referencia desconocida. Revisa los dígitos.')],
    ['Expired', refused(2, 'Referencia vencida. El cliente debe generar otra.')],
    [
      'Not the deposit',
      { ...refused(4, 'El importe no es el que se debe cobrar.'), siguiente: 600, minimo: 600, todo: 600 },
    ],
    ['Sold out', refused(10, 'Producto agotado')],
    ['A buyer asked, and no card was approved', refused(9, 'No hay un pago con tarjeta aprobado.')],
    BUSY,
    MALFORMED,
    UNCLEAR,
  ],
  payTill: [
    ['Taken', { ...PAID, mensaje: 'Pagos 2, 3. Saldo $1,199.99.' }],
    ['Paid off already', refused(3, 'Ya está pagada. No cobres.')],
    ['Cancelled', refused(5, 'La compra está cancelada. No cobres.')],
    ['Used for another sum', refused(6, 'Ese idtransaccion ya se usó con otros datos.')],
    ['Of another chain', refused(13, 'La compañía no corresponde a esta cuenta de caja.')],
    ['At its cap', refused(14, 'La sucursal llegó a su tope del día. Llama a soporte.')],
    ['Too many wrong numbers', refused(15, 'Demasiadas referencias desconocidas. Llama a soporte.')],
    BUSY,
    MALFORMED,
    UNCLEAR,
  ],
  queryTill: [
    [
      'By reference alone: what can be taken',
      {
        error: 0,
        mensaje: 'Se puede cobrar',
        autorizacion: '',
        estado: 'por_cobrar',
        referencia: '24347675834',
        operacion: 'payment',
        producto: 'Refrigerador 14 pies',
        comprador: 'Marisol R.',
        saldo: 6799.2,
        atrasada: false,
        vence: '2026-12-14',
        importe: 3399.6,
        siguiente: 3399.6,
        minimo: 0.01,
        todo: 6799.2,
      },
    ],
    ['We have the money', { ...PAID, estado: 'autorizada', referencia: '11048277003', importe: 600 }],
    [
      'It was taken back',
      {
        ...refused(7, 'Esa operación ya se revirtió. No cobres; usa otro idtransaccion.'),
        estado: 'revertida',
        referencia: '11048277003',
        importe: 600,
      },
    ],
    ['It never came', { ...refused(16, 'Esa operación no llegó. No se cobró.'), estado: 'desconocida' }],
  ],
  reverseTill: [
    ['Taken back, or blocked', refused(0, 'Operación revertida en caja')],
    ['Too late', refused(7, 'La operación no se puede revertir.')],
    BUSY,
  ],
  saleWithoutReference: [['Always', refused(8, 'Operación no disponible.')]],
};

const KEY = { compañia: 'CAJA-DEMO', sucursal: '1', idtransaccion: 'A-000123' };

/** What is sent, by call. */
export const TILL_BODIES: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  authenticateTill: [{ User: 'caja-demo', Password: 'caja-demo-2026' }],
  onLayaway: [{ referencia: '11048277003', importe: 600, ...KEY }],
  payTill: [{ referencia: '24347675834', importe: 37.5, ...KEY }],
  queryTill: [{ referencia: '24347675834' }, KEY],
  reverseTill: [KEY],
};

/** How a back office misses nothing, for the page. */
export const FEED_GUIDE = [
  'Ask without `cursor` the first time: it begins with the first operation. Keep `next` whatever comes, and ask with it from then on; while `more` is true, at once.',
  'What was read stays as it was read: a reversal is an entry of its own, behind its operation. Nothing that comes later stands before what was read.',
  'Asked again with the same `cursor`, it answers the same and what came since: keep `next` in the transaction in which you keep the entries.',
] as const;

/** Who may try it: the accounts that `npm start` makes, and nobody else's server has. */
export const TEST_ACCOUNT = {
  User: 'caja-demo',
  Password: 'caja-demo-2026',
  compañia: 'CAJA-DEMO',
  sucursal: '1',
  buyer: 'demo@aparta.mx',
  buyerPassword: 'aparta-demo-2026',
  /** What a product's QR code says. */
  label: '1|1|3|0||||0',
} as const;
