import { type Centavos, formatMoney } from '@aparta/domain/money';

export const calendarCopy = {
  name: (product: string) => `Pagos de ${product}`,
  fileName: (purchaseId: number) => `pagos-compra-${purchaseId}.ics`,
  toPay: ({ number, of, owed, productName }: Said) =>
    `Pago ${number} de ${of}: ${formatMoney(owed)} · ${productName}`,
  paid: ({ number, of, productName }: Said) => `Pagado: pago ${number} de ${of} · ${productName}`,
  cancelled: ({ number, of, productName }: Said) =>
    `Compra cancelada: pago ${number} de ${of} · ${productName}`,
  from: ({ productName, tradeName }: Said) => `${productName}, de ${tradeName}`,
  owed: (owed: Centavos, hasFee: boolean) =>
    `Por pagar: ${formatMoney(owed)} MXN${hasFee ? ', más el cargo por servicio de la forma de pago' : ''}`,
  till: (tradeName: string, reference: string) => `En la caja de ${tradeName} da este número: ${reference}`,
  pay: (url: string) => `Paga aquí: ${url}`,
  alarm: ({ owed, productName }: Said) => `Mañana vence tu pago de ${formatMoney(owed)} · ${productName}`,
} as const;

interface Said {
  readonly number: number;
  readonly of: number;
  readonly owed: Centavos;
  readonly productName: string;
  readonly tradeName: string;
}
