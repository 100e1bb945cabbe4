import type { CounterMethod, InvoiceShow, PurchaseShow } from '@aparta/domain/shop-lists';

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
  /** What the shop promises and asks. */
  rules: '/reglas',
  /** Where the shop's own system hears of its money. */
  webhooks: '/avisos',
  webhook: (id: string) => `/avisos/${id}`,
  /** What a code stands for, and taking money for it. */
  charge: (code: string) => `/cobro/${encodeURIComponent(code)}`,
  receipt: (folio: string) => `/recibo/${folio}`,
  /** Handing over what is paid whole: of any purchase, or of the one that a number or folio is of. */
  handOver: (code?: string) => (code === undefined ? '/entrega' : `/entrega/${encodeURIComponent(code)}`),
  handedOver: (id: string) => `/entregado/${id}`,
  /** Drawers that wait for their cut, and the cuts before. */
  cuts: '/corte',
  cut: (id: string) => `/corte/${id}`,
  /** On a phone: what has no tab of its own. */
  more: '/mas',
  products: '/productos',
  /** Its plan, and the label that a buyer scans. */
  product: (id: number) => `/productos/${id}`,
  newProduct: '/productos/nuevo',
  editProduct: (id: number) => `/productos/${id}/editar`,
  /** What the branch keeps for buyers. */
  shelf: '/guardado',
  purchases: '/compras',
  /** What was paid in a month, and its invoices. */
  invoices: '/facturas',
  /** What the operator noted of the shop's money. */
  settlements: '/facturas/liquidaciones',
  /** Where the shop stands; under it the rows of its figures. */
  today: '/hoy',
  takings: '/hoy/cobrado',
  /** Cash that waits for its buyer; what was given back. */
  refunds: '/hoy/devoluciones',
  givenBack: '/hoy/devuelto',
} as const;

export const patterns = {
  purchases: '/compras/:id?',
  charge: '/cobro/:code',
  receipt: '/recibo/:folio',
  handOver: '/entrega/:code?',
  handedOver: '/entregado/:id',
  cut: '/corte/:id',
  product: '/productos/:id',
  editProduct: '/productos/:id/editar',
  purchase: '/compras/:id',
  webhook: '/avisos/:id',
} as const;

/** What a list of purchases shows, as its address says it. */
export const SHOW_WORDS: Readonly<Record<PurchaseShow, string>> = {
  all: 'todas',
  active: 'por-pagar',
  in_time: 'al-corriente',
  late: 'vencidas',
  late_30: 'vencidas-30',
  late_60: 'vencidas-60',
  late_61: 'vencidas-61',
  due_5: 'en-5-dias',
  due_10: 'en-10-dias',
  due_15: 'en-15-dias',
  paid_off: 'por-entregar',
  claimed: 'con-reclamo',
  delivered: 'entregadas',
  cancelled: 'canceladas',
  waiting: 'apartados',
  expiring: 'vencen-hoy',
};

/** The address of a list of purchases, or of one of them beside it. */
export function purchasesAddress(
  { show, search }: { show: PurchaseShow; search?: string | undefined },
  id?: number,
): string {
  const query = new URLSearchParams({
    ver: SHOW_WORDS[show],
    ...(search !== undefined && { buscar: search }),
  });
  return `${paths.purchases}${id === undefined ? '' : `/${id}`}?${query}`;
}

/** The address of a list of products. */
export function productsAddress({ withdrawn, search }: { withdrawn: boolean; search: string }): string {
  const query = new URLSearchParams({
    ...(withdrawn && { ver: 'fuera-de-venta' }),
    ...(search !== '' && { buscar: search }),
  });
  return paths.products + (query.toString() && `?${query}`);
}

/** How money came, as the address of a list says it. */
export const METHOD_WORDS: Readonly<Record<CounterMethod, string>> = {
  counter_cash: 'efectivo',
  counter_terminal: 'terminal',
  till: 'caja',
  card: 'tarjeta',
  store: 'tienda',
};

/** The address of what was collected in some days. */
export function takingsAddress(of: { from: string; to: string; method?: CounterMethod }): string {
  const query = new URLSearchParams({
    desde: of.from,
    hasta: of.to,
    ...(of.method && { como: METHOD_WORDS[of.method] }),
  });
  return `${paths.takings}?${query}`;
}

/** The address of what was given back in some days. */
export function givenBackAddress({ from, to }: { from: string; to: string }): string {
  return `${paths.givenBack}?${new URLSearchParams({ desde: from, hasta: to })}`;
}

/** Which of a month's paid instalments a list shows, as its address says it. */
export const INVOICE_WORDS: Readonly<Record<InvoiceShow, string>> = {
  all: 'todas',
  invoiced: 'con-factura',
  in_process: 'en-proceso',
  not_invoiced: 'sin-factura',
  ended: 'canceladas',
};

/** The address of what was paid in a month, `YYYY-MM`. */
export function invoicesAddress({ month, show }: { month: string; show: InvoiceShow }): string {
  return `${paths.invoices}?${new URLSearchParams({ mes: month, ver: INVOICE_WORDS[show] })}`;
}
