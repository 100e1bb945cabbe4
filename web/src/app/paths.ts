/** The instalment that an invoice is asked for. */
export type InvoicePlace = { purchaseId: number; instalmentId: number };

/** A fiscal client to correct, the field at fault, and the invoice that its buyer came from. */
type FiscalPlace = { client?: number; field?: string; invoice?: InvoicePlace | undefined };

/**
 * Every URL of the app, as the spec's §2 spells it. Matching ignores case, since §2 links to '/BuyerRegister' and
 * routes '/buyerRegister'.
 */
export const paths = {
  home: '/',
  /** §2's other name of it; the catch-all leads there. */
  homeLink: '/home',
  dashboard: '/dashboard',
  login: '/login',
  /** The route; the sign-in screen's link is `registerLink`, in §2's other spelling. */
  register: '/buyerRegister',
  registerLink: '/BuyerRegister',
  forgotPassword: '/resetyourpassword',
  changePassword: '/changeyourpassword',
  /** Ours: where the link of a welcome letter leads. */
  confirmEmail: '/confirmarCorreo',
  profile: '/clientEdit',
  /** Its fiscal tab. */
  fiscal: ({ client, field, invoice }: FiscalPlace = {}) =>
    `/clientEdit?${new URLSearchParams({
      parte: 'fiscal',
      ...(client !== undefined && { cliente: String(client) }),
      ...(field !== undefined && { campo: field }),
      ...(invoice && { compra: String(invoice.purchaseId), pago: String(invoice.instalmentId) }),
    })}`,
  /** Ours: what a buyer agrees to. */
  terms: '/terminos',
  privacy: '/privacidad',
  layaway: '/apartado',
  purchases: '/cxcList',
  purchase: (purchaseId: number) => `/saleCxcList/${purchaseId}`,
  /** The same with the invoice popup of one instalment open, for the fiscal client if given. */
  invoice: ({ purchaseId, instalmentId }: InvoicePlace, client?: number) =>
    `/saleCxcList/${purchaseId}?facturar=${instalmentId}${client === undefined ? '' : `&cliente=${client}`}`,
  /** Ours: the receipt of one payment. */
  receipt: (folio: string) => `/recibo/${folio}`,
  /** Decisions §9: the bar-code view. */
  barcode: (reference: string) => `/codigo/${encodeURIComponent(reference)}`,
  payLayaway: (referenceId: number) => `/pullapartByClip/${referenceId}`,
  threeDsLayaway: (referenceId: number, merchantId: number, balance: string) =>
    `/threeDSByclipPA/${referenceId}/${merchantId}/${balance}`,
  payInstalment: (purchaseId: number, instalmentId: number) => `/paymentByClib/${purchaseId}/${instalmentId}`,
  threeDsInstalment: (purchaseId: number, instalmentId: number, merchantId: number, balance: string) =>
    `/threeDSByclib/${purchaseId}/${instalmentId}/${merchantId}/${balance}`,
  payInStore: (purchaseId: number, instalmentId: number) =>
    `/onSitePaymentByTapi/${purchaseId}/${instalmentId}`,
  design: '/_design',
} as const;

/** The same as patterns for the router. */
export const patterns = {
  purchase: '/saleCxcList/:id',
  receipt: '/recibo/:folio',
  barcode: '/codigo/:ref02',
  /** Without its ids it says so itself (§5). */
  payInStore: '/onSitePaymentByTapi/:id?/:cxcid?',
  payLayaway: '/pullapartByClip/:id',
  threeDsLayaway: '/threeDSByclipPA/:id/:bussinessid/:saldo',
  payInstalment: '/paymentByClib/:id/:cxcid',
  threeDsInstalment: '/threeDSByclib/:id/:cxcid/:bussinessid/:saldo',
} as const;

/**
 * Card and 3DS screens are documents of their own, because only they may load the card provider: they are entered and
 * left by a full page load.
 */
export function isOwnDocument(path: string): boolean {
  return /^\/(pullapartByClip|threeDSByclipPA|paymentByClib|threeDSByclib)\//i.test(path);
}
