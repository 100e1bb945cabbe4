/** Texts of saving a list as a file. */
export const listsCopy = {
  xlsx: 'Descargar Excel',
  csv: 'Descargar CSV',
  busy: 'Preparando…',
  notWhole: {
    title: 'El archivo trae los 5,000 renglones más recientes',
    text: 'Elige menos días o una lista más corta. Los cobros vienen todos en el CSV.',
  },
};
