/** A signed-in buyer. */
export interface Buyer {
  readonly kind: 'buyer';
  readonly id: number;
}

/** A shop's till; its money counts for `chain` (its own `compañia`) alone, and for the merchants that it collects for. */
export interface Till {
  readonly kind: 'till';
  readonly serviceAccountId: string;
  readonly chain: string;
  readonly merchantIds: readonly number[];
}

/** A service account that reads the payments of one merchant. */
export interface Integrator {
  readonly kind: 'integrator';
  readonly serviceAccountId: string;
  readonly merchantId: number;
}

/** The owner of a call's token. The kinds share no id field, so that one cannot be taken for another. */
export type Principal = Buyer | Till | Integrator;
