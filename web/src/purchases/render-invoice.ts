import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import type { ReactNode } from 'react';
import type { CancelledInvoice, Invoice } from '../data/invoice.ts';

/** Renders an instalment's invoice; app/routes.tsx passes it in from another feature. */
export type RenderInvoice = (of: {
  purchaseId: number;
  instalmentId: number;
  product: string;
  merchant: string;
  number: number;
  of: number;
  amount: Centavos;
  invoice: Invoice | undefined;
  /** Of one that SAT cancelled after it was issued. */
  cancelled: CancelledInvoice | undefined;
  /** Its purchase ended: the merchant cancels or corrects the invoice. */
  hasEnded: boolean;
  mayBeInvoiced: boolean;
  /** The last day to ask for it, past or to come, if there is such a day. */
  invoiceUntil: DateOnly | undefined;
  /** Whether a service fee came with its payments, which no invoice has. */
  hasFee: boolean;
  /** Refetches the purchase. */
  refresh: () => Promise<unknown>;
}) => ReactNode;
