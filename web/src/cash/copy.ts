import { formatMoney, type Centavos } from '@aparta/domain/money';
import { storeTexts, until } from '../copy/store-texts.ts';

/** Texts of the store payment screen (spec §2). Spec §8's error texts are in `copy/`. */
export const cashCopy = {
  ...storeTexts,
  title: 'Pago presencial',
  back: 'Regresar',
  of: (product: string, number: number, of: number) =>
    `${product}\u00a0· Pago\u00a0${number}\u00a0de\u00a0${of}`,
  loading: 'Preparando tu referencia',
  retrying: 'Intentando…',
  toPurchase: 'Ver mi compra',
  toList: 'Ver mis compras',

  old: {
    title: 'No pudimos revisar tu pago.',
    text: (seenAt: Date) => `Viste esta referencia el ${until(seenAt)}. Si no la has pagado, todavía sirve.`,
    expired: 'Ya venció: no pagues con ella. En cuanto podamos revisar te damos otra.',
  },
  /** Ours, beside spec §8's texts: what to do about it. */
  problems: {
    limit: (most: Centavos) =>
      `Las tiendas reciben hasta ${formatMoney(most)} por pago. Puedes pagar con tarjeta desde tu compra.`,
    refused: 'Las tiendas no reciben esta cantidad. Puedes pagar con tarjeta desde tu compra.',
    network: 'Revisa tu internet y vuelve a intentarlo.',
    provider: 'El servicio de pago en tiendas no responde. Vuelve a intentarlo en unos minutos.',
  },
  missing: {
    title: 'No encontramos este pago',
    text: 'No existe o no es de tu cuenta.',
  },

  ticket: 'Referencia de pago',
  amount: 'Valor',
  paidSoFar: 'Pagos',
  balance: 'Saldo',
  chosen: 'Abono',
  due: 'Vencimiento',
  afterwards: '(Ciudad de México). Después te damos otra.',
  partial: {
    title: (paid: Centavos, left: Centavos) =>
      `Ya recibimos ${formatMoney(paid)} de este pago. Te faltan ${formatMoney(left)}.`,
    text: 'Esta referencia es por lo que falta.',
    receipt: 'Ver recibo',
  },
  behind: {
    title: 'Tienes un pago anterior pendiente.',
    text: 'Lo que pagues aquí se abona primero a ese.',
  },

  /** For a layaway's deposit. */
  deposit: {
    of: (product: string) => `Aparta ${product}`,
    amount: 'Apartado',
    afterwards: '(Ciudad de México), igual que tu apartado. Si pagas después, te devolvemos ese dinero.',
    toLayaway: 'Ver mi apartado',
    over: {
      title: 'Este apartado ya venció',
      text: 'No pagues con esta referencia. Si pagaste a tiempo en la tienda, tu apartado aparecerá en tus compras; si no, te devolvemos ese dinero.',
    },
    soldOut: {
      title: 'Agotado',
      text: 'Ya no quedan piezas. No pagues con esta referencia. Si ya pagaste en la tienda, te devolvemos ese dinero.',
    },
    missing: { title: 'No encontramos este apartado', text: 'No existe o no es de tu cuenta.' },
  },

  shareText: (product: string, reference: string, total: Centavos, expiry: Date) =>
    `Pago de ${product}. Referencia ${reference}: ${formatMoney(total)} en efectivo en tienda. ` +
    storeTexts.picture.goodUntil(expiry),

  confirming: {
    title: 'Hay un pago con tarjeta en curso',
    text: 'No pagues también en la tienda: estamos confirmando tu pago con tarjeta.',
    act: 'Ver mi pago',
  },

  paid: {
    title: 'Pagado',
    intro: {
      cash: 'Recibimos tu pago en tienda.',
      other: 'Este pago ya está hecho. No pagues con la referencia.',
    },
    ticket: 'Recibo de tu pago',
    loading: 'Cargando tu recibo',
    sum: 'Pagaste',
    given: 'Te dieron',
    payer: 'Lo pagó',
    date: 'Fecha',
    moment: (moment: string) => `${moment} h`,
    folio: 'Folio',
    part: (number: number, of: number) => `Abono al pago ${number} de ${of}`,
    fee: 'Cargo por servicio',
    left: 'Te falta',
    next: 'Siguiente pago',
    paidOff: 'No te falta ningún pago.',
    returned: (sum: Centavos, isOwn: boolean) =>
      isOwn ? `Pagaste ${formatMoney(sum)} de más` : `Sobraron ${formatMoney(sum)}`,
    returnedText: (merchant: string) =>
      `${merchant} te devuelve ese dinero en su caja. En tu compra verás cómo va.`,
    receipt: 'Ver recibo',
  },

  cancelled: {
    title: 'Esta compra se canceló',
    text: 'No pagues con esta referencia. Si ya pagaste en la tienda, te devolvemos ese dinero: lo verás en tu compra.',
  },
} as const;
