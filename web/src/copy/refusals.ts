import type { BuyerRefusalCode as RefusalCode } from '@aparta/contract/refusals';
import { formatDate } from '@aparta/domain/calendar';
import type { AlertText } from '@aparta/ui/alert.tsx';
import { ApiError, type Failure } from '../api/api-error.ts';

/** The text for each refusal. Texts that the spec quotes are literal, spelling included. */
const refusals = {
  INVALID_INPUT: {
    kind: 'warning',
    title: 'Hay un dato que no pudimos leer',
    text: 'Revisa lo que escribiste y vuelve a intentarlo.',
  },
  SESSION_DEAD: {
    kind: 'info',
    title: 'Tu sesión terminó',
    text: 'Entra otra vez para seguir donde estabas.',
  },
  NOT_ALLOWED: {
    kind: 'error',
    title: 'Esta cuenta no puede hacer esto',
    text: 'Entra con tu cuenta de comprador.',
  },
  NOT_FOUND: {
    kind: 'warning',
    title: 'No lo encontramos',
    text: 'No existe o no es de tu cuenta.',
  },
  TOO_MANY: {
    kind: 'warning',
    title: 'Demasiados intentos',
    text: 'Espera un momento antes de volver a intentarlo.',
  },
  METHOD_NOT_ALLOWED: brokenCall(),
  BODY_TOO_LARGE: brokenCall(),
  UNSUPPORTED_BODY: brokenCall(),
  TOO_SLOW: {
    kind: 'warning',
    title: 'El servicio tardó demasiado',
    text: 'Puede que lo último que hiciste sí se haya guardado. Revísalo antes de repetirlo.',
  },
  BUSY: {
    kind: 'warning',
    title: 'Hay mucha gente en este momento',
    text: 'No se guardó ni se cobró nada. Vuelve a intentarlo en un momento.',
  },
  DATABASE_AWAY: {
    kind: 'error',
    title: 'El servicio no está disponible',
    text: 'No se guardó ni se cobró nada. Vuelve a intentarlo en unos minutos.',
  },
  UNAVAILABLE: {
    kind: 'error',
    title: 'El servicio no está disponible',
    text: 'Vuelve a intentarlo en unos minutos.',
  },
  INTERNAL: {
    kind: 'error',
    title: 'Algo falló de nuestro lado',
    text: 'Vuelve a intentarlo en unos minutos.',
  },

  // Spec §8, login
  WRONG_CREDENTIALS: { kind: 'warning', title: 'Correo o Password Incorrecto!' },
  // Spec §8, email taken at submit
  EMAIL_TAKEN: { kind: 'warning', title: 'Registro no exitoso!', text: 'El Email ya existe!' },
  PASSWORD_TOO_SHORT: {
    kind: 'warning',
    title: 'El password es muy corto',
    text: 'Escribe al menos 8 caracteres.',
  },
  PASSWORD_TOO_LONG: {
    kind: 'warning',
    title: 'El password es muy largo',
    text: 'Escribe 128 caracteres o menos.',
  },
  PASSWORD_TOO_COMMON: {
    kind: 'warning',
    title: 'Ese password es fácil de adivinar',
    text: 'Elige otro que nadie pueda adivinar.',
  },
  RESET_CODE_DEAD: {
    kind: 'warning',
    title: 'Necesitas un enlace nuevo',
    text: 'Cada enlace sirve una sola vez y durante 30 minutos. Escribe tu correo y te enviamos otro.',
  },
  TERMS_NOT_ACCEPTED: {
    kind: 'warning',
    title: 'Faltan los términos',
    text: 'Para crear tu cuenta acepta los términos y el aviso de privacidad.',
  },
  TERMS_CHANGED: {
    kind: 'warning',
    title: 'Los términos cambiaron',
    text: 'Ahora es la versión {version}. Léela y vuelve a marcar la casilla.',
  },
  CONFIRMATION_DEAD: {
    kind: 'warning',
    title: 'Este enlace ya no sirve',
    text: 'Cada enlace confirma un correo una sola vez. En tu perfil puedes pedir otro.',
  },

  // Spec §5 and §8, layaway reference of another type
  NOT_A_LAYAWAY: {
    kind: 'error',
    title: 'Oops...',
    text: 'las referencía no es para realizar un apartado!',
    footer: 'Favor de revisar los datos de las referencías',
  },
  NOT_ON_SALE: {
    kind: 'warning',
    title: 'Este producto ya no se ofrece',
    text: 'Pregunta en el comercio por otro producto.',
  },
  RECENTLY_RESERVED: {
    kind: 'info',
    title: 'Ya apartaste este producto hoy',
    text: 'Si quieres apartar otro igual, confírmalo.',
  },
  REFERENCE_EXPIRED: {
    kind: 'warning',
    title: 'Tu referencia venció',
    text: 'Escanea otra vez el código QR del producto para hacer una nueva.',
  },
  REFERENCE_PAID: {
    kind: 'info',
    title: 'Este apartado ya está pagado',
    text: 'Lo encuentras en tus pagos pendientes.',
  },
  REFERENCE_CANCELLED: {
    kind: 'warning',
    title: 'Esta referencia se canceló',
    text: 'Escanea otra vez el código QR del producto para hacer una nueva.',
  },

  AMOUNT_CHANGED: {
    kind: 'warning',
    title: 'El monto cambió',
    text: 'Revisa el nuevo monto antes de pagar. No se hizo ningún cobro.',
  },
  ATTEMPT_OPEN: {
    kind: 'warning',
    title: 'Ya hay un pago en curso',
    text: 'Estamos confirmando un pago de esto. No vuelvas a pagar.',
  },
  INTENT_CONFLICT: {
    kind: 'warning',
    title: 'Este pago cambió mientras lo hacías',
    text: 'Vuelve a abrir la pantalla de pago. No se hizo otro cobro.',
  },
  // Spec §5 and §8, merchant without clipApiKey
  CARDS_NOT_ACCEPTED: {
    kind: 'warning',
    title: 'Falta de configuración!',
    text: 'No se pueden realizar pagos con tarjeta!',
  },
  MERCHANT_MISCONFIGURED: {
    kind: 'warning',
    title: 'Falta de configuración!',
    text: 'No se pueden realizar pagos con tarjeta!',
  },
  PROVIDER_DOWN: {
    kind: 'error',
    title: 'El servicio de tarjetas no responde',
    text: 'No se hizo ningún cobro. Vuelve a intentarlo en unos minutos.',
  },
  PURCHASE_CANCELLED: {
    kind: 'warning',
    title: 'Esta compra ya está cancelada',
    text: 'No se puede pagar ni cancelar otra vez.',
  },
  PURCHASE_SETTLED: {
    kind: 'info',
    title: 'Esta compra ya está liquidada',
    text: 'No te falta ningún pago.',
  },
  QUOTE_CHANGED: {
    kind: 'warning',
    title: 'La devolución cambió',
    text: 'Revisa la cantidad nueva antes de cancelar.',
  },
  CASH_REFERENCE_REFUSED: {
    kind: 'error',
    title: 'Error al crear la referencia',
    text: 'Sucedió un error al crear la referencia',
  },
  CONFIRM_EMAIL_FIRST: {
    kind: 'warning',
    title: 'Confirma tu correo para seguir',
    text: 'Abre el enlace que te enviamos, o pide otro en tu perfil. También puedes pagar en el comercio.',
  },
  TOO_MANY_REJECTIONS: {
    kind: 'warning',
    title: 'Demasiados pagos rechazados',
    text: 'Por tu seguridad hacemos una pausa. También puedes pagar en el comercio.',
  },
  FISCAL_DATA_WRONG: {
    kind: 'warning',
    title: 'Revisa tus datos fiscales',
    text: 'Escríbelos como aparecen en tu Constancia de Situación Fiscal.',
  },
  FISCAL_CLIENT_EXISTS: {
    kind: 'warning',
    title: 'Ya tienes este RFC',
    text: 'Está en tu lista de datos fiscales. Desde ahí puedes corregirlo.',
  },
  FISCAL_CLIENTS_FULL: {
    kind: 'warning',
    title: 'Tu lista de RFC está llena',
    text: 'Caben {most}. Quita uno que ya no uses y vuelve a intentarlo.',
  },
  NOT_INVOICEABLE: {
    kind: 'warning',
    title: 'Este pago no se puede facturar',
    text: 'Se factura un pago completo de una compra activa.',
  },
  INVOICING_NOT_OFFERED: {
    kind: 'warning',
    title: 'Este comercio todavía no factura aquí',
    text: 'Pide tu factura directamente al comercio.',
  },
  INVOICE_TOO_LATE: {
    kind: 'warning',
    title: 'Ya pasó el plazo para facturar',
    text: 'Podías pedir esta factura hasta el {until}. Si la necesitas, pregunta en {contact}.',
  },
  // Spec §8, the provider or SAT said no
  INVOICE_REFUSED: {
    kind: 'error',
    title: 'Emision de factura no exitosa!',
    text: 'la factura no fue creada!',
  },
} as const satisfies Record<RefusalCode, AlertText>;

/** Failures without an answer from the server. */
const failures = {
  network: {
    kind: 'error',
    title: 'No hay conexión',
    text: 'Revisa tu internet y vuelve a intentarlo.',
  },
  timeout: {
    kind: 'warning',
    title: 'El servicio tardó demasiado',
    text: 'Puede que lo último que hiciste sí se haya guardado. Revísalo antes de repetirlo.',
  },
  nonsense: {
    kind: 'error',
    title: 'Algo falló de nuestro lado',
    text: 'Vuelve a intentarlo en unos minutos.',
  },
} as const satisfies Record<Exclude<Failure['kind'], 'refused'>, AlertText>;

/** Spec §8's alerts on the public screens, word for word; the signed-in ones are in `alerts.ts`. */
export const accountAlerts = {
  /** On leaving the e-mail field when the user exists. */
  emailExists: { kind: 'warning', title: 'Busqueda de informacion!', text: 'El Email ya existe!' },
  /** On submit, if the look-up had found it taken. */
  emailTakenAtSubmit: { kind: 'warning', title: 'Registro no exitoso!', text: 'El Email ya existe!' },
  registered: { kind: 'success', title: 'Registro exitoso!', text: 'Cuenta creada!' },
  resetMailSent: {
    kind: 'success',
    title: 'Correo enviado!',
    text: 'Se envio el correo con el link de cambio de password!',
  },
} as const satisfies Record<string, AlertText>;

function brokenCall() {
  return {
    kind: 'error',
    title: 'Algo falló de nuestro lado',
    text: 'Actualiza la página y vuelve a intentarlo.',
  } as const;
}

/** Whether this version has a text for a `code` from the wire. Avoids downloading the contract's list. */
export function isRefusalCode(code: unknown): code is RefusalCode {
  return typeof code === 'string' && Object.hasOwn(refusals, code);
}

/** The alert for one refusal, for screens that know it without asking. */
export function alertOf(code: RefusalCode): AlertText {
  return refusals[code];
}

/** The alert for any error of a call. */
export function alertFor(error: unknown): AlertText {
  if (!(error instanceof ApiError)) return failures.nonsense;
  const { failure } = error;
  if (failure.kind !== 'refused') return failures[failure.kind];
  const alert: AlertText = refusals[failure.code];
  const wait = failure.retryAfterSeconds;
  // Some texts include a fact of the refusal.
  const text = alert.text?.replace(/\{(\w+)\}/g, (_, fact: string) => inWords(fact, failure.facts[fact]));
  if (text === undefined) return alert;
  return {
    ...alert,
    text: failure.status === 429 && wait !== undefined ? `${text} ${waitText(wait)}` : text,
  };
}

/** The same in one line, for a banner or under a form. */
export function sentenceFor(error: unknown): string {
  const { title, text } = alertFor(error);
  if (text === undefined) return title;
  return `${title}${/[.!?]$/.test(title) ? '' : '.'} ${text}`;
}

/** Days as the screens write them. */
function inWords(name: string, fact: unknown): string {
  return name === 'until' ? formatDate(String(fact)) : String(fact);
}

function waitText(seconds: number): string {
  if (seconds < 60) return `Podrás intentarlo en ${Math.max(1, seconds)} segundos.`;
  const minutes = Math.ceil(seconds / 60);
  return `Podrás intentarlo en ${minutes} ${minutes === 1 ? 'minuto' : 'minutos'}.`;
}
