import { subtract } from '@aparta/domain/money';
import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import text from '@aparta/ui/text.module.css';
import type { PurchaseDetail } from '../data/purchases.ts';
import { cancelCopy } from './cancel-copy.ts';
import { endedCopy } from './ended-copy.ts';
import { Deduction } from './deduction.tsx';

const copy = cancelCopy;

/** How the sum that comes back from a cancelled purchase was made, in the rows that its buyer read before: paid is without fees. */
export function CancelBill({
  bill: { paid, penalty, feesReturned, feesKept, refund },
}: {
  bill: NonNullable<PurchaseDetail['bill']>;
}) {
  const rows: LineItem[] = [{ label: copy.paid, amount: subtract(subtract(paid, feesReturned), feesKept) }];
  if (penalty > 0) rows.push({ label: copy.penalty, text: <Deduction amount={penalty} /> });
  if (feesReturned > 0) rows.push({ label: copy.feesReturned, amount: feesReturned });
  const notes = [
    feesKept > 0 && copy.feesKept(feesKept),
    (penalty > 0 || feesKept > 0) && endedCopy.refunds.keptInvoice,
  ].filter((note) => note !== false);
  return (
    <section className={text.card} aria-label={endedCopy.refunds.bill}>
      <LineItems rows={rows} total={{ label: endedCopy.refunds.returned, amount: refund, size: 'mid' }} />
      {notes.length > 0 && <p className={`${text.muted} ${text.small}`}>{notes.join(' ')}</p>}
    </section>
  );
}
