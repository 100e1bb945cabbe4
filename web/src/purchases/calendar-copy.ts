/** Texts of a purchase's file for calendars. */
export const calendarCopy = {
  save: 'Guardar fechas en mi calendario',
  saving: 'Preparando…',
  saved: (fileName: string) => `Listo: abre ${fileName} para agregarlas. Te avisa un día antes de cada pago.`,
  failed: 'No pudimos preparar tus fechas',
} as const;
