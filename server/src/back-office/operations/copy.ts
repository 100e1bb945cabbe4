/** Why a purchase ended when its only payment was refunded externally; the buyer reads it. */
export const REVERSED_CODES = 'El pago se devolvió a la tarjeta';
