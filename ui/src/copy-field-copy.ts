/** Texts of a text that is copied. */
export const copyFieldCopy = {
  failed: 'No se pudo copiar. Mantén presionado el texto y cópialo.',
} as const;
