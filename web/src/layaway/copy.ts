import { formatDate, formatMoment, type DateOnly } from '@aparta/domain/calendar';
import { formatMoney, type Centavos } from '@aparta/domain/money';
import type { Change } from './offer.ts';

/** Texts of the wizard and the bar-code view. Spec §2's and spec §8's are literal. */
export const layawayCopy = {
  steps: ['Referencia', 'Información', 'Pago'],
  next: 'Ir al paso siguiente',
  previous: 'Ir al paso anterior',

  reference: {
    title: 'Aparta un producto',
    intro: 'Escanea el código QR del producto o pega su referencia.',
    field: 'Referencia del producto',
    placeholder: 'Pega aquí la referencia',
    hint: 'Aquí solo se puede pegar.',
    paste: 'Pegar',
    pasteRefused: 'Tu navegador no nos dejó leer lo que copiaste. Mantén presionado el campo y elige Pegar.',
    pasteEmpty: 'No hay ningún texto copiado. Copia la referencia y vuelve a tocar Pegar.',
    scan: 'Escanear QR',
    scanOpening: 'Abriendo…',
    goingOn: 'Encontramos tu referencia. Seguimos en un momento.',
    withoutReference: 'Sin una referencia te llevamos a tus pagos pendientes.',
  },

  scanned: {
    label: 'Tu apartado sin terminar',
    title: 'Tienes un apartado sin terminar',
    text: 'Todavía no se cobra nada.',
    loading: 'Cargando el producto que escaneaste',
    notLoaded: 'Guardamos el código QR que escaneaste.',
    go: 'Continuar mi apartado',
    drop: 'Descartar',
  },

  scan: {
    title: 'Escanear QR',
    starting: 'Permite el uso de la cámara cuando tu teléfono lo pregunte.',
    scanning: 'Pon el código QR del producto dentro del cuadro.',
    light: '¿Hay poca luz? Acércate a una lámpara o lee el QR de una foto.',
    torchOn: 'Encender la linterna',
    torchOff: 'Apagar la linterna',
    video: 'Lo que ve la cámara',
    photo: 'Leer QR de una foto',
    photoBusy: 'Leyendo la foto…',
    problems: {
      refused: {
        title: 'No tenemos permiso para usar la cámara.',
        text: 'Dale permiso en los ajustes de tu navegador, o lee el QR de una foto.',
      },
      absent: {
        title: 'No encontramos una cámara.',
        text: 'Lee el QR de una foto o pega la referencia.',
      },
      busy: {
        title: 'Otra aplicación está usando la cámara.',
        text: 'Ciérrala y vuelve a intentarlo, o lee el QR de una foto.',
      },
      unsupported: {
        title: 'Este navegador no puede usar la cámara aquí.',
        text: 'Lee el QR de una foto o pega la referencia.',
      },
      reader: {
        title: 'No pudimos cargar el lector de QR.',
        text: 'Revisa tu internet y vuelve a intentarlo, o pega la referencia.',
      },
    },
    noCode: 'No encontramos un código QR en esa foto. Toma otra de cerca y con buena luz.',
    noPhoto: 'No pudimos abrir esa foto. Prueba con otra.',
  },

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
    owedBack: {
      title: (sum: Centavos) => `Se te deben ${formatMoney(sum)} que pagaste en tienda.`,
      text: (merchant: string) =>
        `Con ese pago no se pudo apartar. ${merchant} te lo entrega en su caja: lleva tu ticket.`,
    },
    includes: 'incluye',
    reference: 'Referencia',
    goodUntil: (expiry: Date) => `Vigente hasta el ${formatMoment(expiry)} h (Ciudad de México).`,
    polling: 'Cuando pagues en caja, esta pantalla se actualizará sola.',
    check: '¿Ya pagaste en caja? Revisar ahora',
    checking: 'Revisando…',
    shareText: (product: string, reference: string, till: Centavos, expiry: Date) =>
      `Apartado de ${product}. Referencia ${reference}: ${formatMoney(till)} en caja. ` +
      `Vigente hasta el ${formatMoment(expiry)} h.`,
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
    owedBack: {
      title: (sum: Centavos) => `Se te deben ${formatMoney(sum)} que pagaste en tienda.`,
      text: (merchant: string) =>
        `Con ese pago no se pudo apartar. ${merchant} te lo entrega en su caja: lleva tu ticket.`,
    },
    includes: (fee: Centavos) => `(incluye ${formatMoney(fee)})`,
    instruction: (merchant: string, till: Centavos) =>
      `Muéstralo en la caja de ${merchant} y paga ${formatMoney(till)}.`,
    orCard: (product: string) => `También puedes pagar con tarjeta desde ${product}.`,
  },

  barcode: {
    title: 'Código de barras',
    intro: 'Muéstralo en la caja.',
    label: 'Referencia',
    bigger: 'Ver más grande',
    smaller: 'Ver más chico',
    wrong: 'Esta referencia no se puede dibujar. Revisa que esté completa.',
    back: 'Ir a Apartados',
  },
} as const;
