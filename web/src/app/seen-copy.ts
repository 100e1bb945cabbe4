import { formatMoment } from '@aparta/domain/calendar';

/** Of a screen without network, and of what it shows then. */
export const seenCopy = {
  title: (at: Date) => `Sin internet. Visto el ${formatMoment(at)} h.`,
  text: 'Puede haber cambiado.',
  retry: 'Volver a intentar',
  retrying: 'Intentando…',
  /** In place of a screen that needs the network. */
  nothing: {
    title: 'Sin internet',
    text: 'No se pagó ni se cambió nada. Tus compras, recibos y códigos que ya viste se pueden leer sin internet.',
    toPurchases: 'Ver mis compras',
  },
} as const;
