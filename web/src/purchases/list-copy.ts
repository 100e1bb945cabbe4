import { formatCount } from '@aparta/domain/money';

/** Texts of the list of purchases. Spec §2's are literal. */
export const listCopy = {
  list: {
    // In spec §2's words.
    empty:
      'Tu listado de compras está vacio! Para realizar un apartado toma foto del código QR del producto o servicio y después inicia sesión.',
    noneActive: 'No tienes compras activas.',
    reserve: 'Realizar Apartados',
    statement: 'Estado de cuenta',
    filter: 'Filtrar compras',
    filtered: 'Filtrar compras:',
    // Spec §2's options by spec §4's codes.
    filters: { 1: 'Todas', 2: 'Activa', 3: 'Liquidada', 4: 'Cancelada' },
    showing: (filter: string) => `Se muestran: ${filter}`,
    none: {
      3: 'Todavía no tienes compras liquidadas.',
      4: 'No tienes compras canceladas.',
    },
    seeAll: 'Ver todas mis compras',
    count: (total: number) => (total === 1 ? '1 compra' : `${formatCount(total)} compras`),
    loading: 'Cargando tus compras',
    more: 'Ver más',
    moreFailed: 'No pudimos cargar las que siguen.',
    shown: (shown: number, total: number) => `Se muestran ${shown} de ${total} compras`,
  },

  card: {
    client: 'Cliente',
    open: 'Visualizar cxc',
    openWhich: (product: string, id: number) => `de ${product}, compra ${id}`,
    cancelWhich: (product: string, id: number) => `de ${product}, compra ${id}`,
  },
} as const;
