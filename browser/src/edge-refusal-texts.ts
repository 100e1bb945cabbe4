import type { RefusalCode } from '@aparta/contract/refusals';
import type { AlertText } from '@aparta/ui/alert.tsx';

/** The texts of refusals that any call may meet, whoever makes it. */
export const edgeRefusalTexts = {
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
} as const satisfies Partial<Record<RefusalCode, AlertText>>;

function brokenCall() {
  return {
    kind: 'error',
    title: 'Algo falló de nuestro lado',
    text: 'Actualiza la página y vuelve a intentarlo.',
  } as const;
}
