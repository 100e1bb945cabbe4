import { formatMoment } from '@aparta/domain/calendar';
import { centavos, formatMoney } from '@aparta/domain/money';
import type { Happening, Match, Waiting } from '@aparta/server/operations/store';

type Facts = Happening['facts'];

const said = (facts: Facts, name: string) => String(facts[name] ?? '');
const money = (facts: Facts, name = 'amount') =>
  said(facts, name) === '' ? '' : formatMoney(centavos(Number(facts[name])));
const moment = (facts: Facts, name: string) =>
  said(facts, name) === '' ? '' : formatMoment(new Date(said(facts, name)));
/** ` (lo que sea)`, or nothing. */
const aside = (words: string) => (words === '' ? '' : ` (${words})`);

const SUBJECTS: Readonly<Record<string, string>> = {
  card_attempt: 'Intento',
  refund: 'Devolución',
  invoice: 'Factura',
};

/** One line per kind of happening. Our codes stay as they are: they are what the other commands and the runbook take. */
const HAPPENED: Readonly<Record<Happening['kind'], (facts: Facts) => string>> = {
  reference_made: (facts) =>
    `Referencia ${said(facts, 'reference')}: precio ${money(facts, 'price')}, apartado ${money(facts, 'deposit')}, hasta ${moment(facts, 'until')}`,
  reference_closed: (facts) => `Referencia cerrada: ${said(facts, 'state')}`,
  purchase_made: (facts) =>
    `Compra ${said(facts, 'id')}: ${said(facts, 'product')}, ${money(facts, 'price')}`,
  purchase_cancelled: (facts) =>
    `Compra cancelada con ${money(facts, 'paid')} pagados${aside(said(facts, 'notes'))}`,
  attempt_made: (facts) =>
    `Intento ${said(facts, 'id')} con tarjeta ${said(facts, 'type')} ${said(facts, 'card')}: ${money(facts)}, cargo ${money(facts, 'fee')}. Ahora: ${said(facts, 'state')}. Clip: ${said(facts, 'payment') || 'sin número'}${aside(said(facts, 'receipt'))}. Petición ${said(facts, 'request')}`,
  state_moved: (facts) =>
    `${SUBJECTS[said(facts, 'of')] ?? ''} ${said(facts, 'id')}: ${said(facts, 'from') || 'nace'} -> ${said(facts, 'to')}${aside(said(facts, 'words'))}`,
  till_called: (facts) =>
    `Caja ${said(facts, 'chain')} ${said(facts, 'branch')} ${said(facts, 'transaction')}: ${money(facts)}, ${facts['error'] === 0 ? `autorizada ${said(facts, 'authorisation')}` : `error ${said(facts, 'error')}`}`,
  till_reversed: (facts) =>
    `Caja ${said(facts, 'chain')} ${said(facts, 'branch')} ${said(facts, 'transaction')}: revertida`,
  cash_reference_made: (facts) =>
    `Referencia de tienda ${said(facts, 'reference')}: ${money(facts)}, hasta ${moment(facts, 'until')}. Ahora: ${said(facts, 'state')}`,
  notice_came: (facts) =>
    `Aviso de tienda ${said(facts, 'operation')}: ${said(facts, 'status')} ${money(facts)} -> ${said(facts, 'outcome')}`,
  receipt_made: (facts) =>
    `Recibo ${said(facts, 'folio')}: ${money(facts)} por ${said(facts, 'channel')}${facts['withdrawn'] === 0 ? '' : `, retirado ${money(facts, 'withdrawn')}`}`,
  booked: (facts) =>
    `Libros, ${said(facts, 'kind')}: ${said(facts, 'debit')} -> ${said(facts, 'credit')} ${money(facts)}`,
  refund_owed: (facts) =>
    `Devolución ${said(facts, 'id')} por ${said(facts, 'way')}: ${money(facts)}, ${said(facts, 'cause')}. Ahora: ${said(facts, 'state')}${aside(said(facts, 'words'))}`,
  refund_done: (facts) =>
    `Devolución ${said(facts, 'id')} hecha: ${money(facts)}${aside([said(facts, 'provider'), said(facts, 'by'), said(facts, 'evidence')].filter(Boolean).join(', '))}`,
  invoice_asked: (facts) =>
    `Factura ${said(facts, 'id')} pedida: ${money(facts)}, forma ${said(facts, 'form')}. Ahora: ${said(facts, 'state')}${aside(said(facts, 'words'))}`,
  invoice_issued: (facts) => `Factura ${said(facts, 'id')} emitida: ${said(facts, 'folio')}`,
  letter: (facts) => `Correo ${said(facts, 'topic')}: ${said(facts, 'state')} ${moment(facts, 'sent')}`,
  alarm: (facts) =>
    `ALARMA ${said(facts, 'kind')} de ${said(facts, 'subject')}, ${said(facts, 'times')} veces${said(facts, 'resolved') === '' ? ', abierta' : ', resuelta'}`,
  operator_acted: (facts) =>
    `Operador ${said(facts, 'actor')}: ${said(facts, 'command')} ${said(facts, 'subject')}`,
};

/** `2026-11-20 14:03:07`, in Mexico City, as everything that an operator reads. */
const CLOCK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Mexico_City',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** A happening as one line of the story. */
export function happened({ at, kind, facts }: Happening): string {
  return `${CLOCK.format(at)}  ${HAPPENED[kind](facts)}`;
}

/** The head of a story: what it is about. */
export function aboutMatch({
  purchaseId,
  referenceId,
  sourceId,
  buyerEmail,
  merchant,
  product,
}: Match): string {
  const what =
    purchaseId === null
      ? referenceId === null
        ? `Dinero sin dueño: ${sourceId}`
        : 'Apartado sin pagar'
      : `Compra ${purchaseId}`;
  return [what, product, merchant, buyerEmail].filter(Boolean).join(' · ');
}

/** What each thing that waits means, and the command that goes on with it. */
export const WAITS: Readonly<Record<Waiting['kind'], { what: string; next: (id: string) => string }>> = {
  held: {
    what: 'Cobro detenido',
    next: (id) => `payment follow --by ${id}; luego payment apply ${id} o payment return ${id}`,
  },
  held_unknown: {
    what: 'Cobro sin dueño',
    next: (id) => `payment follow --by ${id}; luego payment return ${id}`,
  },
  refund_blocked: {
    what: 'Devolución detenida',
    next: (id) => `refund retry ${id} o refund to-cash ${id} --seen-unpaid`,
  },
  refunds_paused: {
    what: 'Devoluciones en pausa: clave rechazada',
    next: (id) => `key check ${id}; luego key set ${id} clip o refund retry ...`,
  },
  refund_in_cash: {
    what: 'Devolución en efectivo',
    next: (id) => `refund paid ${id} --by merchant --evidence "..."`,
  },
  invoice_in_review: { what: 'Factura por revisar', next: (id) => `invoice resolve ${id} --is ...` },
  invoice_to_cancel: { what: 'Factura por cancelar', next: (id) => `invoice resolve ${id} --is cancelled` },
  notice_without_home: { what: 'Efectivo sin dueño', next: (id) => `cash assign ${id} --purchase ...` },
  letter_failed: { what: 'Correo que no salió', next: (id) => `letter retry ${id} o letter drop ${id}` },
  job_gave_up: { what: 'Trabajo que se rindió', next: () => 'vea el manual: Jobs that gave up' },
  alarm: { what: 'Alarma', next: (id) => `alarm resolve ${id}` },
};

/** The words of the payment, refund, invoice and alarm commands. */
export const PAYMENTS = {
  notFound: 'Nada coincide con eso.',
  several: 'Varias cosas coinciden. Pregunte por una:',
  looked: (state: string) => `Se le preguntó a Clip. El intento está ahora: ${state}.`,
  applied: (amount: string) => `Aplicado: ${amount}.`,
  returned: (amount: string) => `Se devuelve completo: ${amount}. La devolución sale en un momento.`,
  refundLooked: (state: string) => `La devolución está ahora: ${state}.`,
  refundAgain:
    'Se vuelve a pedir, empezando por leer lo que Clip ya devolvió. Si todas las del comercio estaban en pausa, siguen todas.',
  toCash: (id: number) => `Ahora se debe en efectivo: es la devolución ${id}.`,
  paid: (amount: string) => `Anotada como entregada: ${amount}. Se le avisa al comprador.`,
  bounced: (amount: string) => `Se debe otra vez: ${amount}.`,
  cashLooked: 'Se le preguntó a la red de tiendas. Vea cómo quedó con payment follow.',
  assigned: (amount: string, outcome: 'applied' | 'owed_back') =>
    outcome === 'applied'
      ? `Aplicado: ${amount}. Lo que sobre se le debe al comprador.`
      : `La compra ya no debe nada: se le deben al comprador ${amount}.`,
  letterGoes: 'El correo sale en un momento.',
  letterDropped: 'Ese correo ya no se envía.',
  nothingWaits: 'Nada espera a una persona.',
  invoiceResolved: 'Factura resuelta.',
  invoiceGoesOn: 'La factura sigue en un momento.',
  resolved: 'Alarma cerrada. Se abre otra vez si vuelve a pasar.',
} as const;
