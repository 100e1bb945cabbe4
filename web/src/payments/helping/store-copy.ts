import { formatMoney as money, type Centavos } from '@aparta/domain/money';
import { storeTexts } from '../../copy/store-texts.ts';

/** Texts of a helper who pays at a store. */
export const storeCopy = {
  ...storeTexts,
  title: 'Paga en una tienda',
  loading: 'Preparando tu referencia',
  for: (product: string, name: string) => (name === '' ? `Para ${product}` : `Para ${product}, de ${name}`),
  ticket: 'Tu referencia de pago',
  help: 'Tu ayuda',
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
  otherPayment: 'Dar otra cantidad o pagar con tarjeta',
  shareText: (product: string, reference: string, total: Centavos, expiry: Date) =>
    `Ayuda para ${product}. Referencia ${reference}: ${money(total)} en efectivo en tienda. ${storeTexts.picture.goodUntil(expiry)}`,

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
  toCollect: (sum: Centavos) => `Tienes ${money(sum)} por recoger`,
  /** As their email says it. */
  unused: (name: string) =>
    name === ''
      ? 'De lo que pagaste en la tienda, esto no se usó: la compra ya no lo necesita o se canceló.'
      : `De lo que pagaste en la tienda para ${name}, esto no se usó: su compra ya no lo necesita o se canceló.`,
  times: (count: number) => `Con tu referencia se pagó ${count} veces`,
  back: (sum: Centavos) => `${money(sum)} por recoger`,
  backDone: (sum: Centavos) => `Te entregaron ${money(sum)}`,
  backHow: (merchant: string, folio: string) =>
    `${merchant} te los entrega en su caja: lleva el folio ${folio} y tu ticket de la tienda.`,
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
