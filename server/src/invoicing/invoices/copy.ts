import type { Centavos } from '@aparta/domain/money';

import { printable } from '../../platform/printed-text.ts';

/** SAT takes 1,000 characters; a provider's page shows fewer. */
const MOST_OF_NAME = 200;

/** The one line of an invoice: the goods by name (CFF 29-A V), which instalment of how many, and the purchase. */
export function lineOf(given: {
  productName: string;
  number: number;
  of: number;
  purchaseId: number;
}): string {
  const { productName, number, of, purchaseId } = given;
  return `${printable(productName).trim().slice(0, MOST_OF_NAME).trim()}, abono ${number} de ${of}, compra ${purchaseId}`;
}

/** The receipts that paid the instalment, at most 250 characters. */
export function observationsOf(folios: readonly string[]): string {
  return `${folios.length === 1 ? 'Recibo' : 'Recibos'} ${folios.join(', ')}`.slice(0, 250);
}

/** Why an invoice is asked for anew whose product got another rate of IVA. */
export const IVA_CHANGED =
  'El comercio corrigió el IVA del producto después de que la pediste: pídela otra vez.';

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
