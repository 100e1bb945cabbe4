/** Texts of the commands for units. */
export const UNITS = {
  none: 'Nadie cuenta las unidades de ese producto.',
  set: (before: number | null, after: number) => `A la venta: ${before ?? 'no se contaba'} -> ${after}.`,
  released: (branch: string) => `Una unidad más a la venta en ${branch}.`,
} as const;
