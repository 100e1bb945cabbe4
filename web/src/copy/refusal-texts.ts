import { edgeRefusalTexts } from '@aparta/browser/edge-refusal-texts.ts';
import type { BuyerRefusalCode as RefusalCode } from '@aparta/contract/refusals';
import type { AlertText } from '@aparta/ui/alert.tsx';
import { knownRefusals } from './known-refusals.ts';

// Loaded once something is refused, or is about to be sent: most buyers read none of them.

/** The text for each refusal. Texts that the spec quotes are literal, spelling included. */
export const refusalTexts = {
  ...knownRefusals,
  ...edgeRefusalTexts,
  NOT_ALLOWED: {
    kind: 'error',
    title: 'Esta cuenta no puede hacer esto',
    text: 'Entra con tu cuenta de comprador.',
  },
  // Spec §8, login
  WRONG_CREDENTIALS: { kind: 'warning', title: 'Correo o Password Incorrecto!' },
  WRONG_PASSWORD: { kind: 'warning', title: 'Esa no es tu contraseña', text: 'Escríbela otra vez.' },
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

  NOT_ON_SALE: {
    kind: 'warning',
    title: 'Este producto ya no se ofrece',
    text: 'Pregunta en el comercio por otro producto.',
  },
  SOLD_OUT: {
    kind: 'warning',
    title: 'Este producto se agotó',
    text: 'No se te cobró nada. Pregunta en el comercio cuándo llega más.',
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

  TOO_LATE_FOR_STORES: {
    kind: 'warning',
    title: 'Ya no da tiempo de pagar en tienda',
    text: 'Tu compra se cancela hoy si no la pagas. Págala ahora con tarjeta o en la caja del comercio.',
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
  PUSH_NOT_TAKEN: {
    kind: 'info',
    title: 'No podemos avisarte en este navegador',
    text: 'Te seguimos avisando por correo.',
  },
  TOO_MANY_LINKS: {
    kind: 'info',
    title: 'Ya tienes tres enlaces activos',
    text: 'Termina uno para crear otro.',
  },
  PURCHASE_SETTLED: {
    kind: 'info',
    title: 'Esta compra ya está liquidada',
    text: 'No te falta ningún pago.',
  },
  NOT_PAID_OFF: {
    kind: 'info',
    title: 'Todavía no está liquidada',
    text: 'Cuando termines de pagarla te damos tu código para recogerla.',
  },
  HANDED_OVER: {
    kind: 'info',
    title: 'Esta compra ya se entregó',
    text: 'Ya no hay nada que cambiar.',
  },
  CLAIM_TOO_EARLY: {
    kind: 'info',
    title: 'Todavía está a tiempo',
    text: 'La tienda aún puede entregarte dentro de su plazo. Si no lo hace, aquí puedes reclamar.',
  },
  CLAIM_ENDED: {
    kind: 'info',
    title: 'Este reclamo ya terminó',
    text: 'En tu compra ves cómo terminó.',
  },
  QUOTE_CHANGED: {
    kind: 'warning',
    title: 'La devolución cambió',
    text: 'Revisa la cantidad nueva antes de cancelar.',
  },
  PLAN_CHANGED: {
    kind: 'warning',
    title: 'Tu plan cambió',
    text: 'Míralo otra vez antes de cambiar una fecha.',
  },
  NOT_MOVABLE: {
    kind: 'warning',
    title: 'Este pago no se puede cambiar así',
    text: 'Elige otra fecha u otra cantidad.',
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
  FISCAL_CLIENT_IN_USE: {
    kind: 'warning',
    title: 'Una factura con estos datos está en proceso',
    text: 'Corrígelos, o espera a que salga.',
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
  INVOICE_OTHER_RFC: {
    kind: 'warning',
    title: 'La factura de este pago va con {rfc}',
    text: 'Ya la habías pedido con ese RFC y no cambió nada: cada pago lleva una sola factura. Si no sale, puedes pedirla con otro RFC. Si sale y la necesitas con otro, pide a {contact} que la cancele ante el SAT y pídela otra vez.',
  },
} as const satisfies Record<RefusalCode, AlertText>;
