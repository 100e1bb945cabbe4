import { formatDate, mexicoCityDate, type DateOnly } from '@aparta/domain/calendar';

/**
 * Invoice texts. Spec §2's are literal; spec §8's are in copy/alerts.ts. Separate from the fiscal form's, which is
 * another screen.
 */
export const invoicesCopy = {
  part: {
    inProcess: 'Factura en proceso',
    inProcessText: 'Casi siempre está en menos de un minuto. Aparece aquí, y te avisamos por correo.',
    inProcessLater: (on: DateOnly) =>
      `La pediste el ${formatDate(on)} y tarda más de lo normal. La seguimos pidiendo hasta por tres días; si no sale, la revisa una persona. Te avisamos por correo en cuanto esté; no tienes que esperar ni pedirla otra vez.`,
    check: 'Ver si ya está',
    checking: 'Buscando…',
    review: 'Factura en revisión',
    reviewText:
      'La revisa una persona. Te avisamos por correo; no tienes que hacer nada ni pedirla otra vez.',
    refused: 'Factura no emitida',
    issued: (folio: string, on: DateOnly | undefined) =>
      [folio === '' ? 'Factura' : `Factura ${folio}`, on && formatDate(on)].filter(Boolean).join(' · '),
    to: (rfc: string, name: string) => `A nombre de ${name}, ${rfc}`,
    ended:
      'Tu compra se canceló. Si el comercio cancela esta factura, no uses su PDF ni su XML; si le hace una nota de crédito, guarda las dos. Te escribimos cuál. Si el SAT te pide aceptar la cancelación, acéptala: tienes tres días hábiles.',
    // The words of their emails (server/src/platform/email/invoice-copy.ts).
    credited: 'Con nota de crédito',
    creditedText:
      'Tu compra se canceló. Por eso el comercio le hizo una nota de crédito a esta factura. La factura sigue vigente ante el SAT: guarda las dos. Su PDF y su XML siguen aquí; la nota pídesela al comercio.',
    annulled: (folio: string) => (folio === '' ? 'Factura anulada' : `Factura ${folio} anulada`),
    annulledText:
      'Tu compra se canceló. Por eso el comercio canceló esta factura ante el SAT: no uses su PDF ni su XML.',
    cancelled: (folio: string) => (folio === '' ? 'Factura cancelada' : `Factura ${folio} cancelada`),
    cancelledText: 'El PDF y el XML que tienes ya no son válidos. Tu pago no cambia.',
    fiscalFolio: 'Folio fiscal',
    files: { pdf: 'PDF', xml: 'XML' },
    downloading: 'Descargando…',
    downloaded: (name: string) => `Guardamos ${name} en tus descargas.`,
    downloadFailed: 'No pudimos descargar la factura. Vuelve a intentarlo.',
    filesLater: 'Estamos guardando sus archivos; en un momento los tienes aquí.',
    of: (number: number) => `de la factura del pago ${number}`,
  },

  sheet: {
    title: 'Emisión de factura',
    loading: 'Cargando tus datos fiscales',
    of: (product: string, number: number, of: number) =>
      `${product} · Pago\u00a0${number}\u00a0de\u00a0${of}`,
    withoutFee: 'El cargo por servicio no va en esta factura. Si necesitas facturarlo, pídelo al comercio.',
    client: 'RFC',
    choose: 'Elige tu RFC',
    required: 'Elige a qué RFC va la factura.',
    regime: 'Régimen',
    use: 'Uso',
    zip: 'Código postal',
    email: 'La enviamos a',
    /** Of a mailbox that nobody has confirmed: it gets sums and ids only (rules/accounts#email-confirmation). */
    notice: 'Te avisamos a',
    toGetIt: 'Para recibirla ahí,',
    confirm: 'confirma tu correo',
    correct: 'Corregir estos datos',
    other: 'Registrar otro RFC',
    none: {
      title: 'Primero registra tus datos fiscales',
      text: 'Son los de tu Constancia de Situación Fiscal. Al guardarlos vuelves a esta factura.',
      go: 'Registrar mis datos',
    },
    emit: 'Emite factura',
    emitting: 'Emitiendo…',
    close: 'Cerrar',
    inProcess: 'Tu factura está en proceso.',
    otherRfc: (merchant: string) =>
      `¿La necesitas con otro RFC? Mientras está en proceso no cambia. Si no sale, la pides otra vez con el que quieras; si sale, pide a ${merchant} que la cancele ante el SAT y pídela otra vez.`,
    review: 'Tu factura está en revisión.',
    refused: 'Tu factura no se emitió.',
  },

  /** What SAT compares a wrong field with. */
  faults: {
    rfc: 'El SAT no reconoce este RFC.',
    name: 'El nombre no es el que el SAT tiene con este RFC.',
    zip: 'El código postal no es el que el SAT tiene con este RFC.',
    regime: 'El SAT no tiene este régimen con este RFC.',
    cfdiUse: 'El SAT no permite este uso con tu régimen.',
    email: 'El proveedor de facturas no acepta este correo.',
  },
  faultOfNobody: 'No fue por tus datos. Vuelve a intentarlo más tarde o pide ayuda con este detalle.',
  mend: {
    rfc: 'Corregir el RFC',
    name: 'Corregir el nombre',
    zip: 'Corregir el código postal',
    regime: 'Corregir el régimen',
    cfdiUse: 'Corregir el uso',
    email: 'Corregir el correo',
  },
} as const;

/**
 * An invoice in process for longer than this is delayed, and the screen says so. Generous, since phone clocks
 * may be minutes off.
 */
const LATE_MS = 10 * 60_000;

/** What is happening with an invoice in process, and until when. */
export function inProcessWords({ requestedAt }: { requestedAt: Date }, isLong = false): string {
  return isLong || Date.now() - requestedAt.getTime() > LATE_MS
    ? invoicesCopy.part.inProcessLater(mexicoCityDate(requestedAt))
    : invoicesCopy.part.inProcessText;
}
