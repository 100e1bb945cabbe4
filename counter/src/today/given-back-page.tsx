import { refundStands } from '@aparta/domain/shop-copy';
import { Amount } from '@aparta/ui/amount.tsx';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import text from '@aparta/ui/text.module.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { givenBackAddress, takingsAddress } from '../app/paths.ts';
import { saveRefundList } from '../data/lists.ts';
import { refundsQuery, type DaysOf, type GivenBack } from '../data/reports.ts';
import { More } from '../lists/more.tsx';
import { NotYet } from '../lists/not-yet.tsx';
import { SaveList } from '../lists/save-list.tsx';
import { refundedTo, refundOf } from '../refunds/copy.ts';
import { useSession } from '../session/session.ts';
import { todayCopy } from './copy.ts';
import { Back, Lines } from './lines.tsx';
import { DaysPage } from './period.tsx';

const copy = todayCopy.list;

/** What was given back in the days that the address says, and what is owed since one of them. */
export default function GivenBackPage() {
  return (
    <DaysPage title={copy.givenBack} addressOf={givenBackAddress}>
      {(days) => <GivenBackLines {...days} />}
    </DaysPage>
  );
}

function GivenBackLines(of: DaysOf) {
  const query = useInfiniteQuery(refundsQuery(of));
  const isShared = useSession()?.isShared === true;
  if (!query.data) return <NotYet of={query} failed={copy.failed} loading={copy.loading} />;
  const { refunds, sums } = query.data;
  return (
    <>
      {sums && refunds.length > 0 && (
        <section className={`${text.card} ${text.tight}`} aria-label={copy.total}>
          <p className={text.muted}>{`${copy.done} · ${todayCopy.returns(sums.done.count)}`}</p>
          <Amount of={sums.done.amount} size="big" />
          {sums.open.count > 0 && (
            <LineItems
              rows={[
                { label: `${copy.open} · ${todayCopy.returns(sums.open.count)}`, amount: sums.open.amount },
              ]}
            />
          )}
        </section>
      )}
      <Lines
        lines={refunds.map((refund) => ({
          id: refund.id,
          title: refund.productName || copy.notApplied,
          amount: refund.amount,
          purchaseId: refund.purchaseId,
          facts: factsOf(refund),
        }))}
      />
      <More of={query} />
      {refunds.length > 0 && !isShared && <SaveList save={(format) => saveRefundList(of, format)} />}
      <ButtonLink wide to={takingsAddress(of)}>
        {copy.toTakings}
      </ButtonLink>
      <Back />
    </>
  );
}

function factsOf(refund: GivenBack): (string | false)[] {
  const { state, at, buyer, payerName, handedOverBy, branch, paidBy, folio } = refund;
  return [
    refundStands(refund),
    state === 'done' ? copy.moment(at) : copy.since(at),
    payerName === null ? buyer : refundOf(payerName),
    refundedTo(refund),
    copy.cause(refund),
    handedOverBy !== null && branch !== null && copy.takenBy(handedOverBy, branch),
    paidBy === 'operator' && copy.byOperator,
    copy.folio(folio),
  ];
}
