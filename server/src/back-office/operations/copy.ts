/** Why a purchase ended whose only payment was refunded externally, as its buyer reads it. */
export const REVERSED_CODES = 'El pago se devolvió a la tarjeta';
