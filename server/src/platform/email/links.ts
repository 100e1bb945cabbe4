/** The web app's addresses that emails lead to (web/src/app/paths.ts), always under the configured origin. */
export interface Links {
  readonly home: string;
  readonly receipt: (folio: string) => string;
  readonly purchase: (purchaseId: number) => string;
  /** The purchase, asking how much and how. */
  readonly pay: (purchaseId: number) => string;
  readonly purchases: string;
  /** What was reserved without becoming a purchase yet. */
  readonly layaway: (referenceId: number) => string;
  readonly fiscalData: string;
  readonly forgotPassword: string;
  readonly staffForgotPassword: string;
  readonly staffToday: string;
  readonly staffAccount: string;
  readonly unsubscribe: (code: string) => string;
  readonly staffPurchase: (purchaseId: number) => string;
}

/** What every email knows of where it is written. */
export interface Place {
  readonly product: string;
  readonly links: Links;
  /** Of one that its reader can turn off. */
  readonly unsubscribeLink?: string | undefined;
}

export function linksFrom(origin: string): Links {
  return {
    home: origin,
    receipt: (folio) => `${origin}/recibo/${encodeURIComponent(folio)}`,
    purchase: (purchaseId) => `${origin}/saleCxcList/${purchaseId}`,
    pay: (purchaseId) => `${origin}/saleCxcList/${purchaseId}?pagar`,
    purchases: `${origin}/cxcList`,
    layaway: (referenceId) => `${origin}/apartado?paso=3&id=${referenceId}`,
    fiscalData: `${origin}/clientEdit?parte=fiscal`,
    forgotPassword: `${origin}/resetyourpassword`,
    staffToday: `${origin}/mostrador/hoy`,
    staffPurchase: (purchaseId) => `${origin}/mostrador/compras/${purchaseId}`,
    unsubscribe: (code) => `${origin}/correos/baja/${code}`,
    staffAccount: `${origin}/mostrador/mi-cuenta`,
    staffForgotPassword: `${origin}/mostrador/olvide`,
  };
}
