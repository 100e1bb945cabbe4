import type { PurchaseShow } from '@aparta/domain/shop-lists';
import { worksInBranches } from '@aparta/domain/staff-rights';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import { SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery } from '@tanstack/react-query';
import { NetAmount } from '../lists/net-amount.tsx';
import { NotYet } from '../lists/not-yet.tsx';
import { config } from '../app/config.ts';
import { paths, purchasesAddress, takingsAddress } from '../app/paths.ts';
import { todayQuery, type Today } from '../data/reports.ts';
import { useSession } from '../session/session.ts';
import { Bars } from './bars.tsx';
import { todayCopy as copy } from './copy.ts';
import { Figures } from './figures.tsx';
import styles from './today.module.css';

const DUE: Readonly<Record<number, PurchaseShow>> = { 5: 'due_5', 10: 'due_10', 15: 'due_15' };
const AGED = { in_time: 'in_time', '1-30': 'late_30', '31-60': 'late_60', '61+': 'late_61' } as const;

/** Where the shop stands this morning; each figure leads to its rows. */
export default function TodayPage() {
  useArrival(copy.title, config.productName);
  const query = useQuery(todayQuery);
  const { data } = query;
  return (
    <Page>
      <PageHead title={copy.title}>{data && copy.day(data.day)}</PageHead>
      {data ? (
        <Morning of={data} />
      ) : (
        <NotYet of={query} failed={copy.failed} loading={copy.loading}>
          <div className={styles.grid}>
            {['a', 'b', 'c'].map((each) => (
              <div key={each} className={`${text.card} ${text.stack}`}>
                <SkeletonBlock width="half" />
                <SkeletonBlock shape="control" />
                <SkeletonBlock width="most" />
              </div>
            ))}
          </div>
        </NotYet>
      )}
    </Page>
  );
}

function Morning({ of }: { of: Today }) {
  const { day, due, overdue, balances, weeks, expiring, refunds, toHandOver, claims, uncut } = of;
  const purchases = (show: PurchaseShow) => purchasesAddress({ show });
  const monday = weeks.at(-1)?.from ?? day;
  return (
    <div className={styles.grid}>
      <Collected title={copy.collectedToday} rows={of.today} from={day} to={day} />
      <Collected title={copy.collectedWeek} rows={of.week} from={monday} to={day} />
      <Figures
        title={copy.attention}
        rows={[
          {
            label: copy.toHandOver,
            count: copy.purchases(toHandOver.count),
            amount: toHandOver.amount,
            to: purchases('paid_off'),
          },
          {
            label: copy.claims,
            count: copy.purchases(claims.count),
            amount: claims.amount,
            to: purchases('claimed'),
          },
          {
            label: copy.expiring,
            count: copy.reservations(expiring.count),
            amount: expiring.amount,
            to: purchases('expiring'),
          },
          {
            label: copy.refunds,
            count: copy.returns(refunds.count),
            amount: refunds.amount,
            to: paths.refunds,
          },
          {
            label: copy.uncut,
            count: copy.drawers(uncut.count),
            amount: uncut.amount,
            to: paths.cuts,
          },
        ]}
      />
      <Figures
        title={copy.soon}
        rows={[
          {
            label: copy.overdue,
            count: copy.instalments(overdue.count),
            amount: overdue.amount,
            to: purchases('late'),
          },
          ...due.map(({ days, count, amount }) => ({
            label: copy.within(days),
            count: copy.instalments(count),
            amount,
            to: purchases(DUE[days] ?? 'due_15'),
          })),
        ]}
      />
      <Figures
        title={copy.balances}
        rows={balances.map(({ age, count, amount }) => ({
          label: copy.ages[age],
          count: copy.purchases(count),
          amount,
          to: purchases(AGED[age]),
        }))}
      >
        <Bars of={balances.map(({ amount }) => amount)} late={balances.map(({ age }) => age !== 'in_time')} />
      </Figures>
      <Figures
        title={copy.weeks}
        rows={weeks.map(({ from, to, ...of }) => ({
          label: copy.weekOf(from),
          count: copy.collected(of),
          amount: of.amount,
          to: takingsAddress({ from, to }),
        }))}
      >
        <Bars of={weeks.map(({ amount }) => amount)} />
      </Figures>
    </div>
  );
}

function Collected({
  title,
  rows,
  from,
  to,
}: {
  title: string;
  rows: Today['today'];
  from: string;
  to: string;
}) {
  const role = useSession()?.position.role;
  return (
    <Figures
      title={title}
      rows={rows.map(({ method, ...of }) => ({
        label: copy.methods[method],
        count: copy.collected(of),
        amount: of.amount,
        to: takingsAddress({ from, to, method }),
      }))}
    >
      <NetAmount of={rows.reduce((all, { amount }) => all + amount, 0)} size="big" />
      {role && worksInBranches(role) && <p className={`${text.muted} ${text.small}`}>{copy.onlyCounters}</p>}
      {rows.length === 0 && <p className={text.muted}>{copy.nothing}</p>}
    </Figures>
  );
}
