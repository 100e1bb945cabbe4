import { formatDateLong, type DateOnly } from '@aparta/domain/calendar';

/** What a buyer agrees to. Apart from `copy.ts`, so that the first screens do not wait for it. */
export const legalCopy = {
  terms: { title: 'Términos y condiciones' },
  privacy: { title: 'Aviso de privacidad' },
  version: (version: string, on: DateOnly) => `Versión ${version}, publicada el ${formatDateLong(on)}.`,
  template: 'Es un texto de ejemplo, para demostraciones.',
  loading: 'Cargando el texto',
  failed: 'No pudimos cargar el texto',
  missing: 'Todavía no está publicado. Vuelve a intentarlo más tarde.',
  retrying: 'Cargando…',
  toHome: 'Ir a Inicio',
} as const;
