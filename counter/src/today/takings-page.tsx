import { sum } from '@aparta/domain/money';
import { COUNTER_METHODS } from '@aparta/domain/shop-lists';
import { ButtonLink } from '@aparta/ui/button.tsx';
import text from '@aparta/ui/text.module.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { NetAmount } from '../lists/net-amount.tsx';
import { NotYet } from '../lists/not-yet.tsx';
import { More } from '../lists/more.tsx';
import { givenBackAddress, METHOD_WORDS, takingsAddress } from '../app/paths.ts';
import { saveTakingList } from '../data/lists.ts';
import { takingsQuery, type TakenOnDay, type TakingsOf } from '../data/reports.ts';
import { SaveList } from '../lists/save-list.tsx';
import { useSession } from '../session/session.ts';
import { todayCopy } from './copy.ts';
import { FigureRows } from './figures.tsx';
import { Back, Lines } from './lines.tsx';
import { DaysPage } from './period.tsx';
import styles from './today.module.css';

const copy = todayCopy.list;

/** What was collected in the days that the address says. */
export default function TakingsPage() {
  const [address] = useSearchParams();
  const method = COUNTER_METHODS.find((each) => METHOD_WORDS[each] === address.get('como'));
  return (
    <DaysPage
      title={copy.takings}
      of={method && todayCopy.methods[method]}
      addressOf={(days) => takingsAddress({ ...days, ...(method && { method }) })}
    >
      {(days) => <Takings {...days} method={method} />}
    </DaysPage>
  );
}

function Takings(of: TakingsOf) {
  const query = useInfiniteQuery(takingsQuery(of));
  const isShared = useSession()?.isShared === true;
  if (!query.data) return <NotYet of={query} failed={copy.failed} loading={copy.loading} />;
  const { takings, days } = query.data;
  return (
    <>
      {days.length > 0 && <Days days={days} method={of.method} />}
      <Lines
        lines={takings.map(
          ({
            id,
            productName,
            buyer,
            amount,
            withdrawn,
            fee,
            purchaseId,
            folio,
            at,
            method,
            takenBy,
            branch,
          }) => ({
            // Both lines of a payment are of its receipt.
            id: withdrawn > 0 ? `${id}w` : id,
            title: productName || todayCopy.methods[method],
            amount,
            purchaseId,
            facts: [
              withdrawn > 0 && copy.withdrawn,
              buyer,
              copy.moment(at),
              todayCopy.methods[method],
              ...(takenBy !== null && branch !== null ? [copy.takenBy(takenBy, branch)] : []),
              copy.folio(folio),
              withdrawn === 0 && copy.includesFee(fee),
            ],
          }),
        )}
      />
      <More of={query} />
      {takings.length > 0 && !isShared && <SaveList save={(format) => saveTakingList(of, format)} />}
      <ButtonLink wide to={givenBackAddress(of)}>
        {copy.toGivenBack}
      </ButtonLink>
      <Back />
    </>
  );
}

/** What all rows are together, and each day by itself. */
function Days({ days, method }: { days: readonly TakenOnDay[]; method: TakingsOf['method'] }) {
  const all = {
    amount: days.reduce((total, { amount }) => total + amount, 0),
    count: days.reduce((total, { count }) => total + count, 0),
    withdrawn: sum(days.map(({ withdrawn }) => withdrawn)),
  };
  return (
    <section className={`${text.card} ${text.tight}`} aria-label={copy.total}>
      <p className={text.muted}>{todayCopy.collected(all)}</p>
      <NetAmount of={all.amount} size="big" />
      {days.length > 1 && (
        <details className={styles.days}>
          <summary>{copy.byDay}</summary>
          <FigureRows
            rows={days.map(({ day, ...of }) => ({
              label: copy.days(day, day),
              count: todayCopy.collected(of),
              amount: of.amount,
              to: takingsAddress({ from: day, to: day, ...(method && { method }) }),
            }))}
          />
        </details>
      )}
    </section>
  );
}
