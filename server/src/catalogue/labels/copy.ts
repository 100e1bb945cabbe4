/** What is printed on labels, and shown where their link is shared. */
export const LABEL_COPY = {
  price: 'Precio',
  reserveWith: 'Apártalo con',
  scan: 'Escanéalo con la cámara de tu teléfono y apártalo',
  scanBriefly: 'Escanéalo con tu teléfono',
  preview: (deposit: string, plan: string, merchant: string) =>
    `Apártalo con ${deposit} ${plan}, en ${merchant}.`,
  /** The merchant's own code, our number, and of when it is. */
  foot: (sku: string, product: number, date: string) =>
    [sku && `SKU ${sku}`, `Núm. ${product}`, date].filter(Boolean).join(' · '),
  onePayment: (amount: string, days: number) => `y un pago de ${amount} a los ${inDays(days)}`,
  payments: (count: number, amount: string, days: number, last: string | undefined) =>
    last === undefined
      ? `y ${count} abonos de ${amount}, ${every(days)}`
      : `y ${count} abonos, ${every(days)}: ${count === 2 ? 'uno' : count - 1} de ${amount} y el último de ${last}`,
};

function every(days: number): string {
  if (days === 1) return 'uno cada día';
  return days === 7 ? 'uno cada semana' : `uno cada ${days} días`;
}

function inDays(days: number): string {
  return days === 1 ? '1 día' : `${days} días`;
}
