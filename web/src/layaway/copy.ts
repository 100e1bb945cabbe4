/** Texts that the wizard's steps share. Spec §2's are literal. */
export const layawayCopy = {
  steps: ['Referencia', 'Información', 'Pago'],
  next: 'Ir al paso siguiente',
  previous: 'Ir al paso anterior',
} as const;
