import type { Limit } from '../platform/limiter.ts';

/** How much of invoicing one buyer may keep and ask for. All of them are wider than anybody needs in earnest. */
export const INVOICE_LIMITS = {
  /** Tax identities on a buyer's list. */
  fiscalClients: 20,
  /** Tax identities that a buyer registers in a day, those taken off the list again among them. */
  fiscalClientsADay: 100,
  /** Refusals of one instalment's invoice within the hour. */
  refusals: 10,
  /** Calls of CustomerAddAsync that the provider had to be asked for. */
  customersPerBuyer: { times: 20, seconds: 3_600 } satisfies Limit,
} as const;
