import type { AlertText } from '@aparta/ui/alert.tsx';

/** Spec §8's alerts of the profile, word for word; the other signed-in ones are in `alerts.ts`. */
export const profileAlerts = {
  profileUpdated: {
    kind: 'success',
    title: 'Actualización exitosa!',
    text: 'tu información ha sido actualizada!',
  },
  fiscalClientAdded: {
    kind: 'success',
    title: 'Alta exitosa!',
    text: 'tu información fiscal ha sido dada de alta!',
  },
} as const satisfies Record<string, AlertText>;
