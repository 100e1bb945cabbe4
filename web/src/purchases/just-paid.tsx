import { formatDate, mexicoCityDate } from '@aparta/domain/calendar';
import { inGroups } from '@aparta/domain/in-groups';
import { sum } from '@aparta/domain/money';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Sheet, SheetFooter } from '@aparta/ui/dialog.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { PaidSum } from '@aparta/ui/paid-sum.tsx';
import text from '@aparta/ui/text.module.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { paths } from '../app/paths.ts';
import { attendedRows } from '../copy/attended.ts';
import { receiptQuery } from '../data/receipts.ts';
import { justPaidCopy as copy } from './just-paid-copy.ts';

/** A payment that came while the buyer looked: stamped, with who took it and where. */
export default function JustPaid({ folio, onClose }: { folio: string; onClose: () => void }) {
  const { data: receipt, error } = useQuery(receiptQuery(folio));
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (error) close();
  }, [error]);
  if (!receipt) return null;
  const { payer, parts } = receipt;
  return (
    <Sheet title={copy.label} onClose={onClose}>
      <div className={text.tight}>
        <PaidSum
          label={payer === undefined ? copy.sum : copy.given}
          // The fee of who helps is no help: their link says what came too.
          amount={payer === undefined ? receipt.amount : sum(parts.map(({ amount }) => amount))}
          date={formatDate(mexicoCityDate(receipt.paidAt))}
        >
          <p>{payer === undefined ? copy.text : copy.givenText(payer)}</p>
        </PaidSum>
      </div>
      <LineItems rows={[...attendedRows(receipt), { label: copy.folio, text: inGroups(receipt.folio) }]} />
      <SheetFooter>
        <ButtonLink icon="payments" to={paths.receipt(receipt.folio)}>
          {copy.receipt}
        </ButtonLink>
        <Button variant="primary" onClick={onClose}>
          {copy.close}
        </Button>
      </SheetFooter>
    </Sheet>
  );
}
