/** Why a purchase ended whose only payment left outside, as its buyer reads it. */
export const WENT_BACK = 'El pago se devolvió a la tarjeta';
