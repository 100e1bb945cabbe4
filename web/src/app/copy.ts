/** Texts of the navigation and the app frame. The entries are spec §2's. */
export const appCopy = {
  skip: 'Saltar al contenido',
  mainNavigation: 'Principal',
  logout: 'Logout',
  entries: {
    home: 'Inicio',
    profile: 'Perfil',
    layaway: 'Apartados',
    purchases: 'Pagos pendientes',
  },
  loading: 'Cargando la pantalla',
  broken: {
    title: 'No pudimos abrir esta pantalla',
    text: 'Revisa tu internet y vuelve a intentarlo. Lo que ya pagaste está a salvo.',
  },
  waiting: 'Esperando internet…',

  help: {
    title: 'Ayuda',
    goods: (merchant: string) => `${merchant}, por tu producto`,
    goodsText: 'Entrega, garantía, cambios y tu devolución en efectivo.',
    hours: (hours: string) => `Horario: ${hours}`,
    noContact: 'Pregunta en su caja.',
    payments: (product: string) => `${product}, por tus pagos`,
    paymentsText: 'Cobros, recibos, facturas y tu cuenta. Ten a la mano el folio de tu recibo.',
    email: 'Correo:',
    phone: 'Teléfono:',
    loading: 'Cargando los datos del comercio',
    failed: 'No pudimos cargar los datos del comercio',
    close: 'Cerrar',
  },
} as const;
