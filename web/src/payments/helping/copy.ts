import { formatMoney, type Centavos } from '@aparta/domain/money';

const money = formatMoney;

/** Texts of the public screen of a help link. What is the same as for buyers is in `../copy.ts`. */
export const helpingCopy = {
  title: 'Ayuda a pagar',
  asks: (name: string) => (name === '' ? 'Te piden ayuda para pagar' : `${name} te pide ayuda para pagar`),
  loading: 'Abriendo el enlace',
  loadFailed: 'No pudimos abrir el enlace',
  message: (name: string) => `Mensaje de ${name}`,
  reached: (helped: Centavos, goal: Centavos) => `Van ${money(helped)} de ${money(goal)}`,
  goalDone: '¡La meta ya se juntó! Puedes dar más, si quieres.',
  left: (most: Centavos) => `Faltan ${money(most)} para terminar de pagarlo.`,

  sum: '¿Con cuánto ayudas?',
  goalLeft: (sum: Centavos) => `Lo que falta de la meta: ${money(sum)}`,
  all: (sum: Centavos) => `Todo lo que falta: ${money(sum)}`,
  other: 'Otra cantidad',
  otherField: 'Cantidad en pesos',
  otherHint: (least: Centavos, most: Centavos) => `De ${money(least)} a ${money(most)}.`,
  otherWrong: (least: Centavos, most: Centavos) =>
    `Escribe una cantidad de ${money(least)} a ${money(most)}. Los centavos van con punto.`,
  method: '¿Cómo pagas?',
  card: (total: Centavos | undefined) => `Con tarjeta${total === undefined ? '' : `: ${money(total)}`}`,
  store: (total: Centavos | undefined) =>
    `En efectivo en una tienda${total === undefined ? '' : `: ${money(total)}`}`,
  storeLimit: (most: Centavos, acceptsCards: boolean) =>
    `Las tiendas reciben hasta ${money(most)} por pago. Elige menos${acceptsCards ? ' o paga con tarjeta' : ''}.`,
  kept: {
    title: (total: Centavos) => `Tienes una referencia de ${money(total)} para pagar en tienda.`,
    show: 'Ver mi referencia',
  },
  name: 'Tu nombre',
  nameHint: (name: string) =>
    name === '' ? 'Para que sepa quién ayudó.' : `Para que ${name} sepa quién ayudó.`,
  nameWrong: 'Escribe tu nombre, de 2 letras o más.',
  nameIsAddress: 'Escribe tu nombre, sin direcciones de internet.',
  email: 'Tu correo',
  emailHint: 'Te mandamos tu recibo. Nadie más lo ve.',
  emailWrong: 'Escribe un correo completo, como marta@correo.mx.',

  help: 'Tu ayuda',
  pay: 'Pagar',
  terms: 'Antes de pagar',
  who: (name: string) => (name === '' ? 'quien te pidió ayuda' : name),
  /** rules/helping#paying. */
  ifCancelled: (who: string) => `Si ${who} cancela la compra, tu dinero regresa a tu tarjeta.`,
  penalty: (who: string, most: Centavos) =>
    `Si hay cargo por cancelar (hasta ${money(most)}), se toma primero de lo que pagó ${who} y después de quienes ayudaron, en orden. Entonces el cargo por servicio no se devuelve.`,
  applied: 'Tu ayuda se abona completa a la compra. Si ya no se puede abonar, regresa completa a tu tarjeta.',
  atStore:
    'Te damos una referencia con código de barras. La pagas en 7-Eleven, Walmart y otras tiendas, en dos días a más tardar.',
  appliedAtStore: (merchant: string) =>
    `Tu ayuda se abona en cuanto la tienda nos avisa. Si ya no hace falta o sobra, ${merchant} te devuelve ese dinero en efectivo, en su caja, con tu folio y tu ticket. Te avisamos por correo.`,
  ifCancelledAtStore: (who: string, merchant: string) =>
    `Si ${who} cancela la compra, ${merchant} te devuelve tu dinero de la misma forma.`,
  getNumber: 'Obtener referencia',
  getNumberOf: (total: string) => `Obtener referencia de ${total}`,
  gettingNumber: 'Pidiendo tu referencia…',
  storesDown: {
    title: 'El servicio de pago en tiendas no responde',
    text: 'Vuelve a intentarlo en unos minutos.',
  },
  always3ds: 'Tu banco te pedirá confirmar que eres tú.',
  privacy: 'Aviso de privacidad',
  doubts: '¿Dudas con tu pago?',

  paying: 'Pagando…',
  fieldsWrong: 'Revisa los datos de tu tarjeta.',
  noToken: {
    kind: 'error',
    title: 'No pudimos leer tu tarjeta',
    text: 'No se hizo ningún cobro. Revisa tu internet y tu tarjeta, y vuelve a intentarlo.',
  },
  neverArrived: 'Tu pago no nos llegó.',
  neverArrivedHow: 'No se hizo ningún cobro. Puedes pagar otra vez.',

  paid: '¡Gracias!',
  paidText: (name: string) =>
    name === '' ? 'Tu ayuda ya se abonó.' : `Tu ayuda ya se abonó a la compra de ${name}.`,
  receipt: 'Tu recibo',
  gave: 'Diste',
  again: 'Ayudar otra vez',
  emailed: 'Te mandamos el recibo a tu correo.',

  pending: {
    title: 'Estamos confirmando tu pago',
    text: 'Todavía no sabemos si tu banco hizo el cobro. Seguimos preguntando.',
    dontPayWhy: 'Si el cobro se hizo, se abona solo, o te lo devolvemos completo.',
    tellText: 'Casi siempre tarda menos de 30 minutos. También lo verás aquí, en esta pestaña.',
  },
  followed: {
    title: 'Estamos siguiendo tu pago',
    text: (moment: string) => `Lo enviaste desde aquí el ${moment} h.`,
    failed: 'Todavía no podemos ver cómo va',
    byItself: 'Volvemos a intentarlo cada 10 segundos.',
  },
  windowClosed: 'Cerraste la ventana de tu banco',
  windowClosedText: 'Si no confirmaste, no se cobra. Si confirmaste, aquí lo verás.',
  held: {
    title: 'Tu pago está en revisión',
    text: 'Tu banco respondió algo distinto de lo acordado. Una persona lo está revisando.',
  },

  returned: {
    title: 'Te devolvemos tu dinero',
    doneTitle: 'Te devolvimos tu dinero',
    text: 'Tu ayuda no se pudo abonar a la compra.',
    why: 'Llegó cuando ya no se podía abonar. No hace falta que pagues otra vez.',
    whyOpen: 'Si quieres, puedes ayudar otra vez.',
    whyLess: (most: Centavos) => `Falta menos de lo que diste. Puedes dar hasta ${money(most)}.`,
  },
  notPaid: 'No se pudo cobrar',
  abandoned: 'Faltó la confirmación de tu banco',

  dead: {
    title: 'Este enlace ya no sirve',
    text: 'Pide otro a quien te lo mandó.',
    fact: 'Los enlaces dejan de servir a los 30 días, o cuando su dueño los termina.',
    notCharged: 'Tu último intento no se cobró.',
  },
  paidOff: {
    title: '¡Ya está pagada!',
    text: 'Alguien más completó lo que faltaba. No hace falta que pagues.',
  },
  noCards: {
    title: 'Por ahora no se puede pagar con tarjeta',
    text: (merchant: string) =>
      `${merchant} no recibe tarjetas en este momento. Puedes pagar en efectivo en una tienda.`,
  },
} as const;
