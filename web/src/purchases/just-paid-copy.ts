/** Apart from the other words of purchases, since it is loaded with the stamp alone. */
export const justPaidCopy = {
  label: 'Pago recibido',
  sum: 'Pagaste',
  text: 'Recibimos tu pago: ya está aplicado a tu compra.',
  given: 'Te dieron',
  givenText: (payer: string) => `${payer} te ayudó: su pago ya está aplicado a tu compra.`,
  folio: 'Folio',
  receipt: 'Ver recibo',
  close: 'Seguir',
};
