const days = (count: number) => (count === 1 ? '1 día' : `${count} días`);

/** Texts of the shop's rules, as who stands at its counter says them to a buyer. */
export const rulesCopy = {
  title: 'Reglas de tu tienda',
  intro: 'Las que valen hoy para lo que se aparte desde ahora. Lo ya apartado conserva las suyas.',
  change: (operator: string, email: string) =>
    `Para cambiarlas, escribe a ${operator}${email === '' ? '.' : `: ${email}.`}`,
  loading: 'Cargando las reglas',
  failed: 'No pudimos cargar las reglas',

  plan: 'El plan',
  deposit: 'Para apartar',
  percent: (percent: number) => `${percent} % del precio`,
  payments: 'Pagos en total',
  withDeposit: (payments: number) => `${payments}, con el apartado`,
  every: 'Uno cada',
  days,
  moves: 'Cambios de fecha',
  noMoves: 'No se permiten',
  movesText: 'Los cambios de fecha son los de hoy también para lo ya apartado.',
  upTo: (moves: number, most: number) => `Hasta ${moves}, de ${days(most)} cada uno`,

  cancel: 'Si el comprador cancela',
  inTime: 'Hasta el quinto día hábil',
  free: 'Sin costo',
  later: 'Después, cargo por cancelar',
  cancelText:
    'Se cuenta desde que pagó el apartado. El cargo nunca pasa de lo que pagó; lo demás se le devuelve. El cargo por servicio solo se devuelve si cancela sin costo.',

  after: 'Entrega y atrasos',
  delivery: 'Entregas',
  deliveredIn: (count: number) =>
    count === 0 ? 'El día del último pago' : `Hasta ${days(count)} después del último pago`,
  end: 'Termina por atraso',
  never: 'Nunca por sí sola',
  endsAfter: (count: number) => `A los ${days(count)}, con dos avisos`,

  fees: 'Cargo por servicio en cada pago',
  card: 'Con tarjeta en línea',
  noCards: 'No se acepta',
  till: 'En tu caja o mostrador',
  store: 'En tiendas, en efectivo',
  noFee: 'Sin cargo',
} as const;
