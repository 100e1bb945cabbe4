/** Who gives a payment back that they took, where that is no refund of ours. Loaded with the refunds alone. */
export const takenBackCopy = {
  till: (isHelp: boolean) => `La caja ${isHelp ? 'lo regresa a quien te ayudó' : 'te regresa ese dinero'}.`,
  cash: (isHelp: boolean) =>
    `La tienda donde se pagó ${isHelp ? 'lo regresa a quien te ayudó' : 'te regresa ese dinero'}.`,
  card: (isHelp: boolean) => `Devuelto. ${isHelp ? 'Su' : 'Tu'} banco puede tardar unos días en mostrarlo.`,
} as const;
