import { formatDate, mexicoCityDate } from '@aparta/domain/calendar';
import { LIVE_HELP_LINKS } from '@aparta/domain/help';
import { formatMoney, type Centavos } from '@aparta/domain/money';

const on = (at: Date) => formatDate(mexicoCityDate(at));

/** Apart from the other words of purchases, since it is loaded with its sheet alone. */
export const helpLinksCopy = {
  title: 'Que me ayuden',
  intro:
    'Comparte un enlace y quien quiera te ayuda a pagar esta compra con tarjeta o en una tienda, sin tener cuenta.',
  seen: 'Quien lo abre ve tu primer nombre, el producto, la tienda, tu mensaje, tu meta y cuánto falta por pagar. Nunca tus datos, tus fechas ni tus otras compras.',
  loading: 'Cargando tus enlaces',
  failed: 'No pudimos cargar tus enlaces',
  retrying: 'Cargando…',

  message: 'Tu mensaje',
  messageHint: 'Opcional. Lo lee quien abre el enlace.',
  goal: 'Meta en pesos',
  goalHint: 'Opcional. Por ejemplo, lo que te falta este mes.',
  goalWrong: (most: Centavos) =>
    `Escribe una cantidad de $1.00 a ${formatMoney(most)}, o déjala vacía. Los centavos van con punto.`,
  make: 'Crear enlace',
  making: 'Creando…',
  another: 'Crear otro enlace',
  full: `Ya tienes ${LIVE_HELP_LINKS} enlaces activos.`,
  fullHow: 'Termina uno para crear otro.',

  ready: 'Tu enlace está listo. Compártelo.',
  noMessage: 'Sin mensaje',
  until: (at: Date) => `Sirve hasta el ${on(at)}.`,
  reached: (helped: Centavos, goal: Centavos) => `Llevas ${formatMoney(helped)} de ${formatMoney(goal)}`,
  helped: (helped: Centavos) => `Llevas ${formatMoney(helped)}`,
  nobody: 'Todavía nadie ha ayudado.',
  help: (name: string, amount: Centavos) => `${name} dio ${formatMoney(amount)}`,
  helpOn: on,

  share: 'Compartir',
  whatsApp: 'Mandar por WhatsApp',
  copy: 'Copiar enlace',
  copied: 'Enlace copiado',
  copyFailed: 'No se pudo copiar. Mantén presionado el enlace y cópialo.',
  address: 'Tu enlace',
  shared: (product: string, message: string) =>
    `${message === '' ? '' : `${message}\n`}Ayúdame a pagar ${product}:`,

  end: 'Terminar enlace',
  endOf: (message: string) => (message === '' ? '' : ` «${message}»`),
  endSure: '¿Terminar este enlace?',
  endText: 'Nadie más podrá pagar con él. Lo que ya te dieron se queda.',
  endYes: 'Sí, terminar',
  ending: 'Terminando…',
  keep: 'Conservar',

  ended: 'Enlaces terminados',
  states: {
    live: '',
    expired: 'Venció',
    revoked: 'Lo terminaste',
    closed: 'Se cerró por tarjetas rechazadas',
  },
  endedText: (helped: Centavos, message: string) =>
    [helped > 0 ? `Te dieron ${formatMoney(helped)}.` : 'Nadie ayudó.', message].filter(Boolean).join(' '),

  over: 'Esta compra ya no se puede pagar.',
  overText: 'Sus enlaces dejaron de servir.',
  paidOff: '¡Ya está pagada!',
  paidOffText: 'No hace falta más ayuda.',
  close: 'Cerrar',
} as const;
