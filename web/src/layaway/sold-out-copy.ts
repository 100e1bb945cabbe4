/** Texts of a product of which no unit is left. */
export const soldOutCopy = {
  title: 'Agotado.',
  text: 'Ya no quedan piezas de este producto. No se te cobró nada.',
  call: 'Pregunta cuándo llegan más:',
};
