import type { CancelQuote as WireCancelQuote, Refund as WireRefund } from '@aparta/contract/cancellations';
import type { ReplyData } from '@aparta/contract/endpoint';
import type { getMerchant, getProduct } from '@aparta/contract/merchants';
import type { AttemptState, CardPayment as WireAttempt } from '@aparta/contract/payments';
import type {
  getInstalment,
  InstalmentWithPayments as WirePlannedInstalment,
  PurchaseSummary as WirePurchaseSummary,
  Sale as WireSale,
} from '@aparta/contract/purchases';
import type { LayawayReference as WireLayawayReference } from '@aparta/contract/layaway';
import type { Receipt as WireReceipt } from '@aparta/contract/receipts';

/** What the server sends, for the fixtures of screens: a field that the contract gains is missed when they are compiled. */
export type {
  AttemptState,
  WireAttempt,
  WireCancelQuote,
  WireLayawayReference,
  WirePlannedInstalment,
  WirePurchaseSummary,
  WireReceipt,
  WireRefund,
  WireSale,
};
export type WireInstalmentToPay = ReplyData<typeof getInstalment>;
export type WireMerchant = ReplyData<typeof getMerchant>;
export type WireProduct = ReplyData<typeof getProduct>;
export type { Claim as WireClaim } from '@aparta/contract/purchases';
export type { Pickup as WirePickup } from '@aparta/contract/pickup';
