import { formatDate, formatMoment } from '@aparta/domain/calendar';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { FactList } from '@aparta/ui/fact-list.tsx';
import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { PaidOff, PickUp } from '@aparta/ui/paid-off.tsx';
import { PaidSum } from '@aparta/ui/paid-sum.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { inGroups } from '@aparta/domain/in-groups';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery } from '@tanstack/react-query';
import { config } from '../app/config.ts';
import { Help } from '../app/help.tsx';
import { paths } from '../app/paths.ts';
import { attendedRows } from '../copy/attended.ts';
import { nextDueRow } from '../copy/next-due.tsx';
import { UndoneBadge, undoneCopy, undoneHead } from '../copy/undone.tsx';
import type { AppliedPayment, InstalmentToPay } from '../data/instalments.ts';
import { logoQuery } from '../data/logos.ts';
import { receiptQuery, type Receipt } from '../data/receipts.ts';
import { useChanges } from '../data/use-changes.ts';
import { useUndone } from '../data/use-undone.ts';
import { cashCopy } from './copy.ts';
import styles from './store-payment.module.css';

const copy = cashCopy.paid;

/** The instalment is paid: receipt, what is left, and any excess; or the payment went back since. */
export default function Paid({
  purchaseId,
  instalment,
  payment: newest,
}: {
  purchaseId: number;
  /** Absent while only the refusal of a new reference has said that it is paid. */
  instalment: InstalmentToPay | undefined;
  payment: AppliedPayment | undefined;
}) {
  const query = useQuery({ ...receiptQuery(newest?.folio ?? ''), enabled: newest !== undefined });
  const receipt = query.data;
  // The store may take it back while they look.
  useChanges(true);
  const undone = useUndone(receipt);
  const isCash = newest?.method === 'cash' && newest.payer === undefined;
  const head = undone
    ? undoneHead(undone)
    : { title: copy.title, text: isCash ? copy.intro.cash : copy.intro.other };
  useArrival(head.title, config.productName);
  const isNews = receipt !== undefined && !undone;
  const { data: logo } = useQuery(logoQuery(instalment?.logoFile ?? ''));
  // Until the receipt is here, the last of the plan is taken for the end of it.
  const isPaidOff = receipt
    ? receipt.balance === 0 && !receipt.isCancelled && !undone
    : instalment?.number === instalment?.of;
  return (
    <Flow>
      <PageHead title={head.title}>{head.text}</PageHead>
      {instalment && newest && (
        <div className={`${text.stack} ${styles.body}`}>
          <Ticket
            kind="receipt"
            label={copy.ticket}
            thing={
              isPaidOff ? (
                <PaidOff
                  product={{ name: instalment.product, merchant: instalment.merchant, logo }}
                  count={instalment.of}
                  isNews={isNews}
                  date={formatDate(newest.on)}
                />
              ) : (
                <PaidSum
                  label={newest.payer === undefined ? copy.sum : copy.given}
                  amount={receipt?.amount ?? newest.amount}
                  isNews={isNews}
                  date={formatDate(newest.on)}
                  badge={undone && <UndoneBadge undone={undone} />}
                >
                  <ProductHeader
                    title={instalment.product}
                    sub={instalment.merchant}
                    merchant={instalment.merchant}
                    logo={logo}
                  />
                </PaidSum>
              )
            }
            act={
              receipt ? (
                <After
                  receipt={receipt}
                  isPaidOff={isPaidOff}
                  isUndone={undone !== undefined}
                  merchant={instalment.merchant}
                />
              ) : query.isPending ? (
                <Skeleton label={copy.loading}>
                  {Array.from({ length: 6 }, (_, line) => (
                    <SkeletonBlock key={line} width="most" />
                  ))}
                </Skeleton>
              ) : (
                <LineItems rows={[{ label: copy.folio, text: inGroups(newest.folio) }]} />
              )
            }
          />
          <div className={text.pair}>
            <ButtonLink variant="quiet" to={paths.receipt(newest.folio)}>
              {copy.receipt}
            </ButtonLink>
            <Help merchantId={instalment.merchantId} />
          </div>
        </div>
      )}
      <StickyFooter>
        <ButtonLink variant="primary" wide to={paths.purchase(purchaseId)}>
          {cashCopy.toPurchase}
        </ButtonLink>
      </StickyFooter>
    </Flow>
  );
}

function After({
  receipt,
  isPaidOff,
  isUndone,
  merchant,
}: {
  receipt: Receipt;
  isPaidOff: boolean;
  isUndone: boolean;
  merchant: string;
}) {
  const { amount, folio, paidAt, payer, fee, parts, balance, nextDueOn, refunded } = receipt;
  const isOwn = payer === undefined;
  const money: LineItem[] = parts.map(({ number, of, amount }) => ({ label: copy.part(number, of), amount }));
  if (fee > 0) money.push({ label: copy.fee, amount: fee });
  if (isUndone && refunded > 0) money.push({ label: undoneCopy.refunded, amount: refunded, strong: true });
  const after: LineItem[] = [
    { label: copy.left, amount: balance, strong: true },
    ...nextDueRow(copy.next, nextDueOn),
  ];
  return (
    <>
      {isPaidOff && <PickUp merchant={merchant} place={receipt.merchant} />}
      <LineItems
        rows={[
          ...(isPaidOff ? [{ label: isOwn ? copy.sum : copy.given, amount, strong: true }] : []),
          ...(isOwn ? [] : [{ label: copy.payer, text: payer }]),
          { label: copy.date, text: copy.moment(formatMoment(paidAt)) },
          ...attendedRows(receipt),
          { label: copy.folio, text: inGroups(folio) },
          ...money,
        ]}
      />
      {balance > 0 && !isUndone && <LineItems rows={after} />}
      {balance === 0 && !isUndone && <p>{copy.paidOff}</p>}
      {refunded > 0 && !isUndone && (
        <FactList
          facts={[
            { icon: 'store', title: copy.returned(refunded, isOwn), text: copy.returnedText(merchant) },
          ]}
        />
      )}
    </>
  );
}
