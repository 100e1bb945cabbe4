import { formatMoment } from '@aparta/domain/calendar';
import { centavos, formatMoney } from '@aparta/domain/money';
import { isPairRefused, KEY_UNOPENED } from '@aparta/server/payments/card-keys/credential';
import { NOT_SEEN } from '@aparta/server/payments/refunds/answers';
import type { OpenAlert } from '@aparta/server/back-office/readiness/read-model';
import { type AlertKind, isAlertKind } from '@aparta/server/platform/alerts';
import type { Happening } from '@aparta/server/back-office/operations/payment-history.read-model';
import type { Match } from '@aparta/server/back-office/operations/payment-search.read-model';
import type { UninvoicedState } from '@aparta/server/back-office/operations/uninvoiced';
import type { Waiting } from '@aparta/server/back-office/operations/waiting.read-model';
import type { Taken } from '@aparta/server/back-office/operations/external-refund';
import { ACCOUNT_WORDS } from '@aparta/server/back-office/settlements/copy';
import {
  CASH_REFERENCE,
  CAUSE,
  DETAIL,
  inWords,
  EMAIL,
  HOLD,
  NOTICE,
  REFERENCE,
  STATES,
  CHANNEL,
  REFUND_METHOD,
} from '../state-words.ts';
import { onOneLine } from '../print.ts';

type Facts = Happening['facts'];

const said = (facts: Facts, name: string) => String(facts[name] ?? '');
const money = (facts: Facts, name = 'amount') =>
  said(facts, name) === '' ? '' : formatMoney(centavos(Number(facts[name])));
const moment = (facts: Facts, name: string) =>
  said(facts, name) === '' ? '' : formatMoment(new Date(said(facts, name)));
/** ` (lo que sea)`, or nothing. */
const aside = (words: string) => (words === '' ? '' : ` (${words})`);

const SUBJECTS: Readonly<Record<keyof typeof STATES, string>> = {
  card_attempt: 'Intento',
  refund: 'Devolución',
  invoice: 'Factura',
};

/** A state of one of these, in words with its code; `name` is the fact that has it. */
const state = (of: keyof typeof STATES, facts: Facts, name = 'state') =>
  inWords(STATES[of], said(facts, name));
const coded = (words: Readonly<Record<string, string>>, facts: Facts, name: string) =>
  inWords(words, said(facts, name));
/** A detail: our own codes in Spanish, a provider's as they came. */
const words = (facts: Facts) => coded(DETAIL, facts, 'detail');
/** How far an act outside the database came. */
const PHASES: Readonly<Record<string, string>> = { begun: 'empezó', done: 'terminó', failed: 'falló' };
const subjectOf = (facts: Facts) => said(facts, 'of') as keyof typeof STATES;

/** Who ended a purchase, where it was not its buyer. */
const ENDED_BY: Readonly<Record<string, string>> = {
  merchant: ' por el comercio',
  rule: ' por la regla de atraso',
  claim: ' por una aclaración',
  reversal: ' por pagos revertidos',
};

/** One line for each kind of event. With our codes, since the other commands and the runbook use them. */
const HAPPENED: Readonly<Record<Happening['kind'], (facts: Facts) => string>> = {
  reference_made: (facts) =>
    `Referencia ${said(facts, 'reference')}: precio ${money(facts, 'price')}, apartado ${money(facts, 'deposit')}, hasta ${moment(facts, 'until')}`,
  reference_closed: (facts) => `Referencia cerrada: ${coded(REFERENCE, facts, 'state')}`,
  purchase_made: (facts) =>
    `Compra ${said(facts, 'id')}: ${said(facts, 'product')}, ${money(facts, 'price')}`,
  purchase_cancelled: (facts) =>
    `Compra cancelada${ENDED_BY[said(facts, 'by')] ?? ''} con ${money(facts, 'paid')} pagados${aside(said(facts, 'notes'))}`,
  plan_changed: (facts) =>
    said(facts, 'kind') === 'moved'
      ? `El comprador cambió el abono ${said(facts, 'number')} de ${money(facts, 'amount')}: del ${said(facts, 'from')} al ${said(facts, 'to')}`
      : `El comprador partió el abono ${said(facts, 'number')} de ${money(facts, 'amount')}: ${money(facts, 'first')} el ${said(facts, 'from')} y lo demás el ${said(facts, 'to')}`,
  unit_kept: (facts) =>
    `Guardada en ${said(facts, 'branch')}${aside(
      [
        said(facts, 'checked') === '' ? '' : `vista el ${moment(facts, 'checked')}`,
        said(facts, 'missing') === '' ? '' : `NO ESTÁ desde el ${moment(facts, 'missing')}`,
      ]
        .filter(Boolean)
        .join(', '),
    )}. Ahora: ${coded(HOLD, facts, 'state')}${aside(moment(facts, 'ended'))}`,
  handed_over: (facts) =>
    `Entregada en ${said(facts, 'branch')} por ${said(facts, 'by')}${aside(said(facts, 'device'))}`,
  attempt_made: (facts) =>
    `Intento ${said(facts, 'id')} con tarjeta ${said(facts, 'type')} ${said(facts, 'card')}: ${money(facts)}, cargo ${money(facts, 'fee')}. Ahora: ${state('card_attempt', facts)}. Clip: ${said(facts, 'payment') || 'sin número'}${aside(said(facts, 'receipt'))}. Petición ${said(facts, 'request')}`,
  state_moved: (facts) =>
    `${SUBJECTS[subjectOf(facts)]} ${said(facts, 'id')}: ${said(facts, 'from') === '' ? 'nace' : state(subjectOf(facts), facts, 'from')} -> ${state(subjectOf(facts), facts, 'to')}${aside(words(facts))}`,
  till_called: (facts) =>
    `Caja ${said(facts, 'chain')} ${said(facts, 'branch')} ${said(facts, 'transaction')}: ${money(facts)}, ${facts['error'] === 0 ? `autorizada ${said(facts, 'authorisation')}` : `error ${said(facts, 'error')}`}`,
  till_reversed: (facts) =>
    `Caja ${said(facts, 'chain')} ${said(facts, 'branch')} ${said(facts, 'transaction')}: revertida`,
  cash_reference_made: (facts) =>
    `Referencia de tienda ${said(facts, 'reference')}: ${money(facts)}, hasta ${moment(facts, 'until')}. Ahora: ${coded(CASH_REFERENCE, facts, 'state')}`,
  notice_came: (facts) =>
    `Aviso de tienda ${said(facts, 'operation')}: ${said(facts, 'status')} ${money(facts)}${aside(moment(facts, 'paid'))} -> ${coded(NOTICE, facts, 'outcome')}`,
  receipt_made: (facts) =>
    `Recibo ${said(facts, 'folio')}: ${money(facts)} por ${coded(CHANNEL, facts, 'channel')}${said(facts, 'paid') === '' ? '' : `, pagado el ${moment(facts, 'paid')}`}${facts['withdrawn'] === 0 ? '' : `, retirado ${money(facts, 'withdrawn')}`}`,
  booked: (facts) =>
    `Libros, ${said(facts, 'kind')}: ${coded(ACCOUNT_WORDS, facts, 'debit')} -> ${coded(ACCOUNT_WORDS, facts, 'credit')} ${money(facts)}`,
  refund_owed: (facts) =>
    `Devolución ${said(facts, 'id')} por ${coded(REFUND_METHOD, facts, 'method')}: ${money(facts)}, ${coded(CAUSE, facts, 'cause')}. Ahora: ${state('refund', facts)}${aside(words(facts))}`,
  refund_done: (facts) =>
    `Devolución ${said(facts, 'id')} hecha: ${money(facts)}${aside([said(facts, 'provider'), said(facts, 'by'), facts['terminal'] === 1 ? 'en su terminal' : '', said(facts, 'evidence')].filter(Boolean).join(', '))}`,
  invoice_asked: (facts) =>
    `Factura ${said(facts, 'id')} pedida: ${money(facts)}, forma ${said(facts, 'form')}. Ahora: ${state('invoice', facts)}${aside(words(facts))}`,
  invoice_issued: (facts) => `Factura ${said(facts, 'id')} emitida: ${said(facts, 'folio')}`,
  email: (facts) =>
    `Correo ${said(facts, 'topic')}: ${coded(EMAIL, facts, 'state')} ${moment(facts, 'sent')}`,
  alert: (facts) =>
    `ALARMA ${alertAct(said(facts, 'kind'), '').what} (${said(facts, 'kind')}) de ${said(facts, 'subject')}, ${timesOf(Number(said(facts, 'times')))}${said(facts, 'resolved') === '' ? ', abierta' : ', resuelta'}`,
  operator_acted: (facts) =>
    `Operador ${said(facts, 'actor')}: ${said(facts, 'command')} ${said(facts, 'subject')}${aside(
      [PHASES[said(facts, 'phase')] ?? '', said(facts, 'reason')].filter(Boolean).join(': '),
    )}`,
};

const timesOf = (times: number) => (times === 1 ? 'una vez' : `${times} veces`);

/** `2026-11-20 14:03:07`, in Mexico City, as everything that an operator reads. */
const CLOCK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Mexico_City',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** An event as one line of the payment's history. */
export function happened({ at, kind, facts }: Happening): string {
  return onOneLine(`${CLOCK.format(at)}  ${HAPPENED[kind](facts)}`);
}

/** The first line of a payment's history. */
export function aboutMatch({
  purchaseId,
  referenceId,
  printed,
  sourceId,
  buyerEmail,
  merchant,
  product,
}: Match): string {
  const what =
    purchaseId === null
      ? referenceId === null
        ? `Dinero sin dueño: ${sourceId}`
        : `Apartado ${printed} sin pagar`
      : `Compra ${purchaseId}`;
  return onOneLine([what, product, merchant, buyerEmail].filter(Boolean).join(' · '));
}

/** What waits, and the next command. `closes`: that command itself takes it off the list. */
interface Act {
  readonly what: string;
  /** `id`: as it is typed. `detail`: the code of what stopped it. */
  readonly next: (id: string, detail: string) => string;
  readonly closes?: true;
}
const WHY = '--reason "..."';

const askingClip = (id: string) =>
  `pregunte a Clip; luego refund retry ${id} o refund to-cash ${id} --seen-unpaid`;
const comparing = (id: string) =>
  `compare con el panel de Clip; luego refund retry ${id} o refund external-refund ${id} ${WHY}`;
/** A dispute that is lost has taken the money: asked for again, it might be owed in cash as well. */
const ofDispute = (id: string) =>
  `si se gana: refund retry ${id} o, si se pierde: refund external-refund ${id} ${WHY}`;
const elsewhere = (id: string) => `refund external-refund ${id} ${WHY}`;

/** By what blocked a refund, as the runbook's table has it. */
const BLOCKED: Readonly<Record<string, (id: string) => string>> = {
  AI1804: (id) => `en disputa, espere: refund wait ${id} --until ... ${WHY}; luego, ${ofDispute(id)}`,
  AI1801: comparing,
  AI1802: comparing,
  'refunded by another way too': elsewhere,
  'another amount': elsewhere,
  [KEY_UNOPENED]: (id) => `key list; luego refund retry ${id}`,
};

/** What each alert means, and the command for its subject. */
const ALERTS: Readonly<Record<AlertKind, Act>> = {
  attempt_overdue: { what: 'Cobro sin respuesta', next: (id) => `payment check ${id}` },
  attempt_mismatch: {
    what: 'Clip dice algo raro de un cobro',
    next: (id) => `payment follow --by ${id}; luego, si salió dinero: payment external-refund ${id} ${WHY}`,
  },
  second_payment: { what: 'Cobro doble: se devuelve solo', next: (id) => `payment follow --by ${id}` },
  unknown_payment: { what: 'Cobro que nadie pidió', next: (id) => `payment follow --by ${id}` },
  merchant_not_swept: { what: 'No se pudo leer la lista de Clip', next: (id) => `key check ${id}` },
  provider_clock_off: { what: 'El reloj del servidor y el de Clip no coinciden', next: () => '' },
  merchant_key_refused: {
    what: 'Clip rechaza la clave de un comercio',
    next: (id) => `key check ${id}; luego key set ${id} clip`,
  },
  refund_blocked: {
    what: 'Devolución detenida',
    next: (id, detail) => BLOCKED[detail]?.(id) ?? askingClip(id),
    closes: true,
  },
  refunds_paused: {
    what: 'Devoluciones en pausa: clave rechazada',
    next: (id) => `key check ${id}; luego key set ${id} clip o, si Clip ya la acepta: refund retry ...`,
    closes: true,
  },
  refund_found_back: { what: 'Devolución que ya estaba hecha', next: () => '' },
  refund_approved_late: {
    what: 'Devolución que se hizo aunque se había dejado',
    next: (id) => `refund external-refund ${id} ${WHY}`,
    closes: true,
  },
  refund_undone: {
    what: 'Devolución hecha que el banco regresó: el comprador no tiene su dinero',
    next: (id) => `payment follow --by ${id}`,
  },
  refund_moved_to_cash: {
    what: 'Devolución que pasó a efectivo',
    next: (id) => `refund paid ${id} --by merchant --evidence "..." o refund external-refund ${id} ${WHY}`,
    closes: true,
  },
  cash_notice_refused: {
    what: 'Aviso de la red con otra clave, o que no se entiende',
    next: () => 'cash compare --day ... --file ...',
  },
  cash_notice_missed: {
    what: 'Efectivo del que no llegó aviso: se encontró preguntando',
    next: () => 'cash compare --day ... --file ...',
  },
  cash_reference_unknown: { what: 'La red no conoce una referencia que dio', next: () => '' },
  cash_reference_unanswered: {
    what: 'La red no dice qué pasó con una referencia, o no se pudo anotar',
    next: (id) => (id === 'tapi' ? '' : `payment follow --by ${id}; luego cash compare --day ... --file ...`),
  },
  cash_notice_unknown: { what: 'Aviso que la red no conoce', next: (id) => `cash check ${id}` },
  cash_notice_elsewhere: { what: 'Aviso desde otra dirección', next: () => '' },
  cash_notice_changed: { what: 'Aviso que cambió', next: (id) => `payment follow --by ${id}` },
  cash_notice_twice: { what: 'Aviso doble', next: (id) => `payment follow --by ${id}` },
  unapplied_cash: {
    what: 'Efectivo sin dueño',
    next: (id) =>
      `cash assign ${id} --purchase ... ${WHY} o cash reserve ${id} --reference ... ${WHY} o cash returned ${id} --evidence "..."`,
    closes: true,
  },
  cash_reversal_impossible: {
    what: 'La red quitó dinero que ya tenía lugar',
    next: (id) => `cash reversed ${id} ${WHY}`,
    closes: true,
  },
  invoice_in_review: {
    what: 'Factura por revisar',
    next: (id) => `invoice resolve ${id} --is ...`,
    closes: true,
  },
  invoice_to_cancel: {
    what: 'Factura por cancelar',
    next: (id) => `invoice resolve ${id} --is cancelled; con nota de crédito: --is credited`,
    closes: true,
  },
  invoice_refused: { what: 'Factura rechazada por datos del comercio', next: () => '' },
  invoice_stamped_late: { what: 'Factura que se timbró ya resuelta', next: () => '' },
  till_foreign_chain: {
    what: 'Caja que dijo otra cadena',
    next: () => 'till list; luego, si es robada: till revoke ...',
  },
  till_foreign_merchant: {
    what: 'Caja que pidió una referencia de un comercio que no es suyo',
    next: () => 'till assign ... --merchants ...; si es robada: till revoke ...',
  },
  till_over_cap: {
    what: 'Caja en su tope del día',
    next: () => 'till list; luego, si es robada: till revoke ...',
  },
  till_unknown_references: {
    what: 'Caja con referencias que no existen',
    next: () => 'till list; luego, si es robada: till revoke ...',
  },
  service_account_elsewhere: {
    what: 'Cuenta desde otra dirección',
    next: () => 'till edit ... --addresses ... o till rotate ... o integrator rotate ...',
  },
  webhook_undelivered: {
    what: 'Aviso que el sistema de la tienda no tomó',
    next: () =>
      'avise al dueño: en el mostrador, Avisos, se ve y se vuelve a encender; OURS: vea la bitácora',
  },
  job_gave_up: { what: 'Trabajo que se rindió', next: (id) => `job retry ${id}`, closes: true },
  books_broken: { what: 'Los libros no cuadran', next: () => 'books check' },
};

/** What each waiting row means, and its next command. */
const WAITS: Readonly<Record<Exclude<Waiting['kind'], 'alert'>, Act>> = {
  held: {
    what: 'Cobro detenido',
    next: (id) => `payment follow --by ${id}; luego payment apply ${id} ${WHY} o payment return ${id} ${WHY}`,
    closes: true,
  },
  held_unknown: {
    what: 'Cobro sin dueño',
    next: (id) => `payment follow --by ${id}; luego payment return ${id} ${WHY}`,
    closes: true,
  },
  refund_blocked: ALERTS.refund_blocked,
  refunds_paused: ALERTS.refunds_paused,
  refund_in_cash: {
    what: 'Devolución en efectivo',
    next: (id) => `refund paid ${id} --by merchant --evidence "..." o en el mostrador: Devoluciones`,
    closes: true,
  },
  refund_on_terminal: {
    what: 'Devolución de lo que cobró la terminal del comercio',
    next: (id) =>
      `en el mostrador: Devoluciones; o refund paid ${id} --by merchant --on terminal --evidence "..."; en efectivo, sin --on`,
    closes: true,
  },
  refund_moved_to_cash: ALERTS.refund_moved_to_cash,
  invoice_in_review: ALERTS.invoice_in_review,
  invoice_to_cancel: ALERTS.invoice_to_cancel,
  notice_unapplied: ALERTS.unapplied_cash,
  claim_overdue: {
    what: 'Reclamo que su comercio no contestó o no cumplió',
    next: (id) => `claim show ${id}; luego, si no entrega ni devuelve, claim refund ${id} ${WHY}`,
    closes: true,
  },
  email_failed: {
    what: 'Correo que no salió',
    next: (id) => `email retry ${id} o email drop ${id}; si fueron muchos, email retry-all`,
    closes: true,
  },
  job_gave_up: ALERTS.job_gave_up,
  job_overdue: {
    what: 'Trabajo atrasado: nadie lo toma',
    next: (id) => `vea si los servidores corren (JobsNotRun); luego payment waiting${byHand(id)}`,
  },
  refund_declined: {
    what: 'Devolución que Clip aún no hace: se pide sola a las 14:00, 18:00 y 22:00',
    next: (id, detail) =>
      detail.startsWith(NOT_SEEN)
        ? `pregunte a Clip si va en camino; si urge: refund check ${id}`
        : `si urge: refund check ${id} o refund to-cash ${id}`,
  },
  refund_unanswered: {
    what: 'Devolución sin respuesta de Clip: se pregunta sola',
    next: (id) => `si urge: refund check ${id}`,
  },
  refund_quiet: {
    what: 'Devolución detenida que se dejó esperar hasta ese día',
    next: (id, detail) =>
      detail.startsWith('AI1804') ? ofDispute(id) : `si termina antes: refund retry ${id}`,
  },
};

/** An open alert: what it means and every command up to the one that closes it. */
export function alertAct(
  kind: string,
  subject: string,
  detail = '',
): { readonly what: string; readonly next: string } {
  const closing = `alert resolve ${asTyped(`${kind}:${subject}`)} ${WHY}`;
  if (!isAlertKind(kind)) return { what: kind, next: closing };
  const { what, next, closes } = ALERTS[kind];
  const act = next(asTyped(subject), detail);
  return { what, next: closes ? act : act === '' ? closing : `${act}; luego ${closing}` };
}

/** An open alert in words, how often it was raised, and what to do. */
export function openAlert({ kind, subject, code, times }: OpenAlert): {
  readonly said: string;
  readonly next: string;
} {
  const { what, next } = alertAct(kind, subject, code);
  return { said: `${what} (${kind} ${subject}): ${timesOf(times)}`, next };
}

/** What a waiting row is, and what to do. */
export function actOf({ kind, id, detail }: Pick<Waiting, 'kind' | 'id' | 'detail'>): {
  readonly what: string;
  readonly next: string;
} {
  // A job's is split first.
  const typed = kind === 'job_overdue' ? id : asTyped(id);
  if (kind !== 'alert') return { what: WAITS[kind].what, next: WAITS[kind].next(typed, detail) };
  const [of = '', ...subject] = id.split(':');
  return alertAct(of, subject.join(':'));
}

/** By the task of a job that no worker takes: a command that does the same now. */
const BY_HAND: Readonly<Record<string, string>> = {
  'resolve_attempt resolve': 'payment check',
  'refund_card refund': 'refund check',
  'check_cash_operation cash': 'cash check',
  'issue_invoice invoice': 'invoice retry',
};

function byHand(id: string): string {
  const [job = '', ...subject] = id.split(':');
  const command = BY_HAND[job];
  return command === undefined ? '' : `; si urge: ${command} ${asTyped(subject.join(':'))}`;
}

const ERROR_LENGTH = 80;

/** The job that should move a waiting row, and how it stands. */
export function jobOf(job: Waiting['job']): string {
  if (job === null) return '';
  const { task, key, standing, at, tries, lastError } = job;
  const when = at === null ? '' : formatMoment(new Date(at));
  const failed = lastError === null ? '' : `; último error: ${lastError.slice(0, ERROR_LENGTH)}`;
  const tried = tries === 0 ? '' : aside(`${tries === 1 ? '1 intento' : `${tries} intentos`}${failed}`);
  return `${[task, key].filter(Boolean).join(' ')}: ${STANDINGS[standing](when)}${tried}`;
}

const STANDINGS: Readonly<Record<NonNullable<Waiting['job']>['standing'], (when: string) => string>> = {
  later: (when) => `le toca el ${when}`,
  due: () => 'le toca ya',
  overdue: (when) => `atrasado desde el ${when}, nadie lo toma`,
  running: (when) => `corre desde el ${when}`,
  left: (when) => `su servidor murió; corría desde el ${when}`,
  gave_up: () => 'se rindió',
  missing: () => 'no está en la cola',
};

/** Quotes an argument for the shell: a subject may be what somebody outside chose. */
function asTyped(argument: string): string {
  return /^[\w:.@-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}

/** What an external refund was taken from. */
const TAKEN: Readonly<Record<Taken['was'], (part: Taken, purchase: number | undefined) => string>> = {
  refund: (part) =>
    part.was !== 'refund'
      ? ''
      : part.leftCentavos === 0
        ? `La devolución ${part.refund.id} queda hecha: ${formatMoney(part.amountCentavos)}.`
        : `De la devolución ${part.refund.id} faltan ${formatMoney(part.leftCentavos)}.`,
  purchase: ({ amountCentavos }, purchase) =>
    `La compra ${purchase ?? ''} ya no cuenta ${formatMoney(amountCentavos)}.`,
  loss: ({ amountCentavos }) => `Lo pierde el comercio: ${formatMoney(amountCentavos)}.`,
};

/** Whether a buyer can ask for the invoice of a receipt. */
export const UNINVOICED: Readonly<Record<UninvoicedState, string>> = {
  open: 'sí',
  over: 'ya pasó su plazo',
  unpaid: 'el abono no está completo',
  'not-offered': 'el comercio no factura aquí',
};

const attemptIs = (code: string) => `El intento está ahora: ${inWords(STATES.card_attempt, code)}.`;

/** Why nothing is known from Clip of an attempt. */
function unasked(why: string): string {
  if (why === KEY_UNOPENED)
    return 'No se le preguntó a Clip: la clave guardada del comercio no se abre (key list).';
  return isPairRefused(why)
    ? `Clip no acepta la clave del comercio (${why}): vea key check.`
    : `No se llegó a Clip, o no dijo nada que sirva (${why}). Intente más tarde.`;
}

/** Texts of the payment, refund, invoice and alert commands. */
export const PAYMENTS = {
  notFound: 'Nada coincide con eso.',
  noAlerts: 'No hay ninguna alarma abierta.',
  several: 'Varias cosas coinciden. Pregunte por una con payment follow --by y su número:',
  knownBuyer: (clue: string) =>
    `${clue} tiene cuenta, pero no ha apartado nada: pudo pagar desde otra. Pregunte por el número o el folio de su recibo.`,
  checked: (code: string) => `Se le preguntó a Clip y contestó. ${attemptIs(code)}`,
  justChecked: (code: string) =>
    `No se le preguntó a Clip: hace un momento ya se le preguntó. Repita en unos segundos. ${attemptIs(code)}`,
  notChecked: (why: string, code: string) => `${unasked(why)} ${attemptIs(code)}`,
  applied: (amount: string) => `Aplicado: ${amount}.`,
  returned: (amount: string) => `Se devuelve completo: ${amount}. La devolución sale en un momento.`,
  refundChecked: (code: string) => `La devolución está ahora: ${inWords(STATES.refund, code)}.`,
  refundAgain:
    'Se vuelve a pedir, empezando por leer lo que Clip ya devolvió. Si todas las del comercio estaban en pausa, siguen todas.',
  refundWaits: (until: string) => `Espera, sin alarma, hasta el ${until}.`,
  toCash: (id: number) => `Ahora se debe en efectivo: es la devolución ${id}.`,
  paid: (amount: string, last4: string | undefined) =>
    last4 === undefined
      ? `Anotada como entregada: ${amount}. Se le avisa al comprador.`
      : `Anotada como devuelta en la terminal a la tarjeta ${last4}: ${amount}. Se le avisa al comprador.`,
  bounced: (amount: string) => `Se debe otra vez: ${amount}.`,
  externalRefund: (amount: string, taken: readonly Taken[], purchase: number | undefined) =>
    [
      `Anotado: salieron ${amount} por otro camino.`,
      ...taken.map((part) => `  ${TAKEN[part.was](part, purchase)}`),
    ].join('\n'),
  returnedByNetwork: 'Anotado: la red lo devolvió a quien lo pagó. No espera a nadie.',
  reversed: (amount: string, lost: string | undefined, purchase: number | undefined) =>
    `Anotado: la red quitó ${amount}.` +
    (purchase === undefined ? '' : ` La compra ${purchase} ya no lo cuenta.`) +
    (lost === undefined ? '' : ` De eso, ${lost} los pierde el comercio: ya se habían entregado o retenido.`),
  jobRuns: 'El trabajo corre en un momento.',
  cashChecked: 'Se le preguntó a la red de tiendas. Vea cómo quedó con payment follow.',
  assigned: (amount: string, outcome: 'applied' | 'owed_back') =>
    outcome === 'applied'
      ? `Aplicado: ${amount}. Lo que sobre se le debe al comprador.`
      : `La compra ya no debe nada: se le deben al comprador ${amount}.`,
  depositAssigned: (amount: string, outcome: 'applied' | 'owed_back') =>
    outcome === 'applied'
      ? `Apartado con ${amount}. Lo que sobre se le debe al comprador.`
      : `No se pudo apartar: se le deben al comprador ${amount}.`,
  emailGoes: 'El correo sale en un momento.',
  emailsGo: (emails: number) =>
    emails === 0
      ? 'Desde ese día no hay correos sin salir.'
      : `Correos que salen en unos momentos: ${emails}.`,
  emailDropped: 'Ese correo ya no se envía.',
  nothingWaits: 'Nada espera a una persona.',
  invoiceResolved: 'Factura resuelta.',
  noInvoices: 'No hay facturas así.',
  nothingUninvoiced: 'No hay recibos sin factura.',
  uninvoicedTotal: (receipts: number) => `Total: ${receipts} ${receipts === 1 ? 'recibo' : 'recibos'}`,
  invoiceGoesOn: 'La factura sigue en un momento.',
  resolved: 'Alarma cerrada. Se abre otra vez si vuelve a pasar.',
} as const;
