import { formatMoney, type Centavos } from '@aparta/domain/money';
import { numberOf } from './copy.ts';

/** Texts of the next payment and the dashboard. Spec §2's are literal. */
export const dashboardCopy = {
  nextPayment: {
    title: 'Tu próximo pago',
    loading: 'Cargando tu próximo pago',
    failed: 'No pudimos cargar tu próximo pago',
    lateOthers: (count: number) =>
      count === 1 ? 'Tienes otro pago vencido.' : `Tienes otros ${count} pagos vencidos.`,
    seeLate: 'Ver mis compras',
    see: 'Ver compra',
    where: (merchant: string, number: number, of: number) => `${merchant}\u00a0· ${numberOf(number, of)}`,
  },

  upcoming: {
    title: 'Tus próximos abonos',
    months: ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic'],
  },

  dashboard: {
    // rules/wire#screens, from spec §2.
    title: 'Welcome User!',
    intro: 'Así van tus compras.',
    owed: 'Lo que te falta pagar',
    owedOf: (count: number) => (count === 1 ? 'De 1 compra activa.' : `De ${count} compras activas.`),
    atLeast: 'Más de',
    progress: 'Cómo va cada compra',
    left: (owed: Centavos) => `Faltan ${formatMoney(owed)}`,
    toList: 'Ver todas mis compras',
  },
} as const;
