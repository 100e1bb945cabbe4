import { methodWords } from '../../../platform/method-copy.ts';

/** Texts of the lists that a shop saves as files. */
export const filesCopy = {
  purchases: {
    name: 'compras',
    columns: [
      'Tipo',
      'Número',
      'Referencia',
      'Estado',
      'Producto',
      'Cliente',
      'Fecha',
      'Precio',
      'Pagado',
      'Saldo',
      'Siguiente vencimiento',
      'Días de atraso',
      'Vence el apartado',
    ],
    kinds: { purchase: 'Compra', reservation: 'Apartado' },
    states: {
      active: 'Al corriente',
      late: 'Vencida',
      paid_off: 'Pagada',
      delivered: 'Entregada',
      cancelled: 'Cancelada',
      waiting: 'Sin pagar',
    },
  },
  cuts: {
    name: 'cortes',
    columns: [
      'Corte',
      'Sucursal',
      'Caja de',
      'Cerró',
      'Desde',
      'Hasta',
      'Movimientos',
      'Fondo',
      'Efectivo cobrado',
      'Efectivo devuelto',
      'Debía haber',
      'Contado',
      'Diferencia',
      'Motivo',
      'Tarjeta cobrada',
      'Tarjeta devuelta',
    ],
  },
  takings: {
    name: 'cobros',
    columns: ['Folio', 'Fecha', 'Cómo', 'Importe', 'Cliente', 'Producto', 'Compra', 'Cobró', 'Sucursal'],
    methods: methodWords,
  },
};
