/** Texts of the frame. */
export const appCopy = {
  product: (name: string) => `${name} · Mostrador`,
  signOut: 'Salir',
  entries: {
    find: 'Cobrar',
    today: 'Hoy',
    purchases: 'Compras',
    cuts: 'Corte',
    products: 'Productos',
    shelf: 'Guardado',
    staff: 'Personal',
    devices: 'Equipos',
    webhooks: 'Avisos',
    rules: 'Reglas',
    account: 'Mi cuenta',
    more: 'Más',
  },
  /** Of a screen that did not come; whoever stands there takes other people's money. */
  broken: 'Revisa tu internet y vuelve a intentarlo. Sin internet no se cobra.',
  offline: {
    title: 'Sin internet no se cobra.',
    text: 'Lo que se cobra sin conexión se puede perder. Espera a que regrese la red.',
  },
} as const;
