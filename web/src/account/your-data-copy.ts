/** Texts of what the buyer may see of what is kept of them. */
export const yourDataCopy = {
  title: 'Tu actividad',
  what: 'Quién entró a tu cuenta, desde dónde, y lo que pasó con tus compras.',
  activity: 'Ver mi actividad',
} as const;
