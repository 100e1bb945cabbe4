import { formatMoment } from '@aparta/domain/calendar';

/** Texts of the frame. */
export const appCopy = {
  product: (name: string) => `${name} · Mostrador`,
  signOut: 'Salir',
  entries: {
    find: 'Cobrar',
    today: 'Hoy',
    purchases: 'Compras',
    cuts: 'Corte',
    invoices: 'Facturas',
    products: 'Productos',
    shelf: 'Guardado',
    staff: 'Personal',
    devices: 'Equipos',
    webhooks: 'Avisos',
    rules: 'Reglas',
    account: 'Mi cuenta',
    more: 'Más',
  },
  /** Of a page that somebody's rights do not open. */
  noPage: {
    theirs: {
      title: 'Tu cuenta no tiene esta página',
      text: 'Es de otro puesto en la tienda. Si te hace falta, habla con el dueño.',
    },
    here: {
      title: 'Esta página no se abre aquí',
      text: 'En un equipo compartido el NIP no alcanza. Ábrela en tu propio teléfono, con tu correo y contraseña.',
    },
    goTo: (page: string) => `Ir a ${page}`,
  },
  /** Of a screen that did not come; whoever stands there takes other people's money. */
  broken: 'Revisa tu internet y vuelve a intentarlo. Sin internet no se cobra.',
  offline: {
    title: 'Sin internet no se cobra.',
    text: 'Lo que se cobra sin conexión se puede perder. Lo que ya viste se puede leer.',
    /** Beside what was seen before. */
    seen: (at: Date) =>
      `Ni se entrega ni se cancela. Esto lo viste el ${formatMoment(at)} h. Puede haber cambiado.`,
    again: 'Volver a intentar',
    asking: 'Intentando…',
  },
  /** To whoever is not signed in. */
  nobodyEnters: {
    title: 'Sin internet nadie puede entrar.',
    text: 'Ni con NIP. Lo que otra persona vio aquí no se muestra.',
  },
} as const;
