/** Texts of a payment that is under way, beside when it is due. */
export const dueCopy = {
  waitsAtStore: 'Esperando pago en tienda',
  confirming: 'Confirmando tu pago',
  threeDs: 'Falta que autorices tu pago',
} as const;
