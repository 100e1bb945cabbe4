/** Texts of the navigation and the app frame. The entries are spec §2's. */
export const appCopy = {
  logout: 'Logout',
  entries: {
    home: 'Inicio',
    profile: 'Perfil',
    layaway: 'Apartados',
    purchases: 'Pagos pendientes',
  },
} as const;
