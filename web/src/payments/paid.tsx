import { formatDate, formatMoment, mexicoCityDate } from '@aparta/domain/calendar';
import type { AlertText } from '@aparta/ui/alert.tsx';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { PaidOff, PickUp } from '@aparta/ui/paid-off.tsx';
import { PaidSum } from '@aparta/ui/paid-sum.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import { Progress, type SegmentState } from '@aparta/ui/progress.tsx';
import { Skeleton, SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { TwoColumn } from '@aparta/ui/two-column.tsx';
import { inGroups } from '@aparta/domain/in-groups';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery } from '@tanstack/react-query';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { alerts } from '../copy/alerts.ts';
import { nextDueRow } from '../copy/next-due.tsx';
import { UndoneBadge, undoneCopy, undoneHead } from '../copy/undone.tsx';
import type { CardAttempt, PaidPlan } from '../data/card-attempt.ts';
import { isAwaited } from '../data/is-awaited.ts';
import { logoQuery } from '../data/logos.ts';
import { receiptQuery } from '../data/receipts.ts';
import { useUndone } from '../data/use-undone.ts';
import { paymentsCopy as copy } from './copy.ts';
import { Elsewhere, ToPurchase } from './outcome.tsx';
import { chargeOf, chargeRows, whatIsPaid, type Payable } from './payable.ts';

/**
 * The payment succeeded: amount, date, folio, what is left and the next payment, or that the money went back since
 * (rules/card-attempts#outcomes-on-screen).
 */
export function Paid({
  payable,
  attempt,
  after3ds,
  isNews,
}: {
  payable: Payable;
  attempt: CardAttempt;
  after3ds: boolean;
  /** It came while the screen was open: nobody needs to be asked whether it stands. */
  isNews: boolean;
}) {
  const alert: AlertText = after3ds ? alerts.paidAfter3ds : alerts.paid;
  const { data: logo } = useQuery(logoQuery(payable.logoFile));
  const { plan, shares, folio } = attempt;
  const isEnded = plan === undefined && !shares;
  const asks = folio !== undefined && (isEnded || !isNews);
  const query = useQuery({ ...receiptQuery(folio ?? ''), enabled: asks, staleTime: 0 });
  const { data: receipt } = query;
  const undone = useUndone(receipt);
  const isPaidOff = plan?.left === 0 && !undone;
  const waits = asks && isEnded && isAwaited(query);
  const head = waits ? { title: copy.done.receipt, text: undefined } : undone ? undoneHead(undone) : alert;
  useArrival(head.title, config.productName);
  const paidAt = attempt.paidAt ?? attempt.createdAt;
  if (waits) {
    return (
      <Flow>
        <PageHead title={head.title} />
        <Skeleton label={copy.loading}>
          <SkeletonBlock shape="sum" width="half" />
          <SkeletonBlock shape="tile" />
          <SkeletonBlock width="most" />
        </Skeleton>
      </Flow>
    );
  }
  return (
    <Flow>
      <PageHead title={head.title}>{head.text}</PageHead>
      <TwoColumn
        side={
          <>
            {folio !== undefined && (
              <ButtonLink icon="payments" to={paths.receipt(folio)} reload wide>
                {copy.done.toReceipt}
              </ButtonLink>
            )}
            <Elsewhere merchantId={payable.merchantId} purchases />
            <StickyFooter>
              <ToPurchase purchaseId={payable.purchaseId ?? attempt.purchaseId} />
            </StickyFooter>
          </>
        }
      >
        <Ticket
          label={copy.done.receipt}
          kind="receipt"
          thing={
            isPaidOff ? (
              <PaidOff
                product={{ name: payable.productName, merchant: payable.tradeName, logo }}
                count={plan.count}
                isNews={isNews}
                date={formatDate(mexicoCityDate(paidAt))}
              />
            ) : (
              <PaidSum
                label={copy.done.paid}
                amount={attempt.charged}
                isNews={isNews && !undone}
                date={formatDate(mexicoCityDate(paidAt))}
                badge={undone && <UndoneBadge undone={undone} />}
              >
                <ProductHeader
                  title={whatIsPaid(payable, attempt).name}
                  sub={shares ? payable.tradeName : `${payable.tradeName}\u00a0· ${payable.part}`}
                  merchant={payable.tradeName}
                  logo={logo}
                />
              </PaidSum>
            )
          }
          act={
            <>
              {isPaidOff && <WherePaidOff merchant={payable.tradeName} folio={folio} />}
              <LineItems
                rows={[
                  ...(isPaidOff ? [{ label: copy.done.paid, amount: attempt.charged, strong: true }] : []),
                  { label: copy.done.date, text: copy.moment(formatMoment(paidAt)) },
                  ...(folio === undefined ? [] : [{ label: copy.done.folio, text: inGroups(folio) }]),
                  ...(attempt.card === undefined
                    ? []
                    : [{ label: copy.done.card, text: copy.card(attempt.card) }]),
                  ...chargeRows(chargeOf(payable, attempt)),
                  ...(receipt && receipt.refunded > 0
                    ? [{ label: undoneCopy.refunded, amount: receipt.refunded, strong: true }]
                    : []),
                ]}
              />
              {plan && plan.left > 0 && !undone && (
                <>
                  <Progress segments={segmentsOf(plan)} />
                  <LineItems rows={whatIsLeft(plan)} />
                </>
              )}
              {isPaidOff && <p>{copy.done.paidOff}</p>}
            </>
          }
        />
      </TwoColumn>
    </Flow>
  );
}

/** The receipt knows the merchant's address. */
function WherePaidOff({ merchant, folio }: { merchant: string; folio: string | undefined }) {
  const { data, isPending } = useQuery({ ...receiptQuery(folio ?? ''), enabled: folio !== undefined });
  return <PickUp merchant={merchant} place={data?.merchant ?? (isPending ? undefined : NOWHERE)} />;
}

const NOWHERE = { address: '', phone: '' };

function segmentsOf({ count, paid }: PaidPlan): SegmentState[] {
  return Array.from({ length: count }, (_, index) => {
    if (index < paid) return 'paid';
    return index === paid ? 'next' : 'upcoming';
  });
}

function whatIsLeft({ left, nextDueOn }: PaidPlan): LineItem[] {
  return [{ label: copy.done.left, amount: left, strong: true }, ...nextDueRow(copy.done.next, nextDueOn)];
}
