import type { Receipt } from '@aparta/contract/receipts';

/** A receipt as the server sends it: a last payment by card, but for what is given. */
export function receiptThat(given: Partial<Receipt> = {}): Receipt {
  return {
    folio: 'A7K299310Z',
    paidAt: '2026-12-15T20:00:00Z',
    bookedAt: '2026-12-15T20:00:00Z',
    amount: 1215,
    fee: 15,
    method: 'card',
    last4: '4821',
    payerName: null,
    takenBy: null,
    branch: null,
    ventaId: 501,
    productName: 'Sala Nórdica',
    merchant: {
      id: 1,
      tradeName: 'Muebles del Centro',
      businessName: 'Muebles del Centro',
      address: 'Av. Juárez 5, Puebla',
      phone: '222 123 4567',
    },
    buyerName: 'Marisol',
    others: [],
    parts: [{ number: 3, of: 3, amount: 1200 }],
    cancelled: false,
    balance: 0,
    nextDueOn: null,
    refunded: 0,
    invoiceUntil: null,
    mayBeInvoiced: false,
    invoicedHere: true,
    ...given,
  };
}
