import { config } from '../app/config.ts';
import type { CardAttempt } from '../data/card-attempt.ts';
import { formCopy } from './form-copy.ts';

const cardTypes = { credit: 'Crédito', debit: 'Débito', prepaid: 'Prepago', other: 'Tarjeta' } as const;

/** Texts of card payment, 3DS and their outcomes. Spec §2's are literal; spec §8's alerts are in `copy/alerts.ts`. */
export const paymentsCopy = {
  ...formCopy,

  /** Takes `formatMoment`'s '20 nov 2026, 13:42'. */
  moment: (moment: string) => `${moment} h`,
  card: ({ type, last4 }: NonNullable<CardAttempt['card']>) => `${cardTypes[type]} •••• ${last4}`,

  threeDs: {
    title: formCopy.threeDsTitle,
    intro: 'Tu banco te pide confirmar que eres tú.',
    summary: 'Lo que pagas',
    due: 'Vencimiento',
    value: 'Valor',
    paid: 'Pagos',
    balance: 'Saldo',
    frame: 'Ventana de tu banco',
    loading: 'Abriendo la ventana de tu banco',
    charge: (amount: string) => `Tu banco cobrará ${amount}.`,
    chargeWithFee: (amount: string, fee: string) =>
      `Tu banco cobrará ${amount}, con ${fee} de cargo por servicio.`,
    close: 'Cerrar esta ventana',
  },

  pending: {
    title: 'Estamos confirmando tu pago',
    text: 'Todavía no sabemos si tu banco hizo el cobro. Seguimos preguntando.',
    dontPay: 'No vuelvas a pagar.',
    dontPayWhy: 'Si el cobro se hizo, se aplicará automáticamente.',
    label: 'Pago por confirmar',
    method: 'Pago con tarjeta',
    sentAt: (time: string) => `Enviado a las ${time} h`,
    sentText: 'Puedes cerrar esta pantalla: seguimos sin ella.',
    tell: 'Te avisaremos por correo',
    tellText: 'Casi siempre tarda menos de 30 minutos. También lo verás aquí.',
    polling: 'Preguntando a tu banco…',
    check: 'Ver de nuevo',
    checking: 'Revisando…',
  },

  applying: {
    title: 'Tu banco respondió',
    text: 'Estamos aplicando tu pago…',
    label: 'Pago que estamos aplicando',
  },

  authenticate: {
    title: 'Termina la autenticación',
    text: 'Tu banco espera que confirmes que eres tú.',
    factTitle: 'Todavía no está pagado',
    fact: 'El cobro se hace cuando confirmas en la ventana de tu banco.',
    tellText: 'Si no la terminas, te decimos cuándo puedes pagar otra vez.',
    go: 'Terminar la autenticación',
    reopen: 'Abrir la ventana otra vez',
  },

  held: {
    title: 'Tu pago está en revisión',
    text: 'Tu banco respondió algo distinto de lo acordado. Una persona lo está revisando.',
    dontPayWhy: 'Lo aplicamos o te devolvemos el dinero completo, y te decimos cómo quedó.',
    chip: 'En revisión',
    tellText: 'Cuando lo resolvamos. También lo verás aquí.',
  },

  done: {
    receipt: 'Recibo',
    paid: 'Pagaste',
    date: 'Fecha',
    folio: 'Folio',
    card: 'Tarjeta',
    left: 'Te falta',
    next: 'Siguiente pago',
    paidOff: 'Liquidaste tu compra.',
    toReceipt: 'Ver recibo',
    toPurchase: 'Ver mi compra',
    toPurchases: 'Ver mis compras',
  },

  returned: {
    doneTitle: (amount: string) => `Te devolvimos ${amount}`,
    doneText: 'Tu banco puede tardar unos días en mostrarlo en tu tarjeta.',
    owedTitle: (amount: string) => `Te devolvemos ${amount}`,
    owedText:
      'Completo y a la misma tarjeta. Te avisamos por correo cuando salga; tu banco puede tardar unos días en mostrarlo.',
    whyTitle: 'El pago no se pudo aplicar',
    why: 'Entró cuando esto ya no se podía pagar. No hace falta que pagues otra vez.',
    soldOutTitle: 'El producto se agotó',
    soldOut: 'Alguien apartó la última pieza antes de que tu banco aprobara el pago.',
    whyOpen: 'El cobro se canceló antes de aplicarse.',
    whyApproved:
      'Tu banco aprobó el cobro, pero no se pudo aplicar. Regresa completo y puedes pagar otra vez.',
    whyOtherSum: (isOpen: boolean) =>
      `Tu banco cobró otro monto que el acordado.${isOpen ? ' Tu pago sigue pendiente.' : ''}`,
    whySeveral:
      'Tu banco aprobó el cobro, pero ya no se podía aplicar a todas tus compras. Por eso regresa completo.',
  },

  notDone: {
    noMoney: 'No salió dinero de tu cuenta',
    noMoneyText: (card: string | undefined) =>
      card === undefined ? 'Lo revisamos con Clip.' : `Lo revisamos con Clip. Tarjeta: ${card}.`,
    stillOpen: 'Tu pago sigue pendiente',
    stillOpenText: (part: string, deadline: string) => `${part}: ${deadline}.`,
    retry: 'Reintentar pago',
    inStore: 'Pago presencial',
    inStoreText: 'En efectivo, en una tienda cerca de ti.',
  },

  /** What happened, and what the buyer can do about it. */
  advice: {
    retry: {
      title: 'Tu banco no autorizó el cobro',
      text: 'Puedes intentarlo otra vez con la misma tarjeta.',
    },
    retry_later: {
      title: 'Tu banco no respondió',
      text: 'Espera unos minutos y vuelve a intentarlo.',
    },
    other_card: {
      title: 'Tu banco no autorizó el cobro',
      text: 'Intenta con otra tarjeta.',
    },
    call_bank: {
      title: 'Llama a tu banco',
      text: 'El número está al reverso de tu tarjeta. También puedes intentar con otra.',
    },
    check_data: {
      title: 'Un dato de la tarjeta no coincide',
      text: 'Revisa número, vencimiento y CVV.',
    },
    contact_support: {
      title: 'El comercio no puede recibir este pago',
      text: `Escribe a soporte de ${config.productName}; con otra tarjeta pasará lo mismo.`,
    },
  } satisfies Record<NonNullable<CardAttempt['advice']>, { title: string; text: string }>,

  notCharged: {
    text: 'No se cobró.',
    factTitle: 'El cobro no llegó a tu banco',
    fact: 'Puedes intentarlo otra vez con la misma tarjeta.',
  },

  abandoned: {
    text: 'No se completó. Puedes reintentar.',
    factTitle: 'Faltó la confirmación de tu banco',
    fact: 'Dejamos de esperarla.',
    factOpen: 'Dejamos de esperarla. Si tu banco todavía la pide, puedes terminarla.',
    lateTitle: 'Si tu banco llegara a cobrarlo',
    late: 'Lo aplicamos, o te lo devolvemos completo. Nunca pagas dos veces.',
    over: 'Tu banco ya no espera tu confirmación. Puedes pagar otra vez.',
  },

  /** What became of a card payment, where nothing can be paid any more. */
  triedCard: {
    title: 'Tu pago con tarjeta no se completó',
    noMoney: (card: string | undefined) =>
      `No salió dinero de tu cuenta. Lo revisamos con Clip.${card === undefined ? '' : ` Tarjeta: ${card}.`}`,
    late: 'Si tu banco llegara a cobrarlo, lo aplicamos o te lo devolvemos completo. Nunca pagas dos veces.',
  },

  paidElsewhere: {
    title: 'Ya está pagado',
    text: 'No hace falta que pagues otra vez.',
    factTitle: 'Encuentras tu compra en Pagos pendientes',
    fact: undefined,
  },
  /** The instalment is paid, and not all that the buyer wanted to pay with it. */
  paidInPart: {
    title: 'Ese pago ya está hecho',
    text: 'Se hizo de otra forma, no con lo que ibas a pagar aquí.',
    factTitle: 'Todavía te falta por pagar',
    fact: 'En tu compra ves cuánto, y desde ahí puedes pagarlo.',
  },
  expired: {
    title: 'Tu referencia venció',
    text: 'Ya no se puede pagar.',
    factTitle: 'Haz una nueva',
    fact: 'Escanea otra vez el código QR del producto.',
    go: 'Ir a Apartados',
  },
  cancelled: {
    title: 'Esta referencia se canceló',
    text: 'Ya no se puede pagar.',
    factTitle: 'Haz una nueva',
    fact: 'Escanea otra vez el código QR del producto.',
    go: 'Ir a Apartados',
  },

  purchaseCancelled: {
    title: 'Esta compra se canceló',
    text: 'Ya no se puede pagar.',
    factTitle: 'Lo que se te devuelve',
    fact: 'Está en tu compra, con su fecha y su estado.',
  },
  notYet: {
    title: 'Primero paga el abono anterior',
    text: 'Los pagos de una compra se hacen en orden.',
    factTitle: 'Este todavía no se puede pagar',
    fact: 'Lo encuentras en tu compra.',
  },
  missing: {
    title: 'No encontramos este pago',
    text: 'No existe o no es de tu cuenta.',
  },
} as const;
