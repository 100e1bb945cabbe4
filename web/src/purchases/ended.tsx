import { Notice } from '@aparta/ui/notice.tsx';
import type { PurchaseDetail } from '../data/purchases.ts';
import { CancelBill } from './cancel-bill.tsx';
import { ClaimPart } from './claim.tsx';
import { endedCopy as copy } from './ended-copy.ts';
import { Pickup } from './pickup.tsx';
import { Refunds } from './refunds.tsx';
import { Settled } from './settled.tsx';

/**
 * What became of a purchase that is paid off or cancelled, its goods and its money, and what goes back of an active one. Apart,
 * since most that are opened have none of it.
 */
export default function Ended({ purchase }: { purchase: PurchaseDetail }) {
  const { id, status, isDelivered, cancelled, bill } = purchase;
  return (
    <>
      {status === 'paid_off' && <Settled purchase={purchase} />}
      {status === 'paid_off' && !isDelivered && <ClaimPart purchase={purchase} />}
      {status === 'paid_off' && <Pickup purchaseId={id} />}
      {cancelled && (
        <Notice tone="info" title={copy.endedBy[cancelled.by](cancelled.on)}>
          {cancelled.reason && copy.reason(cancelled.reason)}
        </Notice>
      )}
      {bill && <CancelBill bill={bill} />}
      <Refunds purchase={purchase} />
    </>
  );
}
