/** Texts of the buyer commands. */
export const BUYERS = {
  exported: (file: string) =>
    `Todo lo que hay de esa persona está en ${file}. Entrégueselo por un medio seguro.`,
  erased: (id: number) =>
    `La persona ${id} quedó borrada. Sus movimientos siguen en los libros, sin su nombre. Sigue en los respaldos hasta que caduquen.`,
  erasedAgain: (again: {
    erased: readonly number[];
    tied: readonly number[];
    helps: readonly string[];
    tiedHelps: readonly string[];
  }) =>
    [
      again.erased.length + again.helps.length === 0
        ? 'No faltaba borrar a nadie de la lista.'
        : `Se borró otra vez a: ${[...again.erased, ...again.helps].join(', ')}.`,
      ...(again.tied.length + again.tiedHelps.length === 0
        ? []
        : [
            `Todavía hay cosas abiertas de: ${[...again.tied, ...again.tiedHelps].join(', ')}. Repita el comando cuando terminen.`,
          ]),
    ].join('\n'),
  tied: 'Todavía hay cosas abiertas de esa persona. Primero deben terminar:',
  ties: {
    activePurchases: 'compras activas sin liquidar',
    openAttempts: 'pagos con tarjeta sin resolver, o que el banco aún puede aprobar (siete días)',
    payableCash: 'números que las tiendas aún pueden cobrar (hasta tres días después de vencer)',
    openRefunds: 'devoluciones pendientes',
    openInvoices: 'facturas en proceso',
    openClaims: 'reclamos abiertos',
    paidOffPurchases: 'compras liquidadas (si ya se entregaron, agregue --delivered)',
    helperEmails: 'correos a quienes le ayudaron que aún no salen',
  },
} as const;
