import {
  daysBetween,
  formatDate,
  formatDateLong,
  formatMoment,
  type DateOnly,
} from '@aparta/domain/calendar';
import { formatCount, formatMoney, type Centavos } from '@aparta/domain/money';
import type { PaymentMethod } from '../data/receipts.ts';

/** When an instalment is due, relative if near (rules/wire#screens). Whether it is late is decided by the server. */
export function dueWords(dueOn: DateOnly, today: DateOnly, late: boolean): string {
  const days = daysBetween(today, dueOn);
  if (late) {
    if (days === -1) return 'Venció ayer';
    return days < -1 && days > -31 ? `Venció hace ${-days} días` : `Venció el ${formatDate(dueOn)}`;
  }
  if (days === 0) return 'Vence hoy';
  if (days === 1) return 'Vence mañana';
  return days > 1 && days <= 7 ? `Vence en ${days} días` : `Vence el ${formatDate(dueOn)}`;
}

/** Kept on one line. */
const numberOf = (number: number, of: number) => `Pago\u00a0${number}\u00a0de\u00a0${of}`;
const methods: Record<PaymentMethod, string> = { card: 'tarjeta', till: 'caja', cash: 'tienda' };
const card = (last4: string | undefined) =>
  last4 === undefined ? 'tarjeta' : `tarjeta\u00a0••••\u00a0${last4}`;

const includes = (fee: Centavos) => (fee > 0 ? `Incluye ${formatMoney(fee)} de cargo por servicio. ` : '');

/** Texts of purchases, cancelling, receipts, next payment and dashboard. Spec §2's and spec §8's are literal. */
export const purchasesCopy = {
  list: {
    title: (product: string) => `Listado de compras en ${product}`,
    // In spec §2's words.
    empty:
      'Tu listado de compras está vacio! Para realizar un apartado toma foto del código QR del producto o servicio y después inicia sesión.',
    reserve: 'Realizar Apartados',
    statement: 'Estado de cuenta',
    filter: 'Filtrar compras',
    filtered: 'Filtrar compras:',
    // Spec §2's options by spec §4's codes.
    filters: { 1: 'Todas', 2: 'Activa', 3: 'Liquidada', 4: 'Cancelada' },
    showing: (filter: string) => `Se muestran: ${filter}`,
    none: {
      3: 'Todavía no tienes compras liquidadas.',
      4: 'No tienes compras canceladas.',
    },
    seeAll: 'Ver todas mis compras',
    count: (total: number) => (total === 1 ? '1 compra' : `${formatCount(total)} compras`),
    loading: 'Cargando tus compras',
    failed: 'No pudimos cargar tus compras',
    retrying: 'Cargando…',
    more: 'Ver más',
    moreFailed: 'No pudimos cargar las que siguen.',
    shown: (shown: number, total: number) => `Se muestran ${shown} de ${total} compras`,
  },

  card: {
    purchase: (id: number) => `Compra ${id}`,
    price: 'Monto',
    deposit: 'Adelanto',
    paid: 'Total pagos',
    client: 'Cliente',
    open: 'Visualizar cxc',
    openWhich: (product: string, id: number) => `de ${product}, compra ${id}`,
    cancel: 'Canc.Compra',
    cancelWhich: (product: string, id: number) => `de ${product}, compra ${id}`,
    waitsAtStore: 'Esperando pago en tienda',
  },

  kept: {
    at: (branch: string) => `Guardado en ${branch}`,
    since: (date: string) => `La tienda lo guarda para ti desde el ${date}.`,
    checked: (date: string) => `La tienda lo revisó el ${date}.`,
  },

  detail: {
    title: 'Tu compra',
    back: 'Pagos pendientes',
    loading: 'Cargando tu compra',
    failed: 'No pudimos cargar tu compra',
    missing: {
      title: 'No encontramos esta compra',
      text: 'No existe o no es de tu cuenta.',
      toList: 'Ver mis compras',
    },
    next: 'Siguiente pago',
    numberOf,
    amount: 'Valor',
    paid: 'Pagos',
    balance: 'Saldo',
    withCard: (total: Centavos, fee: Centavos) =>
      `Con tarjeta pagas ${formatMoney(total)}: incluye ${formatMoney(fee)} de cargo por servicio.`,
    pay: 'Realizar pago',
    askForHelp: 'Que me ayuden',
    atTill: (number: string) => `En caja: ${number}`,
    loadingAct: 'Preparando tu pago',
    actFailed: 'No pudimos preparar tu pago',
    confirming: {
      title: 'Estamos confirmando tu pago con tarjeta.',
      text: 'No vuelvas a pagar hasta que te digamos cómo quedó.',
      go: 'Ver cómo va',
    },
    atStore: { title: 'Tu referencia para pagar en tienda sigue vigente.', go: 'Ver referencia' },
    payments: 'Tus pagos',
    left: (owed: Centavos) => `Faltan ${formatMoney(owed)}`,
    item: (number: number, of: number) => {
      if (number === 1) return 'Pago 1 · Adelanto';
      return number === of ? `Pago ${number} · Último` : `Pago ${number}`;
    },
    wouldBeDue: (on: DateOnly) => `Iba a vencer el ${formatDate(on)}`,
    dueOn: (on: DateOnly) => `Vence el ${formatDate(on)}`,
    lateSince: (on: DateOnly) => `Venció el ${formatDate(on)}`,
    change: 'Cambiar fecha',
    changeOf: (number: number) => `del pago ${number}`,
    was: (on: DateOnly) => `Antes: ${formatDate(on)}`,
    isPart: 'Es parte de un pago que partiste en dos',
    dropped: 'Ya no se cobra',
    partial: 'Pago parcial',
    applied: 'Abono aplicado',
    how: ({
      on,
      method,
      last4,
      payer,
    }: {
      on: DateOnly;
      method: PaymentMethod;
      last4: string | undefined;
      payer: string | undefined;
    }) =>
      `${formatDate(on)} · ${payer === undefined ? '' : `${payer} · `}${method === 'card' ? card(last4) : methods[method]}`,
    receipt: 'Ver recibo',
    receiptOf: (folio: string) => folio,
    paidOff: {
      label: 'Compra liquidada',
      paid: 'Pagaste en total',
      text: 'Liquidaste tu compra: no te falta ningún pago.',
    },
    endedBy: {
      buyer: (on) => `Cancelaste esta compra el ${formatDateLong(on)}.`,
      merchant: (on) => `La tienda terminó esta compra el ${formatDateLong(on)} y te devuelve todo.`,
      rule: (on) => `Esta compra terminó el ${formatDateLong(on)}, por la regla de atraso de su contrato.`,
      claim: (on) => `Esta compra terminó el ${formatDateLong(on)} por tu reclamo, y se te devuelve todo.`,
      reversal: (on) => `Esta compra terminó el ${formatDateLong(on)}: se quitó lo que se había pagado.`,
    } satisfies Record<string, (on: DateOnly) => string>,
    reason: (reason: string) => `Motivo: ${reason}`,
    client: (name: string) => `Cliente: ${name}`,
    endsLate: (days: number) =>
      `Si un abono pasa ${days} días vencido, la compra se cancela sola. Antes te avisamos dos veces por correo.`,
  },

  ending: {
    title: (on: DateOnly) => `Se cancela el ${formatDateLong(on)} si no pagas antes`,
    moreTime: (on: DateOnly) => `La tienda te da más tiempo: hasta el ${formatDateLong(on)}`,
    text: (sum: Centavos) => `Paga los ${formatMoney(sum)} del abono vencido y tu compra sigue.`,
  },

  refunds: {
    title: 'Tu devolución',
    bill: 'La cuenta de tu devolución',
    returned: 'Se te devuelve',
    several: 'Tus devoluciones',
    loading: 'Cargando tus devoluciones',
    failed: 'No pudimos cargar tus devoluciones',
    toCard: (amount: Centavos, last4: string | undefined, payer: string | undefined) =>
      `${formatMoney(amount)} a ${payer === undefined ? `tu ${card(last4)}` : `la tarjeta de ${payer}`}`,
    inCash: (amount: Centavos) => `${formatMoney(amount)} en efectivo`,
    none: 'De esta compra no quedó nada por devolver.',
    states: {
      card: {
        owed: 'Por enviar. La enviamos a tu banco en cuanto se pueda.',
        confirming: 'Enviada. Estamos confirmando que tu banco la recibió.',
        in_review: 'En revisión. Una persona la está viendo; no tienes que hacer nada.',
      },
      cash: {
        owed: 'Por entregar. El comercio te lo entrega: pídelo en su caja.',
        confirming: 'Por entregar. Estamos confirmando la entrega con el comercio.',
        in_review: 'En revisión. Una persona la está viendo; no tienes que hacer nada.',
      },
    },
    done: {
      card: (on: DateOnly) => `Devuelta el ${formatDate(on)}. Tu banco puede tardar unos días en mostrarla.`,
      cash: (on: DateOnly) => `Entregada el ${formatDate(on)}.`,
    },
    doneAt: { card: 'Devuelta.', cash: 'Entregada.' },
    of: (folio: string) => `Del pago con folio ${folio}.`,
  },

  pay: {
    title: 'Realizar pago',
    of: (product: string, number: number, of: number) => `${product}\u00a0· ${numberOf(number, of)}`,
    // Spec §2; rules/layaways#paying: at the purchase's last instalment.
    last: 'Ultimo pago a realizar!',
    howMuch: '¿Cuánto quieres pagar?',
    next: (sum: Centavos) => `Lo que sigue: ${formatMoney(sum)}`,
    late: (sum: Centavos) => `Ponerme al corriente: ${formatMoney(sum)}`,
    all: (sum: Centavos) => `Todo lo que falta: ${formatMoney(sum)}`,
    other: 'Otro monto',
    otherField: 'Monto en pesos',
    otherHint: (least: Centavos, most: Centavos) => `De ${formatMoney(least)} a ${formatMoney(most)}.`,
    otherWrong: (least: Centavos, most: Centavos) =>
      `Escribe un monto de ${formatMoney(least)} a ${formatMoney(most)}.`,
    card: 'Pago con clip',
    cardText: (fee: Centavos) => `${includes(fee)}Se refleja al momento.`,
    noCards: 'Este comercio no acepta pagos con tarjeta.',
    store: 'Pago presencial',
    storeText: (fee: Centavos) =>
      `En efectivo en tienda. ${includes(fee)}Se refleja en minutos o al día siguiente.`,
    till: (merchant: string) => `En la caja de ${merchant}`,
    tillText: (fee: Centavos) => `Muestra tu número. ${includes(fee)}Se refleja al momento.`,
    close: 'Cerrar',
  },

  together: {
    open: (count: number) => `Pagar lo atrasado de ${count} compras`,
    title: 'Ponerte al corriente',
    text: (merchant: string) =>
      `Un solo cobro con tarjeta para lo atrasado de tus compras en ${merchant}. Se abona a todas o se te devuelve completo.`,
    fee: 'Cargo por servicio',
    total: 'Total',
    pay: (total: Centavos) => `Pagar ${formatMoney(total)} con tarjeta`,
    close: 'Cerrar',
  },

  cancel: {
    // Spec §2.
    title: '¿Estas seguro de cancelar tu compra?',
    of: (product: string, id: number) => `${product}\u00a0· Compra ${id}`,
    loading: 'Calculando tu devolución',
    failed: 'No pudimos calcular tu devolución',
    paid: 'Pagado',
    penalty: 'Cargo por cancelar',
    feesReturned: 'Cargo por servicio',
    refund: 'Te devolvemos',
    free: (until: Date) =>
      `Puedes cancelar sin costo hasta el ${formatMoment(until)}, hora de la Ciudad de México.`,
    feesKept: (fees: Centavos) => `El cargo por servicio de ${formatMoney(fees)} no se devuelve.`,
    toCard: 'Te lo devuelve tu banco; puede tardar unos días en aparecer.',
    inCash: (merchant: string) => `Te lo entrega ${merchant} en su caja. Aquí verás cómo va.`,
    nothing: 'El cargo por cancelar es igual o mayor que lo pagado: no hay nada que devolver.',
    invoiced: 'Esta compra tiene factura. Al cancelarla, el comercio también cancela o corrige la factura.',
    changed: 'La devolución cambió.',
    changedText: (before: Centavos, now: Centavos) =>
      `Antes eran ${formatMoney(before)} y ahora son ${formatMoney(now)}. No se canceló nada: revisa y confirma otra vez.`,
    reason: 'Motivo',
    reasonHint: 'Opcional. Le ayuda al comercio a mejorar.',
    confirm: 'Cancelar Venta',
    cancelling: 'Cancelando…',
    calculating: 'Calculando…',
    keep: 'Conservar mi compra',
  },

  receipt: {
    title: 'Recibo de pago',
    loading: 'Cargando tu recibo',
    failed: 'No pudimos cargar tu recibo',
    missing: {
      title: 'No encontramos este recibo',
      text: 'No existe o no es de tu cuenta.',
    },
    paid: 'Pagaste',
    payer: 'Lo pagó',
    date: 'Fecha',
    booked: 'Registrado',
    folio: 'Folio',
    method: 'Forma de pago',
    methods: {
      card: (last4: string | undefined) =>
        last4 === undefined ? 'Tarjeta' : `Tarjeta\u00a0••••\u00a0${last4}`,
      till: () => 'En caja del comercio',
      cash: () => 'Efectivo en tienda',
    },
    part: (number: number, of: number) => `Abono al pago ${number} de ${of}`,
    other: (product: string) => `Abono a ${product}`,
    fee: 'Cargo por servicio',
    product: 'Producto',
    buyer: 'Cliente',
    purchase: 'Compra',
    left: 'Te falta',
    next: 'Siguiente pago',
    paidOff: 'No te falta ningún pago.',
    cancelled: 'Esta compra se canceló: no te falta ningún pago.',
    refunded: 'Devolución',
    invoiceUntil: (day: DateOnly) => `Puedes pedir tu factura hasta el ${formatDate(day)}, en tu compra.`,
    invoiceTooLate: (day: DateOnly, merchant: string) =>
      `Podías pedir tu factura hasta el ${formatDate(day)}. Si la necesitas, pregunta en ${merchant}.`,
    merchant: 'Comercio',
    phone: (phone: string) => `Tel. ${phone}`,
    hour: (at: Date) => `${formatMoment(at)} h`,
    pdf: 'Descargar PDF',
    pdfBusy: 'Descargando…',
    pdfDone: (name: string) => `Guardamos ${name} en tus descargas.`,
    pdfFailed: 'No pudimos descargar el PDF. Vuelve a intentarlo.',
    share: 'Compartir',
    shareBusy: 'Preparando…',
    shareFailed: 'No pudimos compartir el recibo. Descárgalo y compártelo desde tu teléfono.',
    shareText: (folio: string, amount: Centavos, product: string) =>
      `Recibo ${folio}: ${formatMoney(amount)} de ${product}.`,
    print: 'Imprimir',
    toPurchase: 'Ver mi compra',
  },

  nextPayment: {
    title: 'Tu próximo pago',
    loading: 'Cargando tu próximo pago',
    failed: 'No pudimos cargar tu próximo pago',
    lateOthers: (count: number) =>
      count === 1 ? 'Tienes otro pago vencido.' : `Tienes otros ${count} pagos vencidos.`,
    seeLate: 'Ver mis compras',
    see: 'Ver compra',
    where: (merchant: string, number: number, of: number) => `${merchant}\u00a0· ${numberOf(number, of)}`,
  },

  upcoming: {
    title: 'Tus próximos abonos',
    months: ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic'],
  },

  dashboard: {
    // rules/wire#screens, from spec §2.
    title: 'Welcome User!',
    intro: 'Así van tus compras.',
    owed: 'Lo que te falta pagar',
    owedOf: (count: number) => (count === 1 ? 'De 1 compra activa.' : `De ${count} compras activas.`),
    atLeast: 'Más de',
    progress: 'Cómo va cada compra',
    left: (owed: Centavos) => `Faltan ${formatMoney(owed)}`,
    toList: 'Ver todas mis compras',
  },
} as const;
