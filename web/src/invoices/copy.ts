import { formatDate, type DateOnly } from '@aparta/domain/calendar';
import type { FiscalField, FiscalProblem } from './fiscal-check.ts';

/** Fiscal data and invoices. Texts of §2 are literal; those of §8 are in copy/alerts.ts. */
export const invoicesCopy = {
  retrying: 'Cargando…',

  clients: {
    title: 'Tus datos para facturar',
    loading: 'Cargando tus datos fiscales',
    failed: 'No pudimos cargar tus datos fiscales',
    empty: 'Todavía no tienes datos fiscales. Con ellos puedes facturar cada pago completo.',
    name: 'Nombre',
    rfc: 'RFC',
    regime: 'Régimen',
    providerId: 'E-customer',
    noProviderId: 'Con tu primera factura',
    acts: 'Acciones',
    correct: 'Corregir',
    remove: 'Quitar',
    which: (rfc: string) => rfc,
  },

  remove: {
    title: '¿Quitar estos datos fiscales?',
    of: (rfc: string, name: string) => `${name}, ${rfc}`,
    text: 'Las facturas que ya tienes se conservan.',
    confirm: 'Quitar datos',
    busy: 'Quitando…',
    keep: 'Conservar',
  },

  form: {
    add: 'Registra tus datos fiscales',
    correct: (rfc: string) => `Corrige ${rfc}`,
    intro: 'Cópialos de tu Constancia de Situación Fiscal: el SAT los compara letra por letra.',
    fresh: 'Registrar otro RFC',
    gone: 'Esos datos fiscales ya no están en tu lista.',
    forInvoice: 'Después volvemos a tu factura.',
    toInvoice: 'Volver a mi factura',

    registry: 'Registro ante el SAT',
    contact: 'Contacto',
    address: 'Domicilio fiscal',

    rfc: 'RFC',
    rfcHint: '13 letras y números si eres persona física, 12 si es empresa.',
    rfcOdd: 'El último signo no coincide con los demás. Si así está en tu Constancia, sigue.',
    alias: 'Alias',
    aliasHint: 'Opcional. Para reconocerlo en tu lista.',
    personType: 'Tipo de persona',
    personTypes: { fisica: 'Física', moral: 'Moral' },
    name: 'Nombre',
    nameHint: {
      fisica: 'Como en tu Constancia: nombre y apellidos.',
      moral: 'Como en tu Constancia: sin el tipo de sociedad (S.A. de C.V. y otros).',
    },
    shorter: 'El SAT escribe el nombre sin el tipo de sociedad.',
    useShorter: (name: string) => `Usar ${name}`,
    regime: 'Régimen fiscal',
    regimeFirst: 'Escribe primero tu RFC',
    chooseRegime: 'Elige tu régimen',
    use: 'Uso de CFDI',
    useFirst: 'Elige primero tu régimen',
    email: 'Correo',
    emailHint: 'Aquí te llegan tus facturas.',
    phone: 'Teléfono',
    optional: 'Opcional.',
    street: 'Calle',
    suburb: 'Colonia',
    zip: 'Código postal',
    zipHint: 'El de tu domicilio fiscal: 5 números.',

    // §2.
    insert: 'Alta de Facturación',
    inserting: 'Dando de alta…',
    update: 'Actualizar información',
    updating: 'Actualizando…',
    cancel: 'Cancelar',
    notSaved: 'No pudimos guardar tus datos fiscales',
  },

  // §2: 'Facturar pago' and its popup.
  part: {
    ask: 'Facturar pago',
    askOf: (number: number) => String(number),
    inProcess: 'Factura en proceso',
    inProcessText: 'Te avisamos aquí en cuanto esté, y te la mandamos por correo.',
    inProcessLater: 'Tarda más de lo normal. Te la mandamos por correo en cuanto esté; no tienes que esperar.',
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
    of: (product: string, number: number, of: number) => `${product} · Pago\u00a0${number}\u00a0de\u00a0${of}`,
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

const wrong: Record<FiscalField, Partial<Record<FiscalProblem, string>> & { refused: string }> = {
  rfc: {
    empty: 'Escribe tu RFC.',
    tooShort: 'Faltan letras o números: son 13 de una persona física y 12 de una empresa.',
    tooLong: 'Sobran letras o números: son 13 de una persona física y 12 de una empresa.',
    shape: 'Revisa el RFC: van las letras, la fecha con seis números y tres signos más.',
    date: 'Los seis números del RFC no son una fecha. Van año, mes y día.',
    generic: 'Este RFC es para quien no factura a su nombre. Escribe el tuyo.',
    exists: 'Ya tienes este RFC en tu lista. Desde ahí puedes corregirlo.',
    refused: 'El SAT no reconoce este RFC. Cópialo de tu Constancia.',
  },
  name: {
    empty: 'Escribe el nombre como en tu Constancia.',
    refused: 'El SAT tiene otro nombre con este RFC. Cópialo de tu Constancia, sin el tipo de sociedad.',
  },
  regime: {
    empty: 'Elige el régimen de tu Constancia.',
    refused: 'El SAT no tiene este régimen con este RFC. Elige el de tu Constancia.',
  },
  cfdiUse: {
    empty: 'Elige para qué usas la factura.',
    refused: 'El SAT no permite este uso con tu régimen. Elige otro.',
  },
  email: {
    empty: 'Escribe el correo donde quieres tus facturas.',
    refused: 'Escribe el correo completo, por ejemplo nombre@correo.mx.',
  },
  zip: {
    empty: 'Escribe el código postal de tu domicilio fiscal.',
    shape: 'El código postal son 5 números.',
    refused: 'El SAT tiene otro código postal con este RFC. Cópialo de tu Constancia.',
  },
  alias: { refused: 'Revisa el alias: es muy largo o tiene un signo que no podemos guardar.' },
  phone: { refused: 'Revisa el teléfono: es muy largo o tiene un signo que no podemos guardar.' },
  street: { refused: 'Revisa la calle: es muy larga o tiene un signo que no podemos guardar.' },
  suburb: { refused: 'Revisa la colonia: es muy larga o tiene un signo que no podemos guardar.' },
};

/** What is wrong with a field and how to mend it. */
export function wrongWords(field: FiscalField, problem: FiscalProblem): string {
  return wrong[field][problem] ?? wrong[field].refused;
}
