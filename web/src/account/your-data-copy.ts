/** Texts of what the buyer may see of what is kept of them. */
export const yourDataCopy = {
  title: 'Tu actividad y tus datos',
  what: 'Quién entró a tu cuenta, desde qué dispositivo, y lo que pasó con tus compras.',
  activity: 'Ver mi actividad',
  data: 'Descargar mis datos',
  dataWhat: 'Todo lo que guardamos de ti, en un archivo ZIP. Es privado: ábrelo en un dispositivo tuyo.',
  password: 'Tu contraseña',
  submit: 'Descargar',
  busy: 'Reuniendo tus datos…',
  cancel: 'Cancelar',
  saved: (fileName: string) => `Listo: ${fileName}`,
} as const;
