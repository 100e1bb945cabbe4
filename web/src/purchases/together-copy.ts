import { formatMoney, type Centavos } from '@aparta/domain/money';

/** Texts of paying what is late of several purchases. */
export const togetherCopy = {
  open: (count: number) => `Pagar lo atrasado de ${count} compras`,
  title: 'Ponerte al corriente',
  text: (merchant: string) =>
    `Un solo cobro con tarjeta para lo atrasado de tus compras en ${merchant}. Se abona a todas o se te devuelve completo.`,
  fee: 'Cargo por servicio',
  total: 'Total',
  pay: (total: Centavos) => `Pagar ${formatMoney(total)} con tarjeta`,
  close: 'Cerrar',
} as const;
