import { formatDate, formatMoment, mexicoCityDate, type DateOnly } from '@aparta/domain/calendar';
import { formatMoney, type Centavos } from '@aparta/domain/money';
import { groupDigits } from '@aparta/domain/payment-reference';
import type { PurchaseShow } from '@aparta/domain/shop-lists';

const emails: Readonly<Record<string, string>> = {
  layaway_paid: 'Apartado pagado',
  instalment_paid: 'Pago recibido',
  purchase_cancelled: 'Compra cancelada',
  payment_returned: 'Pago devuelto',
  payment_in_review: 'Pago en revisión',
  payment_not_charged: 'Pago que no se cobró',
  payment_abandoned: 'Pago sin terminar',
  refund_done: 'Devolución hecha',
  refund_paid_in_cash: 'Devolución entregada en efectivo',
  refund_in_cash: 'Devolución por recoger en efectivo',
  till_reversed: 'Cobro devuelto en caja',
  store_reversed: 'Pago que la tienda quitó',
  card_reversed: 'Pago con tarjeta que se quitó',
  cash_owed_back: 'Efectivo por devolver',
  invoice_issued: 'Factura',
  invoice_refused: 'Factura rechazada',
  invoice_cancelled: 'Factura cancelada',
};

/** Texts of the shop's purchases. */
export const purchasesCopy = {
  title: 'Compras',
  lists: 'Qué compras ver',
  ages: 'De cuántos días',
  soon: 'En cuántos días',
  shows: {
    all: 'Todas',
    active: 'Por pagar',
    late: 'Vencidas',
    late_30: '1 a 30 días',
    late_60: '31 a 60 días',
    late_61: '61 días o más',
    due_5: '5 días',
    due_10: '10 días',
    due_15: '15 días',
    paid_off: 'Liquidadas',
    cancelled: 'Canceladas',
    waiting: 'Apartados sin pagar',
    expiring: 'Vencen hoy',
  } satisfies Record<PurchaseShow, string>,
  allLate: 'Todas las vencidas',
  dueSoon: 'Próximos pagos',
  search: 'Buscar',
  searchFor: 'Número, folio, nombre o fin del teléfono',
  searchForNumbers: 'Número, folio o compra',
  searching: 'Buscando…',
  found: (search: string) => `Con «${search}»`,
  clear: 'Quitar la búsqueda',
  loading: 'Cargando las compras',
  failed: 'No pudimos cargar las compras',
  retrying: 'Cargando…',
  empty: 'No hay compras así.',
  more: 'Ver más',
  moreBusy: 'Cargando…',
  purchase: (id: number) => `Compra ${id}`,
  reservation: 'Apartado',
  late: (days: number) => (days === 1 ? 'Venció ayer' : `Vencida hace ${days} días`),
  due: (on: DateOnly) => `Siguiente pago: ${formatDate(on)}`,
  expires: (at: Date) => `Vence el ${formatMoment(at)}`,
  waiting: 'Sin pagar',
  pick: 'Elige una compra para ver su historia.',

  story: {
    loading: 'Cargando la compra',
    failed: 'No pudimos cargar la compra',
    missing: 'Esa compra no es de tu tienda.',
    back: 'Compras',
    made: (at: Date) => `Comprada el ${formatDate(mexicoCityDate(at))}`,
    cancelled: (at: Date) => `Cancelada el ${formatDate(mexicoCityDate(at))}`,
    buyer: 'Comprador',
    price: 'Precio',
    paid: 'Pagado',
    balance: 'Debe',
    charge: 'Cobrar',
    write: 'Escribir por WhatsApp',
    plan: 'Plan de pagos',
    item: (number: number, of: number) => (number === 1 ? 'Apartado' : `Pago ${number} de ${of}`),
    dueOn: (on: DateOnly) => `Vence el ${formatDate(on)}`,
    wasDueOn: (on: DateOnly) => `Venció el ${formatDate(on)}`,
    left: 'Falta',
    payments: 'Pagos recibidos',
    noPayments: 'No hay pagos.',
    methods: {
      card: 'Tarjeta en línea',
      counter_cash: 'Efectivo en el mostrador',
      counter_terminal: 'Tarjeta en tu terminal',
      till: 'Tu caja',
      store: 'Efectivo en tienda de la red',
    },
    takenBy: (by: string, branch: string) => `${by}, ${branch}`,
    folio: (folio: string) => `Folio ${folio}`,
    moment: formatMoment,
    withdrawn: (amount: Centavos) => `Se devolvieron ${formatMoney(amount)}`,
    refunds: 'Devoluciones',
    refundedTo: { card: 'A su tarjeta', cash: 'En efectivo' },
    refundStates: {
      owed: 'Por entregar',
      sending: 'En camino',
      unknown: 'En revisión',
      blocked: 'En revisión',
      done: 'Hecha',
      moved_to_cash: 'Pasó a efectivo',
    },
    emails: 'Correos al comprador',
    noEmails: 'No hay correos.',
    email: (topic: string) => emails[topic] ?? 'Aviso',
    emailStates: {
      waiting: 'Por enviar',
      sent: 'Enviado',
      failed: 'No se pudo enviar',
      dropped: 'No se envió',
    },
  },

  message: {
    title: 'Escribir por WhatsApp',
    text: 'Se abre WhatsApp con este mensaje. Nada se envía hasta que tú lo mandes.',
    label: 'Mensaje',
    open: 'Abrir WhatsApp',
    draft: ({
      name,
      shop,
      product,
      overdue,
      since,
      reference,
    }: {
      name: string;
      shop: string;
      product: string;
      overdue: Centavos;
      since: DateOnly;
      reference: string;
    }) =>
      `Hola, ${name}. Te escribimos de ${shop}. De tu apartado de ${product} falta un pago de ${formatMoney(overdue)} que venció el ${formatDate(since)}. Puedes pagarlo con el número ${groupDigits(reference)}. ¿Cuándo podrías hacerlo?`,
  },
} as const;
