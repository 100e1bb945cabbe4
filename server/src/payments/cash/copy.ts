/** Why a purchase ended whose last money a store took back, as its buyer reads it. */
export const STORE_REVERSED = 'La tienda revirtió el pago';
