import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import text from '@aparta/ui/text.module.css';
import type { PurchaseDetail } from '../data/purchases.ts';
import { cancelCopy } from './cancel-copy.ts';
import { detailCopy } from './detail-copy.ts';
import { Deduction } from './deduction.tsx';

const copy = cancelCopy;

/** How the sum that comes back from a cancelled purchase was made. */
export function CancelBill({ bill }: { bill: NonNullable<PurchaseDetail['bill']> }) {
  const kept: LineItem[] = [
    { label: copy.penalty, amount: bill.penalty },
    { label: copy.feesReturned, amount: bill.feesKept },
  ].flatMap(({ label, amount }) => (amount > 0 ? [{ label, text: <Deduction amount={amount} /> }] : []));
  return (
    <section className={text.card} aria-label={detailCopy.refunds.bill}>
      <LineItems
        rows={[{ label: copy.paid, amount: bill.paid }, ...kept]}
        total={{ label: detailCopy.refunds.returned, amount: bill.refund, size: 'mid' }}
      />
      {kept.length > 0 && <p className={`${text.muted} ${text.small}`}>{detailCopy.refunds.keptInvoice}</p>}
    </section>
  );
}
