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
} as const;
