import { centavosFromPesos } from '@aparta/contract/amount';
import type { WaitingPurchase as WireWaiting } from '@aparta/contract/purchases';
import type { Centavos } from '@aparta/domain/money';

/** A waiting purchase as it comes with a page of the list, and is kept until it is shown. */
export type { WireWaiting };

/** A purchase of whatever state that has something for the buyer. */
export type WaitingPurchase = {
  id: number;
  product: string;
  merchant: string;
  logoFile: string;
  /** Paid whole, and not handed over yet. */
  isToCollect: boolean;
  /** Of the buyer's own money, what the shop still gives back, and what still goes to a card. */
  owedAtShop: Centavos;
  owedToCard: Centavos;
};

/** Apart from the other purchases: few lists have any. */
export function readWaiting(wire: WireWaiting): WaitingPurchase {
  return {
    id: wire.ventaId,
    product: wire.descripcion,
    merchant: wire.nombreComercial,
    logoFile: wire.logofileName,
    isToCollect: wire.toCollect,
    owedAtShop: centavosFromPesos(wire.owedAtShop),
    owedToCard: centavosFromPesos(wire.owedToCard),
  };
}
