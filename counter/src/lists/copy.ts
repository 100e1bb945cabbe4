import { formatMoney, type Centavos } from '@aparta/domain/money';

/** Of a payment: what in it went to no balance. */
export const includesFee = (fee: Centavos): string | false =>
  fee > 0 && `Incluye ${formatMoney(fee)} de cargo por servicio`;

/** Texts that lists share, and of saving one as a file. */
export const listsCopy = {
  branch: 'Sucursal',
  closedBranch: (name: string) => `${name} (cerrada)`,
  loading: 'Cargando…',
  more: 'Ver más',
  /** Read before a sum below zero. */
  less: 'menos ',
  xlsx: 'Descargar Excel',
  csv: 'Descargar CSV',
  busy: 'Preparando…',
  notWhole: {
    title: 'El archivo trae los 5,000 renglones más recientes',
    text: 'Elige menos días o una lista más corta. Los cobros, devoluciones, facturas y liquidaciones vienen todos en el CSV.',
  },
};
