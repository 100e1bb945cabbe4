import type { Centavos } from '@aparta/domain/money';

/** What the one line of an invoice says (rules/providers#instalment-sales: number, of how many, of which purchase). */
export function lineOf(given: { number: number; of: number; purchaseId: number }): string {
  return `Abono ${given.number} de ${given.of}, compra ${given.purchaseId}`;
}

/** The receipts that an invoice is about. */
export function observationsOf(folios: readonly string[]): string {
  return `${folios.length === 1 ? 'Recibo' : 'Recibos'} ${folios.join(', ')}`.slice(0, 250);
}

/** How a downloaded invoice is called. */
export function invoiceFileName(fiscalFolio: string, file: 'pdf' | 'xml'): string {
  return `factura-${fiscalFolio.toLowerCase()}.${file}`;
}

/** What the emails about an invoice are made of. */
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
