/** Texts of a layaway that is not finished: what was scanned before, or one whose payment is open or owed back. */
export const unresolvedCopy = {
  label: 'Tu apartado sin terminar',
  title: 'Tienes un apartado sin terminar',
  text: 'Todavía no se cobra nada.',
  /** Of one that was made elsewhere and of which money is owed back. */
  see: 'Ver mi apartado',
  deposit: 'Apartado',
  /** Its card payment is under way: as the wizard's third step says it. */
  threeDs: {
    title: 'Falta que autorices tu pago',
    text: 'Termina la autenticación con tu banco. No pagues de otra forma mientras tanto.',
    go: 'Continuar mi pago',
  },
  confirming: {
    title: 'Estamos confirmando tu pago',
    text: 'No vuelvas a pagar, ni con tarjeta ni en caja.',
    go: 'Ver mi pago',
  },
  held: {
    title: 'Tu pago está en revisión',
    text: 'No vuelvas a pagar. Una persona lo está revisando y te avisaremos por correo.',
    go: 'Ver mi pago',
  },
} as const;
