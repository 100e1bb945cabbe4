/** Texts of the bar-code view. */
export const barcodeCopy = {
  title: 'Código de barras',
  intro: 'Muéstralo en la caja.',
  label: 'Referencia',
  bigger: 'Ver más grande',
  smaller: 'Ver más chico',
  wrong: 'Esta referencia no se puede dibujar. Revisa que esté completa.',
  back: 'Ir a Apartados',
} as const;
