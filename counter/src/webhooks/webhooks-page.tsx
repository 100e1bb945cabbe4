import { formatMoment } from '@aparta/domain/calendar';
import { Button } from '@aparta/ui/button.tsx';
import { Option } from '@aparta/ui/option.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { NotYet } from '../lists/not-yet.tsx';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { webhooksQuery, type Webhook } from '../data/webhooks.ts';
import { AddSheet } from './add-sheet.tsx';
import { webhooksCopy as copy } from './copy.ts';
import styles from './webhooks.module.css';

const MOST_ON = 5;
const ICONS = { on: 'check', failing: 'warning', off: 'cancelled', dead: 'warning' } as const;

/** Where the shop's own system hears of its money; the owner's. */
export default function WebhooksPage() {
  useArrival(copy.title, config.productName);
  const queries = useQueryClient();
  const query = useQuery(webhooksQuery);
  const [isAdding, setAdding] = useState(false);
  const { data } = query;
  const on = data?.filter(({ state }) => state === 'on' || state === 'failing').length ?? 0;
  const close = () => {
    setAdding(false);
    // Also when the answer was lost: it may be there.
    void queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
  };
  return (
    <Page>
      <div className={`${styles.column} ${text.stack}`}>
        <PageHead title={copy.title}>{copy.intro}</PageHead>
        {on < MOST_ON ? (
          <Button variant="primary" icon="share" wide onClick={() => setAdding(true)}>
            {copy.add}
          </Button>
        ) : (
          <p>{copy.full}</p>
        )}
        {data ? (
          data.map((webhook) => <Address key={webhook.id} webhook={webhook} />)
        ) : (
          <NotYet of={query} failed={copy.failed} loading={copy.loading} />
        )}
        {data?.length === 0 && <p className={text.muted}>{copy.none}</p>}
      </div>
      {isAdding && <AddSheet onClose={close} />}
    </Page>
  );
}

function Address({ webhook: { id, url, state, since, waiting } }: { webhook: Webhook }) {
  const standing = copy.states[state](formatMoment(since));
  return (
    <div className={styles.address}>
      <Option
        icon={ICONS[state]}
        title={url.replace(/^https:\/\//, '')}
        text={waiting > 0 ? `${standing} · ${copy.waiting(waiting)}` : standing}
        to={paths.webhook(id)}
      />
    </div>
  );
}
