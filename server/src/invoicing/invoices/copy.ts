import type { Centavos } from '@aparta/domain/money';

/** The one line of an invoice (rules/providers#instalment-sales): instalment n of m, and the purchase. */
export function lineOf(given: { number: number; of: number; purchaseId: number }): string {
  return `Abono ${given.number} de ${given.of}, compra ${given.purchaseId}`;
}

/** The receipts that paid the instalment, at most 250 characters. */
export function observationsOf(folios: readonly string[]): string {
  return `${folios.length === 1 ? 'Recibo' : 'Recibos'} ${folios.join(', ')}`.slice(0, 250);
}

/** The name of a downloaded file. */
export function invoiceFileName(fiscalFolio: string, file: 'pdf' | 'xml'): string {
  return `factura-${fiscalFolio.toLowerCase()}.${file}`;
}

/** The facts of an email about an invoice. */
export function factsOf(invoice: {
  readonly id: number;
  readonly purchaseId: number;
  readonly number: number;
  readonly folio: string;
  readonly amountCentavos: Centavos;
}) {
  const { id, purchaseId, number, folio, amountCentavos } = invoice;
  return { invoiceId: id, purchaseId, number, folio, amountCentavos };
}
