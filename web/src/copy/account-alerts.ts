import type { AlertText } from '@aparta/ui/alert.tsx';

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
