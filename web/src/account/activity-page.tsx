import { sentenceFor } from '@aparta/browser/copy.ts';
import { AppLink } from '@aparta/ui/app-link.tsx';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Empty } from '@aparta/ui/empty.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Icon, type IconName } from '@aparta/ui/icon.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import { Skeleton, SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useToday } from '@aparta/ui/use-today.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { type Activity, activityQuery } from '../data/activity.ts';
import { activityCopy as copy, aroundOf, dayName, whatOf } from './activity-copy.ts';
import styles from './activity.module.css';

/** Ours: what happened in the account, by whom and on which device. */
export default function ActivityPage() {
  useArrival(copy.title, config.productName);
  return (
    <Page>
      <div className={`${styles.column} ${text.stack}`}>
        <ButtonLink variant="quiet" icon="back" to={paths.profile}>
          {copy.back}
        </ButtonLink>
        <PageHead title={copy.title}>{copy.what}</PageHead>
        <p className={text.small}>
          {copy.notYou} <AppLink to={paths.profile}>{copy.closeSession}</AppLink> {copy.or}{' '}
          <AppLink to={paths.forgotPassword}>{copy.changePassword}</AppLink>.
        </p>
        <Happened />
      </div>
    </Page>
  );
}

function Happened() {
  const query = useInfiniteQuery(activityQuery);
  const today = useToday();
  const { data: days, error } = query;
  if (days === undefined) {
    return error ? (
      <Failed
        title={copy.failed}
        text={sentenceFor(error)}
        busy={query.isFetching ? copy.retrying : undefined}
        onRetry={() => void query.refetch()}
      />
    ) : (
      <Skeleton label={copy.loading}>
        <SkeletonBlock width="half" />
        <div className={`${text.card} ${text.stack}`}>
          <SkeletonBlock width="most" />
          <SkeletonBlock width="half" />
          <SkeletonBlock width="most" />
          <SkeletonBlock width="half" />
        </div>
      </Skeleton>
    );
  }
  if (days.length === 0) return <Empty text={copy.empty} />;
  return (
    <>
      {days.map(({ on, activities }) => (
        <section key={on} className={text.tight} aria-labelledby={`dia-${on}`}>
          <h2 id={`dia-${on}`} className={styles.day}>
            {dayName(on, today)}
          </h2>
          <ul className={`${text.card} ${styles.list}`}>
            {activities.map((activity) => (
              <li key={activity.id}>
                <Row activity={activity} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {query.isFetchNextPageError && <Notice tone="danger" title={copy.moreFailed} urgent />}
      {query.hasNextPage && (
        <Button
          wide
          busy={query.isFetchingNextPage ? copy.retrying : undefined}
          onClick={() => void query.fetchNextPage()}
        >
          {copy.more}
        </Button>
      )}
      <p className={`${text.muted} ${text.small}`}>{copy.kept}</p>
    </>
  );
}

/** It leads to its receipt or purchase, if it is about one. */
function Row({ activity }: { activity: Activity }) {
  const inside = (
    <>
      <Icon name={iconOf(activity)} small />
      <span className={styles.words}>
        <b>{whatOf(activity)}</b>
        <span className={`${text.muted} ${text.small}`}>{aroundOf(activity)}</span>
      </span>
    </>
  );
  const { kind, folio, purchaseId } = activity;
  const to =
    kind === 'paid' && folio !== null
      ? paths.receipt(folio)
      : purchaseId === undefined
        ? undefined
        : paths.purchase(purchaseId);
  const tone = WARNINGS.has(kind) || undefined;
  return to === undefined ? (
    <div className={styles.row} data-warning={tone}>
      {inside}
    </div>
  ) : (
    <AppLink className={styles.row} data-warning={tone} to={to}>
      {inside}
    </AppLink>
  );
}

const WARNINGS: ReadonlySet<Activity['kind']> = new Set([
  'sign_in_failed',
  'session_replayed',
  'payment_rejected',
]);

/** By the beginning of its kind; the account's own acts have its lock. */
const ICONS: readonly [RegExp, IconName][] = [
  [/^(sign_in_failed|session_replayed|payment_rejected)$/, 'warning'],
  [/^(paid|payment|refunded)/, 'payments'],
  [/^(calendar|date|instalment|more_time|reminders)/, 'calendar'],
  [/^(reserved|handed)/, 'tag'],
  [/^purchase_ended$/, 'cancelled'],
  [/^help/, 'share'],
  [/^claim/, 'flag'],
  [/^(invoice|fiscal|consented)/, 'invoice'],
  [/^data/, 'save'],
  [/^(email|pushes)/, 'mail'],
  [/^(signed_up|profile|operator)/, 'person'],
];
const iconOf = ({ kind }: Activity): IconName => ICONS.find(([of]) => of.test(kind))?.[1] ?? 'lock';
