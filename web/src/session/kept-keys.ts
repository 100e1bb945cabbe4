// Ours. Logout clears them and every screen loads this file, so what they hold is parsed by its screen.

/** On the device: what the store payment screen showed last, to be readable without a signal. */
export const CASH_REFERENCE = 'refTienda';
/** On the device: the same of pickup codes, before they were kept with all that was seen. */
export const PICKUP_CODES = 'codigosEntrega';
/** In the tab: unsaved input of the fiscal form, so that a reload does not lose it. */
export const FISCAL_DRAFT = 'borradorFiscal';
/** In the tab: what the buyer leaves for its card screen, a document of its own. */
export const TO_PAY = 'porPagar';
