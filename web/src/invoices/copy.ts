import { formatDate, type DateOnly } from '@aparta/domain/calendar';

/** Invoices. Texts of §2 are literal; those of §8 are in copy/alerts.ts. Apart from the words of the form, which is another screen's. */
export const invoicesCopy = {
  // §2: 'Facturar pago' and its popup.
  part: {
    ask: 'Facturar pago',
    askOf: (number: number) => String(number),
    inProcess: 'Factura en proceso',
    inProcessText: 'Te avisamos aquí en cuanto esté, y te la mandamos por correo.',
    inProcessLater:
      'Tarda más de lo normal. Te la mandamos por correo en cuanto esté; no tienes que esperar.',
    look: 'Ver si ya está',
    looking: 'Buscando…',
    review: 'Factura en revisión',
    reviewText: 'Una persona la está viendo; no tienes que hacer nada.',
    refused: 'Factura no emitida',
    again: 'Facturar otra vez',
    issued: (folio: string, on: DateOnly | undefined) =>
      [folio === '' ? 'Factura' : `Factura ${folio}`, on && formatDate(on)].filter(Boolean).join(' · '),
    to: (rfc: string, name: string) => `A nombre de ${name}, ${rfc}`,
    fiscalFolio: 'Folio fiscal',
    files: { pdf: 'PDF', xml: 'XML' },
    downloading: 'Descargando…',
    downloaded: (name: string) => `Guardamos ${name} en tus descargas.`,
    downloadFailed: 'No pudimos descargar la factura. Vuelve a intentarlo.',
    filesLater: 'Estamos guardando sus archivos; ya va en camino a tu correo.',
    of: (number: number) => `de la factura del pago ${number}`,
  },

  sheet: {
    title: 'Emisión de factura',
    loading: 'Cargando tus datos fiscales',
    of: (product: string, number: number, of: number) =>
      `${product} · Pago\u00a0${number}\u00a0de\u00a0${of}`,
    client: 'RFC',
    choose: 'Elige tu RFC',
    required: 'Elige a qué RFC va la factura.',
    regime: 'Régimen',
    use: 'Uso',
    zip: 'Código postal',
    email: 'La mandamos a',
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
    review: 'Tu factura está en revisión.',
    refused: 'El SAT no aceptó tu factura.',
  },

  /** Where SAT says that a field is wrong: what it compares it with. */
  faults: {
    rfc: 'El SAT no reconoce este RFC.',
    name: 'El nombre no es el que el SAT tiene con este RFC.',
    zip: 'El código postal no es el que el SAT tiene con este RFC.',
    regime: 'El SAT no tiene este régimen con este RFC.',
    cfdiUse: 'El SAT no permite este uso con tu régimen.',
    email: 'El correo no se puede usar para mandarte la factura.',
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
