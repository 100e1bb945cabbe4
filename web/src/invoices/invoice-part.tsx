import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { lazyPage } from '@aparta/browser/lazy-page.tsx';
import { whenIdle } from '@aparta/browser/when-idle.ts';
import { Button } from '@aparta/ui/button.tsx';
import text from '@aparta/ui/text.module.css';
import { useDeferredValue, useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { CancelledInvoice, Invoice } from '../data/invoice.ts';
import { invoicePartCopy as copy } from './part-copy.ts';
import styles from './invoice.module.css';

/** Apart, since most payments have no invoice. */
const InvoiceStanding = lazyPage(() => import('./invoice-standing.tsx'));

/** The instalment, and how to refetch it. */
export type Invoiced = {
  purchaseId: number;
  instalmentId: number;
  product: string;
  number: number;
  of: number;
  amount: Centavos;
  merchant: string;
  mayBeInvoiced: boolean;
  /** The last day to ask for it, past or to come, if there is such a day. */
  invoiceUntil: DateOnly | undefined;
  /** Whether a service fee came with its payments, which no invoice has. */
  hasFee: boolean;
  refresh: () => Promise<unknown>;
};

/** Spec §2, an instalment's invoice: 'Facturar pago' if there is none, and what became of it. */
export default function InvoicePart({
  invoice,
  cancelled,
  hasEnded,
  ...instalment
}: Invoiced & {
  invoice: Invoice | undefined;
  cancelled: CancelledInvoice | undefined;
  hasEnded: boolean;
}) {
  const { instalmentId, number, merchant, mayBeInvoiced, invoiceUntil } = instalment;
  const popup = usePopup(instalmentId);
  // Closing the popup cancels nothing: what was asked is awaited.
  const [wasOpen, setWasOpen] = useState(popup.isOpen);
  if (popup.isOpen && !wasOpen) setWasOpen(true);
  // Deferred: its purchase waits for the code, and stands until it is here where an invoice comes later.
  const isStanding = useDeferredValue(invoice !== undefined || cancelled !== undefined || wasOpen);
  useEffect(() => whenIdle(InvoiceStanding.preload), []);
  return (
    <>
      {isStanding && (
        <InvoiceStanding
          invoice={invoice}
          cancelled={cancelled}
          hasEnded={hasEnded}
          popup={popup}
          {...instalment}
        />
      )}
      {mayBeInvoiced && (
        <Button variant="quiet" small icon="invoice" aria-haspopup="dialog" onClick={popup.open}>
          <span>
            {invoice || cancelled ? copy.again : copy.ask}{' '}
            <span className={text.srOnly}>{copy.askOf(number)}</span>
          </span>
        </Button>
      )}
      {invoiceUntil && (
        <p className={`${text.muted} ${styles.until}`}>
          {mayBeInvoiced ? copy.until(invoiceUntil) : copy.tooLate(invoiceUntil, merchant)}
        </p>
      )}
    </>
  );
}

/** The popup is in the URL, so that a reload keeps it and Back closes it. */
function usePopup(instalmentId: number) {
  const [search] = useSearchParams();
  const state: unknown = useHistoryState();
  const [pathname, navigate] = useLocation();
  const without = new URLSearchParams(search);
  without.delete('facturar');
  without.delete('cliente');
  const address = (params: URLSearchParams) => pathname + (params.toString() && `?${params}`);
  return {
    isOpen: search.get('facturar') === String(instalmentId),
    open() {
      const opened = new URLSearchParams(without);
      opened.set('facturar', String(instalmentId));
      navigate(address(opened), { state: POPUP });
    },
    close() {
      if (state === POPUP) history.back();
      else if (search.has('facturar')) navigate(address(without), { replace: true });
    },
  };
}
const POPUP = 'invoice popup';
