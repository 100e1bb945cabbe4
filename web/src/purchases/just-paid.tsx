import { formatDate, mexicoCityDate } from '@aparta/domain/calendar';
import { inGroups } from '@aparta/domain/in-groups';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { PaidSum } from '@aparta/ui/paid-sum.tsx';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../app/paths.ts';
import { attendedRows } from '../copy/attended.ts';
import { receiptQuery } from '../data/receipts.ts';
import { justPaidCopy as copy } from './just-paid-copy.ts';

/** A payment that came while the buyer looked: stamped, with who took it and where. */
export default function JustPaid({ folio }: { folio: string }) {
  const { data: receipt } = useQuery(receiptQuery(folio));
  if (!receipt) return null;
  return (
    <Ticket
      kind="receipt"
      label={copy.label}
      thing={
        <PaidSum label={copy.sum} amount={receipt.amount} date={formatDate(mexicoCityDate(receipt.paidAt))}>
          <p>{copy.text}</p>
        </PaidSum>
      }
      act={
        <>
          <LineItems
            rows={[...attendedRows(receipt), { label: copy.folio, text: inGroups(receipt.folio) }]}
          />
          <ButtonLink variant="quiet" icon="payments" to={paths.receipt(receipt.folio)}>
            {copy.receipt}
          </ButtonLink>
        </>
      }
    />
  );
}
