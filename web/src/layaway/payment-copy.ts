import { formatMoment } from '@aparta/domain/calendar';
import { formatMoney, type Centavos } from '@aparta/domain/money';
import type { Change } from './changes-between.ts';

const goodUntil = (expiry: Date) => `Vigente hasta el ${formatMoment(expiry)} h (Ciudad de México).`;

/** Texts of the wizard's third step, and of what became of it. Spec §2's and spec §8's are literal. */
export const paymentCopy = {
  payment: {
    title: 'Paga tu apartado',
    intro: 'Muestra este código en la caja del comercio, paga en tiendas o aquí con tarjeta.',
    introTill: 'Muestra este código en la caja del comercio o paga en tiendas.',
    loading: 'Cargando tu referencia',
    ticket: 'Referencia de tu apartado',
    till: 'En caja',
    card: 'Con tarjeta',
    store: 'En tiendas',
    payInStore: 'Pagar en tiendas',
    includes: 'incluye',
    reference: 'Referencia',
    goodUntil,
    polling: 'Cuando pagues en caja, esta pantalla se actualizará sola.',
    check: '¿Ya pagaste en caja? Revisar ahora',
    checking: 'Revisando…',
    retrying: 'Cargando…',
    shareText: (product: string, reference: string, till: Centavos, expiry: Date) =>
      `Apartado de ${product}. Referencia ${reference}: ${formatMoney(till)} en caja. ` + goodUntil(expiry),
    pay: 'Pago con Clip',
    changed: 'Las condiciones no son las del paso anterior.',
    change: (change: Change): string => {
      switch (change.of) {
        case 'price':
          return `El precio de venta cambió de ${formatMoney(change.from)} a ${formatMoney(change.to)}.`;
        case 'deposit':
          return `El apartado cambió de ${formatMoney(change.from)} a ${formatMoney(change.to)}.`;
        case 'cardFee':
          return `El cargo con tarjeta cambió de ${formatMoney(change.from)} a ${formatMoney(change.to)}.`;
        case 'tillFee':
          return `El cargo en caja cambió de ${formatMoney(change.from)} a ${formatMoney(change.to)}.`;
        case 'deliveryDays':
          return `El comercio tiene ahora ${change.to} días para entregar, y no ${change.from}.`;
        case 'endDaysLate':
          return change.to === null
            ? 'El apartado ya no se cancela solo si te atrasas.'
            : `El apartado se cancela solo si un abono pasa ${change.to} días vencido.`;
        case 'later':
          return `Los abonos después del apartado cambiaron de ${change.from} a ${change.to}.`;
      }
    },
    failed: 'No pudimos cargar tu referencia',
    missing: {
      title: 'No encontramos esta referencia',
      text: 'No existe o no es de tu cuenta.',
      again: 'Apartar un producto',
    },
    attempts: {
      rejected: {
        title: 'Tu pago con tarjeta no se aprobó.',
        text: 'Puedes intentarlo otra vez o pagar en caja.',
      },
      not_charged: {
        title: 'Tu pago con tarjeta no se completó.',
        text: 'No se hizo ningún cobro. Puedes intentarlo otra vez o pagar en caja.',
      },
      abandoned: {
        title: 'Tu pago con tarjeta no se completó.',
        text: 'Puedes intentarlo otra vez o pagar en caja. Si el banco llega a cobrarlo, te avisamos.',
      },
      returned: {
        title: 'Tu pago con tarjeta no se pudo aplicar.',
        text: 'Te devolvemos el dinero a tu tarjeta.',
      },
    },
    returnedSum: (sum: Centavos) => `Te devolvemos ${formatMoney(sum)} a tu tarjeta.`,
  },

  confirming: {
    title: 'Hay un pago con tarjeta en curso',
    ticket: 'Pago en curso',
    threeDs: {
      title: 'Falta que autorices tu pago',
      text: 'Termina la autenticación con tu banco. No pagues de otra forma mientras tanto.',
      go: 'Continuar mi pago',
    },
    wait: {
      title: 'Seguimos confirmando tu pago',
      text: 'No vuelvas a pagar, ni con tarjeta ni en caja. Esta pantalla se actualizará sola.',
      go: 'Ver mi pago',
    },
    held: {
      title: 'Tu pago está en revisión',
      text: 'No vuelvas a pagar. Una persona lo está revisando y te avisaremos por correo.',
      go: 'Ver mi pago',
    },
  },

  paid: {
    title: 'Apartado pagado',
    intro: (product: string) => `¡Listo! Apartaste: ${product}.`,
    ticket: 'Recibo de tu apartado',
    sum: 'Pagaste',
    date: 'Fecha',
    moment: (at: Date) => `${formatMoment(at)} h`,
    folio: 'Folio',
    deposit: 'Apartado',
    fee: 'Cargo por servicio',
    refunded: 'Devolución',
    reference: 'Referencia',
    receipt: 'Ver recibo',
    datesInPurchase: 'Las fechas están en tu compra.',
    see: 'Ver mi compra',
    seeAll: 'Ver mis compras',
    another: 'Apartar otro producto',
  },

  over: {
    expired: {
      title: 'Tu referencia venció',
      text: (expiry: Date) =>
        `Estuvo vigente hasta el ${formatMoment(expiry)} h (Ciudad de México). No pagues con ella: haz una nueva.`,
    },
    cancelled: {
      title: 'Esta referencia se canceló',
      text: () => 'No pagues con ella. Si todavía quieres el producto, haz una nueva.',
    },
    again: 'Hacer una referencia nueva',
  },

  picture: {
    heading: 'Paga tu apartado',
    till: 'En caja',
    card: 'Con tarjeta',
    store: 'En tiendas',
    payInStore: 'Pagar en tiendas',
    includes: (fee: Centavos) => `(incluye ${formatMoney(fee)})`,
    instruction: (merchant: string, till: Centavos) =>
      `Muéstralo en la caja de ${merchant} y paga ${formatMoney(till)}.`,
    orCard: (product: string) => `También puedes pagar con tarjeta desde ${product}.`,
  },
} as const;
