import { KEY_UNOPENED } from '@aparta/server/payments/card-keys/credential';
import type {
  CashNoticesTable,
  CashReferencesTable,
  HoldState,
  InvoiceState,
  LayawayReferenceState,
  OutboxTable,
  ReceiptChannel,
  RefundCause,
  RefundState,
  RefundMethod,
} from '@aparta/server/platform/db/tables';
import { NOT_SEEN } from '@aparta/server/payments/refunds/answers';
import type { AttemptState } from '@aparta/server/payments/cards/attempt';

const ATTEMPT: Readonly<Record<AttemptState, string>> = {
  submitting: 'se está enviando',
  pending_3ds: 'el banco espera al comprador',
  unknown: 'sin respuesta de Clip, se sigue preguntando',
  held: 'detenido, espera a una persona',
  rejected: 'rechazado, no se cobró',
  not_charged: 'no se cobró',
  abandoned: 'no se terminó, se vigila siete días',
  applied: 'cobrado y aplicado',
  returned: 'cobrado, se devuelve completo',
};

const REFUND: Readonly<Record<RefundState, string>> = {
  owed: 'se debe',
  sending: 'va en camino',
  unknown: 'sin respuesta, se sigue preguntando',
  blocked: 'detenida, espera a una persona',
  done: 'hecha',
  moved_to_cash: 'pasó a efectivo',
};

const INVOICE: Readonly<Record<InvoiceState, string>> = {
  requested: 'pedida',
  sending: 'enviándose',
  stamped: 'timbrada, faltan sus archivos',
  issued: 'emitida',
  review: 'por revisar, espera a una persona',
  refused: 'no se hizo',
  cancelled: 'cancelada',
};

/** What each state is called, by the kind of thing. */
export const STATES = { card_attempt: ATTEMPT, refund: REFUND, invoice: INVOICE } as const;

export const REFERENCE: Readonly<Record<LayawayReferenceState, string>> = {
  open: 'vigente',
  paid: 'pagada',
  expired: 'vencida',
  cancelled: 'cancelada',
};

export const CASH_REFERENCE: Readonly<Record<CashReferencesTable['state'], string>> = {
  requesting: 'pedida a la red',
  issued: 'vigente',
  with_helper: 'vigente, de quien ayuda',
  failed: 'la red no la dio',
  closed: 'cerrada',
};

export const HOLD: Readonly<Record<HoldState, string>> = {
  held: 'guardada',
  released: 'de vuelta a la venta',
  delivered: 'entregada',
};

export const NOTICE: Readonly<Record<CashNoticesTable['outcome'], string>> = {
  applied: 'aplicado',
  owed_back: 'se le debe al comprador',
  unapplied: 'espera a una persona',
  reversed: 'revertido',
  noted: 'no trae dinero',
};

export const EMAIL: Readonly<Record<'waiting' | 'sent' | 'failed' | 'dropped', string>> = {
  waiting: 'por salir',
  sent: 'salió',
  failed: 'no salió, espera a una persona',
  dropped: 'ya no se envía',
} satisfies Record<Exclude<OutboxTable['state'], object>, string>;

export const CAUSE: Readonly<Record<RefundCause, string>> = {
  not_applicable: 'no se pudo aplicar',
  cancel: 'por cancelación',
  surplus: 'sobró',
  external: 'salió por otro camino',
};

export const REFUND_METHOD: Readonly<Record<RefundMethod, string>> = { card: 'tarjeta', cash: 'efectivo' };

export const CHANNEL: Readonly<Record<ReceiptChannel, string>> = {
  card: 'tarjeta',
  till: 'caja',
  cash: 'tienda',
};

/** Details of a refund that our own code writes. */
export const DETAIL: Readonly<Record<string, string>> = {
  'moved by the operator': 'lo cambió el operador',
  'asked again by the operator': 'lo pidió otra vez el operador',
  [NOT_SEEN]: 'Clip no contestó, y no se ve hecha',
  'refunded by another way too': 'también se devolvió por otro camino',
  'a part was refunded externally': 'una parte salió por otro camino',
  'another amount': 'Clip dijo otra cantidad',
  'less refunded than booked': 'Clip dice menos de lo que está en los libros',
  [KEY_UNOPENED]: 'la clave del comercio no se abre',
  'the key may not refund': 'Clip no deja devolver con la clave',
  'the store gave it back': 'la tienda la regresó',
  'still under way': 'la operación sigue en proceso',
  'a body that is not as documented': 'contestó algo que no se entiende',
  external_reference: 'el pago es de otro intento',
};

/** `cobrado y aplicado (applied)`: with the code, since other commands and the runbook use it. */
export function inWords(words: Readonly<Record<string, string>>, code: string): string {
  const said = words[code];
  return said === undefined ? code : `${said} (${code})`;
}
