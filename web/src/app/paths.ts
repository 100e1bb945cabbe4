import type { Centavos } from '@aparta/domain/money';

/** The instalment to invoice. */
export type InvoicePlace = { purchaseId: number; instalmentId: number };

/** The fiscal client to correct, the field at fault, and the invoice to return to. */
type FiscalPlace = { client?: number; field?: string; invoice?: InvoicePlace | undefined };

/**
 * Every URL of the app, spelled as in spec §2. Matching ignores case, since spec §2 links to '/BuyerRegister' and
 * routes '/buyerRegister'.
 */
export const paths = {
  home: '/',
  /** Spec §2's other name for home; the catch-all leads there. */
  homeLink: '/home',
  dashboard: '/dashboard',
  login: '/login',
  /** The route; the sign-in screen's link is `registerLink`, in spec §2's other spelling. */
  register: '/buyerRegister',
  registerLink: '/BuyerRegister',
  forgotPassword: '/resetyourpassword',
  changePassword: '/changeyourpassword',
  /** Ours: the target of the welcome email's link. */
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
  /** Ours: what happened in the account. */
  activity: '/actividad',
  /** Ours: the legal texts. */
  terms: '/terminos',
  privacy: '/privacidad',
  layaway: '/apartado',
  /** Its step 3; `id` is the PullApartReference's, without prefix. */
  layawayReference: (id: number) => `/apartado?paso=3&id=${id}`,
  purchases: '/cxcList',
  purchase: (purchaseId: number) => `/saleCxcList/${purchaseId}`,
  /** A purchase with the invoice popup of one instalment open, for `client` if given. */
  invoice: ({ purchaseId, instalmentId }: InvoicePlace, client?: number) =>
    `/saleCxcList/${purchaseId}?facturar=${instalmentId}${client === undefined ? '' : `&cliente=${client}`}`,
  /** Ours: a payment's receipt. */
  receipt: (folio: string) => `/recibo/${folio}`,
  /** rules/wire#screens: the bar-code view. */
  barcode: (reference: string) => `/codigo/${encodeURIComponent(reference)}`,
  payLayaway: (referenceId: number) => `/pullapartByClip/${referenceId}`,
  threeDsLayaway: (referenceId: number, merchantId: number, balance: string) =>
    `/threeDSByclipPA/${referenceId}/${merchantId}/${balance}`,
  /** `chosen`: a sum of the plan, without fee; else what is left of the instalment. `others`: purchases whose late payments go with it. */
  payInstalment: (purchaseId: number, instalmentId: number, chosen?: Centavos, others?: readonly number[]) =>
    `/paymentByClib/${purchaseId}/${instalmentId}${sumOf(chosen)}${withOthers(others)}`,
  threeDsInstalment: (
    purchaseId: number,
    instalmentId: number,
    merchantId: number,
    balance: string,
    chosen?: Centavos,
    others?: readonly number[],
  ) =>
    `/threeDSByclib/${purchaseId}/${instalmentId}/${merchantId}/${balance}${sumOf(chosen)}${withOthers(others)}`,
  /** Of 'apartado' the id is the layaway reference's. */
  payInStore: (purchaseId: number | 'apartado', instalmentId: number, chosen?: Centavos) =>
    `/onSitePaymentByTapi/${purchaseId}/${instalmentId}${sumOf(chosen)}`,
  design: '/_design',
} as const;

/** With two decimals, as `decimal` writes it: that one's file is not in the first load. */
function sumOf(chosen: Centavos | undefined): string {
  return chosen === undefined ? '' : `?monto=${(chosen / 100).toFixed(2)}`;
}

/** Either a sum is chosen, or others are. */
function withOthers(others: readonly number[] | undefined): string {
  return others === undefined ? '' : `?con=${others.join()}`;
}

/** The same as route patterns. */
export const patterns = {
  /** The list and a purchase's detail, which stand side by side on wide screens. */
  purchases: /^\/(cxcList|saleCxcList\/[^/]+)\/?$/i,
  purchase: '/saleCxcList/:id',
  receipt: '/recibo/:folio',
  barcode: '/codigo/:ref02',
  /** Without ids the screen itself says so (spec §5). */
  payInStore: '/onSitePaymentByTapi/:id?/:cxcid?',
  payLayaway: '/pullapartByClip/:id',
  threeDsLayaway: '/threeDSByclipPA/:id/:bussinessid/:saldo',
  payInstalment: '/paymentByClib/:id/:cxcid',
  threeDsInstalment: '/threeDSByclib/:id/:cxcid/:bussinessid/:saldo',
} as const;

/**
 * Card and 3DS screens are separate documents, because only they may load the card provider: they are entered
 * and left by full page loads.
 */
export function isOwnDocument(path: string): boolean {
  return /^\/(pullapartByClip|threeDSByclipPA|paymentByClib|threeDSByclib)\//i.test(path);
}
