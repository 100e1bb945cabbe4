import { config } from '../app/config.ts';

/** Texts of the card form, apart from those of what follows it: the form is what the buyer waits for. Spec §2's are literal. */
export const formCopy = {
  deposit: 'Apartado',
  instalment: (number: number, of: number) => `Pago\u00a0${number}\u00a0de\u00a0${of}`,
  chosen: 'Abono a tu compra',
  purchases: (count: number) => `${count}\u00a0compras`,
  allLate: 'Lo atrasado de cada una',
  instalmentItem: 'Abono',
  payBy: (date: string) => `paga a más tardar el ${date}, 23:59 h`,
  due: (date: string) => `vence el ${date.replaceAll(' ', '\u00a0')}`,
  wasDue: (date: string) => `venció el ${date.replaceAll(' ', '\u00a0')}`,
  fee: 'Cargo por servicio',
  total: 'Total',
  home: 'Ir a Inicio',
  threeDsTitle: 'Autenticación 3DS',

  loading: 'Cargando tu pago',
  loadFailed: 'No pudimos abrir tu pago',

  form: {
    title: 'Pago con tarjeta',
    ticket: 'Lo que pagas',
    frame: 'Formulario seguro de Clip',
    frameTitle: 'Formulario seguro',
    provider: 'Clip',
    providerLogo: 'Logo de Clip',
    back: { layaway: 'Volver a tu apartado', instalment: 'Volver a tu compra' },
    privacy: `Clip recibe los datos de tu tarjeta. ${config.productName} no los ve ni los guarda.`,
    loading: 'Cargando el formulario de tu tarjeta',
    blocked: {
      title: 'Tu navegador no cargó el formulario de Clip',
      text: 'Si usas un bloqueador de anuncios, desactívalo aquí. No se hizo ningún cobro.',
    },
    unreachable: {
      title: 'El formulario de Clip no responde',
      text: 'Revisa tu internet y vuelve a intentarlo. No se hizo ningún cobro.',
    },
    pay: (amount: string) => `Pagar ${amount}`,
    paying: 'Pagando…',
    dontLeave: 'Estamos haciendo el cobro. No cierres esta pantalla.',
    fieldsWrong: 'Revisa los datos de tu tarjeta.',
    noToken: 'No se hizo ningún cobro. Revisa tu internet y tu tarjeta, y vuelve a intentarlo.',
    amountChanged: (from: string, to: string) => `El monto cambió de ${from} a ${to}.`,
    amountChangedHow: 'No se hizo ningún cobro. Si estás de acuerdo, paga el nuevo monto.',
    planChanged: 'Tu plan cambió mientras pagabas.',
    neverArrived: 'Tu pago no nos llegó.',
    neverArrivedHow: 'No se hizo ningún cobro. Puedes pagar otra vez.',
  },
} as const;
