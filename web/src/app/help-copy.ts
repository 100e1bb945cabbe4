/** Texts of 'Ayuda', apart from the frame's: the first screen does not need them. */
export const helpCopy = {
  title: 'Ayuda',
  goods: (merchant: string) => `${merchant}, por tu producto`,
  goodsText: 'Entrega, garantía, cambios y tu devolución en efectivo.',
  hours: (hours: string) => `Horario: ${hours}`,
  noContact: 'Pregunta en su caja.',
  payments: (product: string) => `${product}, por tus pagos`,
  paymentsText: 'Cobros, recibos, facturas y tu cuenta. Ten a la mano el folio de tu recibo.',
  email: 'Correo:',
  phone: 'Teléfono:',
  loading: 'Cargando los datos del comercio',
  failed: 'No pudimos cargar los datos del comercio',
  close: 'Cerrar',
} as const;
