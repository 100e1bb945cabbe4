import { formatDate, formatMoment, mexicoCityDate } from '@aparta/domain/calendar';
import { Amount } from '@aparta/ui/amount.tsx';
import { Bill, type BillRow } from '@aparta/ui/bill.tsx';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { Chip } from '@aparta/ui/chip.tsx';
import { inGroups } from '@aparta/ui/code.tsx';
import { Dock } from '@aparta/ui/dock.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { Bone, Skeleton } from '@aparta/ui/skeleton.tsx';
import { Stamp } from '@aparta/ui/stamp.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { Told } from '@aparta/ui/told.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { Who } from '@aparta/ui/who.tsx';
import { useQuery } from '@tanstack/react-query';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { cashCopy } from './copy.ts';
import { receiptQuery, type Instalment, type Receipt } from './queries.ts';
import styles from './store-payment.module.css';

const copy = cashCopy.paid;

/** The instalment is paid, at a store or some other way: its receipt, what is left, and what was too much. */
export function Paid({
  purchaseId,
  instalment,
}: {
  purchaseId: number;
  /** Absent for the moment in which only the refusal of a new reference has told it. */
  instalment: Instalment | undefined;
}) {
  useArrival(copy.title, config.productName);
  const newest = instalment?.newest;
  const query = useQuery({ ...receiptQuery(newest?.folio ?? ''), enabled: newest !== undefined });
  const receipt = query.data;
  return (
    <Flow>
      <PageHead title={copy.title}>{newest?.method === 'cash' ? copy.intro.cash : copy.intro.other}</PageHead>
      {instalment && newest && (
        <div className={`${text.stack} ${styles.body}`}>
          <Ticket
            kind="receipt"
            label={copy.ticket}
            thing={
              <>
                <div className={text.stamped}>
                  <div>
                    <p className={text.muted}>{copy.sum}</p>
                    <Amount of={receipt?.amount ?? newest.amount} size="hero" />
                  </div>
                  {receipt ? (
                    <Stamp date={formatDate(mexicoCityDate(receipt.paidAt))} />
                  ) : (
                    <Chip state="paid" />
                  )}
                </div>
                <Who title={instalment.product} sub={instalment.merchant} merchant={instalment.merchant} />
              </>
            }
            act={
              receipt ? (
                <After receipt={receipt} folio={newest.folio} merchant={instalment.merchant} />
              ) : query.isPending ? (
                <Skeleton label={copy.loading}>
                  <Bone width="most" />
                  <Bone width="most" />
                  <Bone width="half" />
                </Skeleton>
              ) : (
                <Bill rows={[{ label: copy.folio, text: inGroups(newest.folio) }]} />
              )
            }
          />
          <ButtonLink look="quiet" to={paths.receipt(newest.folio)}>
            {copy.receipt}
          </ButtonLink>
        </div>
      )}
      <Dock>
        <ButtonLink look="next" wide to={paths.purchase(purchaseId)}>
          {cashCopy.toPurchase}
        </ButtonLink>
      </Dock>
    </Flow>
  );
}

function After({ receipt, folio, merchant }: { receipt: Receipt; folio: string; merchant: string }) {
  const { paidAt, fee, parts, left, nextDueOn, returned } = receipt;
  const money: BillRow[] = parts.map(({ number, of, amount }) => ({ label: copy.part(number, of), amount }));
  if (fee > 0) money.push({ label: copy.fee, amount: fee });
  const after: BillRow[] = [{ label: copy.left, amount: left, strong: true }];
  if (nextDueOn !== undefined) after.push({ label: copy.next, text: formatDate(nextDueOn), strong: true });
  return (
    <>
      <Bill
        rows={[
          { label: copy.date, text: copy.moment(formatMoment(paidAt)) },
          { label: copy.folio, text: inGroups(folio) },
          ...money,
        ]}
      />
      <Bill rows={after} />
      {left === 0 && <p>{copy.settled}</p>}
      {returned > 0 && (
        <Told
          facts={[{ icon: 'store', title: copy.returned(returned), text: copy.returnedText(merchant) }]}
        />
      )}
    </>
  );
}
