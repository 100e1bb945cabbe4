import { add, centavos, parseDecimal, zero, type Centavos } from './money.ts';

/** How money arrives: by card, at a merchant's till, or as cash through the store network. */
export type PaymentMethod = 'card' | 'till' | 'cash';

/** A merchant's setting: how much is charged per payment, and which methods carry it. */
export interface FeePolicy {
  readonly amountCentavos: Centavos;
  readonly methods: readonly PaymentMethod[];
}

/** $15.00 on each card payment (spec §9). */
export const DEFAULT_FEE_POLICY: FeePolicy = { amountCentavos: centavos(1_500), methods: ['card'] };

/** The fee on top of one payment by a method; zero where the policy does not charge it. */
export function feeFor(policy: FeePolicy, method: PaymentMethod): Centavos {
  return policy.methods.includes(method) ? policy.amountCentavos : zero;
}

/** The one fee of a payment of several purchases, each on terms of its own: the highest of them. */
export function feeOfSeveral(policies: readonly FeePolicy[], method: PaymentMethod): Centavos {
  return centavos(Math.max(0, ...policies.map((policy) => feeFor(policy, method))));
}

/** What the buyer pays by a method for a principal, the fee inside. */
export function totalFor(principal: Centavos, policy: FeePolicy, method: PaymentMethod): Centavos {
  return add(principal, feeFor(policy, method));
}

const METHODS: readonly PaymentMethod[] = ['card', 'till', 'cash'];

/** Reads `none`, or which payment methods carry which fee: `card:15.00`, `all:15.00`, `card,till:12.50`; else undefined. */
export function parseFeePolicy(text: string): FeePolicy | undefined {
  if (text === 'none') return { amountCentavos: zero, methods: [] };
  const [named = '', amount = ''] = text.split(':');
  const amountCentavos = parseDecimal(amount);
  const names = named === 'all' ? METHODS : named.split(',');
  const methods = METHODS.filter((method) => names.includes(method));
  if (amountCentavos === undefined || methods.length !== names.length) return undefined;
  return { amountCentavos, methods };
}
