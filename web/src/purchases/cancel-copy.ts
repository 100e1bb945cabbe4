import { formatMoment } from '@aparta/domain/calendar';
import { formatMoney, type Centavos } from '@aparta/domain/money';

/** Texts of cancelling. Spec §2's and spec §8's are literal. */
export const cancelCopy = {
  // Spec §2.
  title: '¿Estas seguro de cancelar tu compra?',
  of: (product: string, id: number) => `${product}\u00a0· Compra ${id}`,
  loading: 'Calculando tu devolución',
  failed: 'No pudimos calcular tu devolución',
  paid: 'Pagado',
  penalty: 'Cargo por cancelar',
  feesReturned: 'Cargo por servicio',
  refund: 'Te devolvemos',
  /** Where a part goes back to who helped. */
  refundOfAll: 'Se devuelve',
  free: (until: Date) =>
    `Puedes cancelar sin costo hasta el ${formatMoment(until)}, hora de la Ciudad de México.`,
  feesKept: (fees: Centavos) => `El cargo por servicio de ${formatMoney(fees)} no se devuelve.`,
  toCard: (isHelp: boolean) =>
    `${isHelp ? 'Se lo devuelve su' : 'Te lo devuelve tu'} banco; puede tardar unos días en aparecer.`,
  inCash: (merchant: string, isHelp: boolean) =>
    `${isHelp ? 'Se' : 'Te'} lo entrega ${merchant} en su caja. Aquí verás cómo va.`,
  nothing: 'El cargo por cancelar es igual o mayor que lo pagado: no hay nada que devolver.',
  invoiced:
    'Esta compra tiene factura. Al cancelarla, el comercio también cancela o corrige la factura. Si el SAT te pide aceptar la cancelación, acéptala: tienes tres días hábiles.',
  changed: 'La devolución cambió.',
  changedText: (before: Centavos, now: Centavos) =>
    `Antes eran ${formatMoney(before)} y ahora son ${formatMoney(now)}. No se canceló nada: revisa y confirma otra vez.`,
  /** After a press without an answer. */
  unknown: 'Todavía no sabemos si tu compra se canceló.',
  standing: 'Hasta ahora tu compra no se ha cancelado.',
  reason: 'Motivo',
  reasonHint: 'Opcional. Le ayuda al comercio a mejorar.',
  confirm: 'Cancelar Venta',
  cancelling: 'Cancelando…',
  calculating: 'Calculando…',
  keep: 'Conservar mi compra',
} as const;
