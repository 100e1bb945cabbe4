/** Texts of saving and sharing a reference. */
export const saveAndShareCopy = {
  save: 'Guardar referencia',
  saving: 'Guardando…',
  saved: (name: string) => `Guardamos la imagen ${name} en tu teléfono o computadora.`,
  saveFailed: 'No pudimos guardar la imagen. Copia la referencia o toma una captura de pantalla.',
  share: 'Compartir',
  sharing: 'Compartiendo…',
  shareFailed: 'No pudimos compartirla. Guarda la referencia y envía la imagen.',
} as const;
