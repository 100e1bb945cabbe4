import { canBeCut, differenceIn } from '@aparta/domain/cut';
import { may } from '@aparta/domain/staff-rights';
import { Button } from '@aparta/ui/button.tsx';
import { Option } from '@aparta/ui/option.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import { SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { NotYet } from '../lists/not-yet.tsx';
import { AtBranch } from '../lists/at-branch.tsx';
import { More } from '../lists/more.tsx';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { cutsQuery, shiftsQuery, type Shift } from '../data/cuts.ts';
import { saveCutList } from '../data/lists.ts';
import { SaveList } from '../lists/save-list.tsx';
import { useSession } from '../session/session.ts';
import { Unfinished } from '../till/unfinished.tsx';
import { cutsCopy as copy } from './copy.ts';
import { CountForm, type Sending } from './count-form.tsx';
import { Movements, Sums } from './movements.tsx';
import { UnfinishedReturns } from './unfinished-returns.tsx';
import styles from './cuts.module.css';

/** Drawers that wait for their cut, and the cuts before: one's own, and everybody's for who closes a branch's day. */
export default function CutsPage() {
  useArrival(copy.title, config.productName);
  return (
    <Page>
      <div className={`${styles.column} ${text.stack}`}>
        <PageHead title={copy.title}>{copy.intro}</PageHead>
        <AtBranch left={({ hasDrawer }) => hasDrawer}>
          {(branch) =>
            branch ? (
              <div key={branch.id} className={text.loose}>
                <Shifts branchId={branch.id} />
                <Past branchId={branch.id} />
              </div>
            ) : (
              <p>{copy.noBranch}</p>
            )
          }
        </AtBranch>
      </div>
    </Page>
  );
}

function Shifts({ branchId }: { branchId: number }) {
  const query = useQuery(shiftsQuery(branchId));
  const { data: shifts } = query;
  // As they were sent and where they stood: what is asked anew has nothing of a drawer that was closed.
  const [sent, setSent] = useState<readonly { readonly shift: Shift; readonly at: number }[]>([]);
  if (!shifts)
    return (
      <NotYet of={query} failed={copy.failed} loading={copy.loading}>
        <div className={`${text.card} ${text.stack}`}>
          <SkeletonBlock width="half" />
          <SkeletonBlock width="most" />
          <SkeletonBlock shape="control" />
        </div>
      </NotYet>
    );
  const shown = sent.reduce<readonly Shift[]>(
    (list, { shift, at }) => list.filter(isOther(shift)).toSpliced(at, 0, shift),
    shifts,
  );
  return shown.map((shift, at) => (
    <OpenShift
      key={shift.positionId}
      shift={shift}
      isSent={sent.some((one) => one.shift === shift)}
      onSent={(isSent) =>
        setSent((before) => {
          const others = before.filter((one) => isOther(shift)(one.shift));
          return isSent ? [...others, { shift, at }] : others;
        })
      }
    />
  ));
}

const isOther = (shift: Shift) => (one: Pick<Shift, 'positionId'>) => one.positionId !== shift.positionId;

function OpenShift({ shift, ...sending }: { shift: Shift } & Sending) {
  const position = useSession()?.position;
  const [counting, setCounting] = useState(false);
  const isOwn = shift.positionId === position?.positionId;
  if (position === undefined) return null;
  const mayClose = may(position.role, isOwn ? 'close_cut' : 'close_day');
  if (isOwn && !mayClose) return null;
  const title = isOwn ? copy.own : copy.of(shift.name);
  const drawer = (
    <section className={`${text.card} ${text.stack}`} aria-label={title}>
      <h2>{title}</h2>
      <Sums of={shift} />
      <Movements list={shift.list} count={shift.movements} />
      {mayClose &&
        (counting ? (
          <CountForm shift={shift} {...sending} />
        ) : (
          canBeCut(shift.movements) && (
            <Button variant={isOwn ? 'primary' : 'secondary'} wide onClick={() => setCounting(true)}>
              {copy.open}
            </Button>
          )
        ))}
    </section>
  );
  // What may have been taken or given back without an answer changes what is counted, and is in no sum above it.
  if (!isOwn) return drawer;
  return (
    <Unfinished>
      <UnfinishedReturns>{drawer}</UnfinishedReturns>
    </Unfinished>
  );
}

function Past({ branchId }: { branchId: number }) {
  const query = useInfiniteQuery(cutsQuery(branchId));
  const { isPending } = useQuery(shiftsQuery(branchId));
  const cuts = query.data?.pages.flatMap((page) => page.cuts);
  // The drawers above take more room than their skeleton: what came first would be pushed down.
  if (!cuts || isPending) return null;
  return (
    <section className={text.tight} aria-label={copy.past}>
      <h2>{copy.past}</h2>
      {cuts.length === 0 && <p className={text.muted}>{copy.noPast}</p>}
      {cuts.map((cut) => (
        <Option
          key={cut.id}
          icon="invoice"
          title={copy.number(cut.number)}
          text={copy.listed(cut.name, cut.until, differenceIn(cut.drawer, cut.counted))}
          amount={cut.counted}
          to={paths.cut(cut.id)}
        />
      ))}
      <More of={query} />
      {cuts.length > 0 && <SaveList save={(format) => saveCutList(branchId, format)} />}
    </section>
  );
}
