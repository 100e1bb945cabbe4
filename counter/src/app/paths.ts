/** Every address of the counter, under the application's base `/mostrador`. */
export const BASE = '/mostrador';

export const paths = {
  /** Where a code is scanned or typed. */
  find: '/',
  signIn: '/entrar',
  /** Where links of emails and QRs lead. */
  invitation: '/invitacion',
  forgot: '/olvide',
  newPassword: '/contrasena',
  enrol: '/equipo',
  staff: '/personal',
  devices: '/equipos',
  account: '/mi-cuenta',
  /** What a code stands for, and taking money for it. */
  charge: (code: string) => `/cobro/${encodeURIComponent(code)}`,
  receipt: (folio: string) => `/recibo/${folio}`,
  products: '/productos',
  /** Its plan, and the label that a buyer scans. */
  product: (id: number) => `/productos/${id}`,
} as const;

export const patterns = {
  charge: '/cobro/:code',
  receipt: '/recibo/:folio',
  product: '/productos/:id',
} as const;
