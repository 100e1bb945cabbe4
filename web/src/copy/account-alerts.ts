import type { AlertText } from '@aparta/ui/alert.tsx';

/** Spec §8's alerts that sign-in may show too, word for word; the signed-in ones are in `alerts.ts`. */
export const accountAlerts = {
  registered: { kind: 'success', title: 'Registro exitoso!', text: 'Cuenta creada!' },
  resetMailSent: {
    kind: 'success',
    title: 'Correo enviado!',
    text: 'Se envio el correo con el link de cambio de password!',
  },
} as const satisfies Record<string, AlertText>;
