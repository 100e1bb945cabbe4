import { formatDateLong, type DateOnly } from '@aparta/domain/calendar';

/** Texts of the legal pages. Separate from `copy.ts` to keep the first load small. */
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
