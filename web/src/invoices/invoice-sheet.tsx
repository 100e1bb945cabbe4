import { Amount } from '@aparta/ui/amount.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { lazy, Suspense } from 'react';
import type { Invoice } from '../data/invoice.ts';
import { inProcessWords, invoicesCopy } from './copy.ts';
import type { Invoiced } from './invoice-part.tsx';
import styles from './invoice-sheet.module.css';

const copy = invoicesCopy.sheet;

/** Loaded on demand, since it brings SAT's tables. */
const InvoiceAsk = lazy(() => import('./invoice-ask.tsx'));

export type Asking = {
  /** The newest invoice, in any state. */
  invoice: Invoice | undefined;
  busy: boolean;
  /** Why the last request failed. */
  error: unknown;
  onAsk: (clientId: number) => Promise<void>;
  onClose: () => void;
};

/** Spec §2, popup 'Emisión de factura'. Closing it cancels nothing: the server finishes. */
export function InvoiceSheet(props: Invoiced & Asking) {
  const { product, number, of, amount, merchant, hasFee, invoice, onClose } = props;
  const waits = invoice?.state === 'inProcess' || invoice?.state === 'review';
  return (
    <Sheet title={copy.title} onClose={onClose}>
      <div className={text.tight}>
        <p className={`${text.muted} ${text.small}`}>{copy.of(product, number, of)}</p>
        <Amount of={amount} size="hero" />
        {hasFee && <p className={`${text.muted} ${text.small}`}>{copy.withoutFee}</p>}
      </div>
      {waits ? (
        <>
          {invoice.state === 'inProcess' ? (
            <Notice tone="pending" title={copy.inProcess} urgent>
              {inProcessWords(invoice)}
            </Notice>
          ) : (
            <Notice tone="pending" title={copy.review} urgent>
              {invoicesCopy.part.reviewText}
            </Notice>
          )}
          <div className={text.tight}>
            <p>{invoicesCopy.part.to(invoice.rfc, invoice.name)}</p>
            <p className={`${text.muted} ${text.small}`}>{copy.otherRfc(merchant)}</p>
          </div>
          <Button wide onClick={onClose}>
            {copy.close}
          </Button>
        </>
      ) : (
        <div className={`${text.stack} ${styles.ask}`}>
          <Suspense fallback={<Loading />}>
            <InvoiceAsk {...props} />
          </Suspense>
        </div>
      )}
    </Sheet>
  );
}

export function Loading() {
  return (
    <Skeleton label={copy.loading}>
      <SkeletonBlock shape="control" />
      <SkeletonBlock />
      <SkeletonBlock />
      <SkeletonBlock shape="control" />
    </Skeleton>
  );
}
