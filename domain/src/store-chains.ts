import { centavos, type Centavos } from './money.ts';

/** A chain of stores whose tills take a cash reference. */
export interface StoreChain {
  readonly name: string;
  /** The most that one of its tills takes at once. */
  readonly limitCentavos: Centavos;
}

const USUAL_LIMIT = centavos(1_000_000);
/** Circle K and Extra are one company. */
const CIRCLE_K_LIMIT = centavos(600_000);

/** The eight chains of the in-person screen, in its order (spec §9; which eight, and their limits, are not Tapi's word). */
export const STORE_CHAINS: readonly StoreChain[] = [
  { name: '7-Eleven', limitCentavos: USUAL_LIMIT },
  { name: 'Farmacias del Ahorro', limitCentavos: USUAL_LIMIT },
  { name: 'Walmart', limitCentavos: USUAL_LIMIT },
  { name: 'Bodega Aurrera', limitCentavos: USUAL_LIMIT },
  { name: 'Soriana', limitCentavos: USUAL_LIMIT },
  { name: 'Chedraui', limitCentavos: USUAL_LIMIT },
  { name: 'Circle K', limitCentavos: CIRCLE_K_LIMIT },
  { name: 'Extra', limitCentavos: CIRCLE_K_LIMIT },
];

/** What no store takes more than, with the fee. */
export const MOST_AT_A_STORE = centavos(Math.max(...STORE_CHAINS.map(({ limitCentavos }) => limitCentavos)));
