import { formatMoment } from '@aparta/domain/calendar';
import { formatMoney, type Centavos } from '@aparta/domain/money';

const money = formatMoney;
const until = (expiry: Date) => `${formatMoment(expiry)} h`;

/** Texts of a helper who pays at a store. */
export const storeCopy = {
  title: 'Paga en una tienda',
  loading: 'Preparando tu referencia',
  for: (product: string, name: string) => (name === '' ? `Para ${product}` : `Para ${product}, de ${name}`),
  ticket: 'Tu referencia de pago',
  total: 'Total en caja',
  waits: 'Esperando pago',
  help: 'Tu ayuda',
  fee: 'Cargo por servicio',
  reference: 'Referencia',
  goodUntil: (expiry: Date) => `Vigente hasta el ${until(expiry)}`,
  afterwards: '(Ciudad de México). También está aquí si abres otra vez el enlace en este navegador.',
  tooMuch: {
    title: 'Ya falta menos de lo que dice tu referencia.',
    text: (merchant: string) =>
      `Pide otra por menos. Si pagas esta, ${merchant} te devuelve en efectivo lo que sobre.`,
  },
  old: {
    title: 'No pudimos revisar tu pago.',
    text: 'Esta es la última referencia que viste.',
  },
  how: 'Cómo pagar',
  steps: (total: Centavos) => [
    'Ve a una de estas tiendas.',
    'Pide un pago de servicio con referencia y muestra el código de barras.',
    `Paga ${money(total)} en efectivo y guarda tu ticket.`,
  ],
  where: 'Dónde pagar',
  upTo: (limit: Centavos) => `Hasta ${money(limit)}`,
  limit: (limit: Centavos) => `No es posible: recibe hasta ${money(limit)}`,
  when: 'Tu pago se refleja aquí en minutos. Algunas tiendas lo avisan al día siguiente.',
  check: '¿Ya pagaste en la tienda? Revisar ahora',
  checking: 'Revisando…',
  otherPayment: 'Dar otra cantidad o pagar con tarjeta',
  picture: {
    heading: 'Paga en tienda',
    goodUntil: (expiry: Date) => `Vigente hasta el ${until(expiry)} (Ciudad de México).`,
    instruction: (stores: readonly string[], total: Centavos) =>
      `Pide un pago de servicio con referencia y paga ${money(total)} en efectivo en ${stores.join(', ')}.`,
  },
  shareText: (product: string, reference: string, total: Centavos, expiry: Date) =>
    `Ayuda para ${product}. Referencia ${reference}: ${money(total)} en efectivo en tienda. Vigente hasta el ${until(expiry)}.`,

  over: {
    title: 'No pagues con esta referencia',
    text: 'Ya no sirve: pasó su fecha, el enlace terminó o ya no falta nada.',
    fact: (merchant: string) =>
      `¿Ya pagaste? Tu dinero se abona, o ${merchant} te lo devuelve en efectivo. Te avisamos por correo.`,
  },
  reversed: {
    title: 'La tienda revirtió tu pago',
    text: 'Ya no cuenta: la tienda donde pagaste te regresa ese dinero.',
    fact: 'Si no fue así, habla con ella y lleva tu ticket.',
  },
  owedBack: {
    title: 'Te devolvemos tu dinero en efectivo',
    doneTitle: 'Ya te devolvimos tu dinero',
    text: 'Tu ayuda ya no se pudo abonar a la compra.',
  },
  back: (sum: Centavos) => `${money(sum)} por recoger`,
  backDone: (sum: Centavos) => `Te entregaron ${money(sum)}`,
  backHow: (merchant: string) =>
    `${merchant} te los entrega en su caja: lleva tu folio y tu ticket de la tienda.`,
  paid: {
    title: '¡Gracias!',
    text: (name: string) =>
      name === ''
        ? 'Tu pago en tienda ya se abonó.'
        : `Tu pago en tienda ya se abonó a la compra de ${name}.`,
    receipt: 'Tu recibo',
    gave: 'Diste',
    date: 'Fecha',
    moment: (moment: string) => `${moment} h`,
    folio: 'Folio',
    emailed: 'Te mandamos el recibo a tu correo.',
  },
  again: 'Ayudar otra vez',
  toForm: 'Volver al enlace',
} as const;
