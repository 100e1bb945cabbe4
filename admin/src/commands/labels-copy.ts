/** Texts of the label commands. */
export const LABELS = {
  title: (merchant: number) => `Etiquetas del comercio ${merchant}`,
  drawing: 'Dibujando etiquetas',
  /** A rehearsal writes no `file`. */
  printed: (count: number, file: string | undefined, withoutPlan: readonly number[]) =>
    `${count} ${count === 1 ? 'etiqueta' : 'etiquetas'} ` +
    (file === undefined
      ? 'caben y se pueden imprimir. No se hizo el archivo.'
      : `en ${file}. Imprímalas al 100 %, sin ajustar a la página.`) +
    (withoutPlan.length === 0
      ? ''
      : `\nSin etiqueta, porque el plan del comercio no da para su precio: ${withoutPlan.join(', ')}.`),
  pictured: (product: string, file: string | undefined) =>
    file === undefined
      ? `La etiqueta de ${product} se puede dibujar. No se hizo el archivo.`
      : `La etiqueta de ${product} está en ${file}.`,
  noneOutdated: 'Todas las etiquetas impresas dicen la verdad.',
  noPlan: 'sin plan',
  figures: (price: string, deposit: string, payments: number) =>
    `${price}, apartado ${deposit}, ${payments} pagos`,
} as const;
