import type { BuyerRefusalCode as RefusalCode } from '@aparta/contract/refusals';
import type { AlertText } from '@aparta/ui/alert.tsx';

/** The texts of refusals that screens know without asking; the others are in `refusal-texts.ts`. */
export const knownRefusals = {
  NOT_FOUND: {
    kind: 'warning',
    title: 'No lo encontramos',
    text: 'No existe o no es de tu cuenta.',
  },
  RESET_CODE_DEAD: {
    kind: 'warning',
    title: 'Necesitas un enlace nuevo',
    text: 'Cada enlace sirve una sola vez y durante 30 minutos. Escribe tu correo y te enviamos otro.',
  },
  CONFIRMATION_DEAD: {
    kind: 'warning',
    title: 'Este enlace ya no sirve',
    text: 'Cada enlace confirma un correo una sola vez. En tu perfil puedes pedir otro.',
  },
  PASSWORD_TOO_COMMON: {
    kind: 'warning',
    title: 'Ese password es fácil de adivinar',
    text: 'Elige otro que nadie pueda adivinar.',
  },
  // Spec §5 and §8, merchant without clipApiKey
  CARDS_NOT_ACCEPTED: {
    kind: 'warning',
    title: 'Falta de configuración!',
    text: 'No se pueden realizar pagos con tarjeta!',
  },
  // Spec §5 and §8, layaway reference of another type
  NOT_A_LAYAWAY: {
    kind: 'error',
    title: 'Oops...',
    text: 'las referencía no es para realizar un apartado!',
    footer: 'Favor de revisar los datos de las referencías',
  },
  CASH_REFERENCE_REFUSED: {
    kind: 'error',
    title: 'Error al crear la referencia',
    text: 'Sucedió un error al crear la referencia',
  },
  // Spec §8, the provider or SAT said no
  INVOICE_REFUSED: {
    kind: 'error',
    title: 'Emision de factura no exitosa!',
    text: 'la factura no fue creada!',
  },
} as const satisfies Partial<Record<RefusalCode, AlertText>>;
