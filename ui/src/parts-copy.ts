import { formatCount } from '@aparta/domain/money';

/** Texts of the shared components that only later screens need. */
export const partsCopy = {
  skip: 'Saltar al contenido',
  mainNavigation: 'Principal',
  loadingScreen: 'Cargando la pantalla',
  copy: 'Copiar',
  copied: 'Copiado',
  reference: 'Referencia',
  copyFailed: 'No se pudo copiar. Mantén presionada la referencia y cópiala.',
  paid: 'Pagado',
  paidCount: (paid: number, total: number) => `Pagados ${paid} de ${total}`,
  paidOn: (date: string) => `Pagado el ${date}`,
  step: (current: number, total: number) => `Paso ${current} de ${total}`,
  stepDone: 'listo:',
  barcodeOf: (text: string) => `Código de barras de la referencia ${text}`,
  barcodeFailed: 'No pudimos dibujar el código de barras. Usa el número de abajo.',
  pictureOf: (product: string) => `Foto de ${product}`,
  chip: {
    active: 'Activa',
    paid_off: 'Liquidada',
    cancelled: 'Cancelada',
    paid: 'Pagado',
    due: 'Por pagar',
    atStore: 'Esperando pago en tienda',
    confirming: 'Por confirmar',
    late: 'Vencido',
    invoiced: 'Facturado',
    upcoming: 'Por vencer',
  },
} as const;

/** How a screen reader says an amount: whole, in pesos. */
export function spokenPesos(pesos: number, cents: number): string {
  const whole = `${formatCount(pesos)} ${pesos === 1 ? 'peso' : 'pesos'}`;
  return cents === 0 ? whole : `${whole} con ${cents} ${cents === 1 ? 'centavo' : 'centavos'}`;
}
