import { formatMoment } from '@aparta/domain/calendar';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import { SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useQuery } from '@tanstack/react-query';
import { NotYet } from '../lists/not-yet.tsx';
import { Arrival } from '../app/arrival.tsx';
import { paths } from '../app/paths.ts';
import { webhooksQuery, type Webhook } from '../data/webhooks.ts';
import { Acts } from './acts.tsx';
import { webhooksCopy as copy } from './copy.ts';
import { Deliveries } from './deliveries.tsx';
import styles from './webhooks.module.css';

/** One address: how it stands, its secret, and what it was sent. */
export default function WebhookPage({ id }: { id: string }) {
  const query = useQuery(webhooksQuery);
  const { data } = query;
  const webhook = data?.find((each) => each.id === id);
  return (
    <Page>
      <div className={`${styles.column} ${text.stack}`}>
        {/* Above what is still to come, so that it stands still. */}
        <div className={styles.back}>
          <ButtonLink variant="quiet" small icon="back" to={paths.webhooks}>
            {copy.back}
          </ButtonLink>
        </div>
        {data && <Arrival title={copy.title} />}
        {webhook ? (
          <>
            <PageHead title={copy.title}>
              <span className={styles.address}>{webhook.url}</span>
            </PageHead>
            <Standing webhook={webhook} />
            <Acts webhook={webhook} />
            <Deliveries webhook={webhook} />
          </>
        ) : data ? (
          <>
            <PageHead title={copy.title} />
            <Notice tone="danger" title={copy.missing} urgent />
          </>
        ) : (
          <NotYet of={query} failed={copy.failed} loading={copy.loading}>
            <SkeletonBlock shape="title" width="half" />
            <SkeletonBlock shape="control" />
          </NotYet>
        )}
      </div>
    </Page>
  );
}

function Standing({ webhook: { state, since, waiting, bothUntil } }: { webhook: Webhook }) {
  return (
    <div className={text.tight}>
      {state !== 'on' && (
        <Notice tone={state === 'off' ? 'pending' : 'danger'} title={copy.page[state]}>
          {copy.page[`${state}Text`]}
        </Notice>
      )}
      <p className={text.muted}>
        {copy.states[state](formatMoment(since))}
        {waiting > 0 && ` · ${copy.waiting(waiting)}`}
      </p>
      {bothUntil && <p className={text.muted}>{copy.page.both(formatMoment(bothUntil))}</p>}
    </div>
  );
}
