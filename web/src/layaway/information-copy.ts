import { formatDate, type DateOnly } from '@aparta/domain/calendar';
import { formatMoney, type Centavos } from '@aparta/domain/money';

/** Texts of what is reserved: the wizard's second step. Spec §2's are literal. */
export const informationCopy = {
  information: {
    title: 'Información para realizar el apartado',
    ticket: 'Tu apartado',
    loading: 'Cargando la información del apartado',
    merchant: 'Comercio',
    product: 'Producto',
    price: 'Precio de venta',
    today: 'Hoy pagas',
    deposit: (percent: number) => `Apartado (${percent} %)`,
    fee: 'Cargo por servicio',
    total: 'Monto total',
    dock: 'Total',
    tillInstead: (total: Centavos) =>
      `En la caja del comercio pagas ${formatMoney(total)}, sin cargo por servicio.`,
    changed: (from: Centavos, to: Centavos) =>
      `El apartado cambió de ${formatMoney(from)} a ${formatMoney(to)}.`,
    changedWhy: 'El código QR es de otra fecha. Aplica el monto de hoy.',
    later: (count: number, each: Centavos, last: Centavos) =>
      count === 1
        ? `Después, 1 abono de ${formatMoney(last)}`
        : `Después, ${count} abonos de ${formatMoney(each)}`,
    dates: (count: number, days: number, first: DateOnly, last: DateOnly) =>
      count === 1
        ? `Vence el ${formatDate(last)}.`
        : `Uno cada ${days === 1 ? 'día' : `${days} días`}: del ${formatDate(first)} al ${formatDate(last)}.`,
    lastIs: (last: Centavos) => `El último es de ${formatMoney(last)}.`,
    delivery: 'Entrega',
    deliveryText: (days: number) =>
      `Desde que terminas de pagar, el comercio tiene ${days === 1 ? '1 día' : `${days} días`} para entregártelo.`,
    late: 'Si te atrasas',
    lateText: (days: number) =>
      `Si un abono pasa ${days} días vencido, el apartado se cancela solo. Antes te avisamos dos veces por correo: 14 y 3 días antes.`,
    cancel: 'Puedes cancelar',
    cancelText: (penalty: Centavos, fee: Centavos) =>
      penalty === 0
        ? 'Te devolvemos todo lo que pagaste.'
        : `En los primeros 5 días hábiles te devolvemos todo. ` +
          `Después, el comercio cobra hasta ${formatMoney(penalty)}` +
          (fee === 0 ? '.' : ' y el cargo por servicio no se devuelve.'),
    making: 'Un momento…',
    failed: 'No pudimos cargar este producto',
    retrying: 'Cargando…',
    notOffered: {
      title: 'Este producto no se puede apartar.',
      text: 'Pregunta en el comercio o escanea otro código QR.',
    },
    other: 'Apartar otro producto',
    // Spec §8
    makingFailed: {
      kind: 'error',
      title: 'Error al crear la referencia',
      text: 'Sucedió un error al crear la referencia',
    },
    again: {
      title: 'Ya apartaste este producto hoy',
      text: 'Tu apartado anterior sigue vigente. ¿Quieres apartar otro igual?',
      yes: 'Apartar otro igual',
      no: 'Ver mis compras',
    },
  },
} as const;
