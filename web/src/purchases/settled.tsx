import { formatDate } from '@aparta/domain/calendar';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { PaidOff, PickUp } from '@aparta/ui/paid-off.tsx';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useQuery } from '@tanstack/react-query';
import { attendedRows } from '../copy/attended.ts';
import type { PurchaseDetail } from '../data/purchases.ts';
import { receiptQuery } from '../data/receipts.ts';
import { endedCopy as copy } from './ended-copy.ts';

/** Everything is paid: what is theirs now, since when, and where it waits. */
export function Settled({ purchase }: { purchase: PurchaseDetail }) {
  const payments = purchase.instalments.flatMap((instalment) => instalment.payments);
  const last = payments.toSorted((a, b) => (a.on < b.on ? -1 : Number(a.on > b.on))).at(-1);
  const receipt = useQuery({ ...receiptQuery(last?.folio ?? ''), enabled: last !== undefined });
  return (
    <Ticket
      kind="receipt"
      label={copy.paidOff.label}
      thing={
        <PaidOff
          count={purchase.instalments.length}
          date={last === undefined ? '' : formatDate(last.on)}
          heading="h2"
        />
      }
      act={
        <>
          {!purchase.isDelivered && (
            <PickUp
              merchant={purchase.merchant}
              place={receipt.data?.merchant ?? (receipt.isPending ? undefined : { address: '', phone: '' })}
            />
          )}
          <LineItems
            rows={[
              { label: copy.paidOff.paid, amount: purchase.paid, strong: true },
              ...attendedRows(receipt.data),
            ]}
          />
          <p>{copy.paidOff.text}</p>
        </>
      }
    />
  );
}
