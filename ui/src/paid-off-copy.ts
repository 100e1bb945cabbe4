/** The plan is paid: the moment to remember. */
export const paidOffCopy = {
  title: '¡Ya es tuyo!',
  pickUp: (merchant: string) => `Recógelo en ${merchant}`,
  ask: 'Pregunta en el comercio cuándo puedes pasar por él.',
  phone: (phone: string) => `Tel. ${phone}`,
} as const;
