import { formatCount } from '@aparta/domain/money';

/** Texts of what a branch keeps for buyers. */
export const shelfCopy = {
  title: 'Guardado',
  intro:
    'Lo que tu sucursal guarda para quien lo está pagando. Escanéalo, o márcalo, para decir que ahí sigue.',
  loading: 'Cargando lo guardado',
  failed: 'No pudimos cargar lo guardado',
  closed: {
    title: (branch: string) => `${branch} ya cerró.`,
    text: 'Lo que guarda sigue siendo de quien lo paga: llévalo a otra sucursal y dilo aquí, o entrégalo.',
    none: 'Ya no guarda nada.',
  },
  none: 'No hay nada guardado en esta sucursal. Cuenta las piezas de un producto y cada apartado guarda la suya.',
  count: (total: number) => (total === 1 ? '1 pieza guardada' : `${formatCount(total)} piezas guardadas`),
  cut: (shown: number) => `Se ven las ${shown} que llevan más tiempo sin revisar.`,
  scan: 'Escanear',
  number: 'O escribe su número o folio',
  submit: 'Ahí está',
  empty: 'Escribe el número o el folio.',
  saving: (waiting: number) => (waiting === 1 ? 'Anotando…' : `Anotando ${waiting}…`),
  missed: (thing: string) => `${thing}:`,
  seen: (product: string, buyer: string) => `${product}, de ${buyer}: ahí está.`,
  moved: (product: string, buyer: string, branch: string) =>
    `${product}, de ${buyer}: ahora se guarda en ${branch}.`,
  gone: (product: string, buyer: string) => `${product}, de ${buyer}: anotamos que no aparece.`,
  missing: (since: string) => `No aparece desde el ${since}`,
  paidOff: 'Pagado completo: lista para entregar',
  waits: 'Espera su anticipo',
  since: (date: string) => `Guardado desde el ${date}`,
  checked: (date: string) => `revisado el ${date}`,
  never: 'nadie lo ha revisado',
  there: 'Ahí está',
  notThere: 'No está',
  move: (branch: string) => `Ya está en ${branch}`,
  handOver: 'Entregar',
} as const;
