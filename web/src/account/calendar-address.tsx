import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { CopyField } from '@aparta/ui/copy-field.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Skeleton, SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useFocusAfter } from '@aparta/ui/use-focus-after.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { calendarQuery, changingCalendar } from '../data/calendar.ts';
import { calendarCopy as copy } from './calendar-copy.ts';

const DONE = { make: copy.made, replace: copy.replaced, end: copy.removed } as const;

/** Ours: the private address that the buyer's calendar follows. */
export default function CalendarAddress(): ReactNode {
  const query = useQuery(calendarQuery);
  const change = useMutation(changingCalendar(useQueryClient()));
  const busy = change.isPending ? change.variables : undefined;
  const done = change.isSuccess ? change.variables : undefined;
  const title = useFocusAfter<HTMLHeadingElement>(done);
  const { data: address } = query;
  return (
    <section className={text.stack} aria-labelledby="calendario">
      <h2 id="calendario" ref={title} tabIndex={-1}>
        {copy.title}
      </h2>
      {change.error && (
        <Notice tone="danger" title={sentenceFor(change.error)} urgent onDismiss={change.reset} />
      )}
      {address === undefined && query.error && (
        <Failed
          title={copy.failed}
          text={sentenceFor(query.error)}
          busy={query.isFetching ? copy.retrying : undefined}
          onRetry={() => void query.refetch()}
        />
      )}
      {address === undefined && !query.error && (
        <Skeleton label={copy.loading}>
          <SkeletonBlock width="most" />
          <SkeletonBlock shape="control" />
        </Skeleton>
      )}
      {address === null && (
        <>
          <p>{copy.what}</p>
          <Button icon="calendar" wide busy={busy && copy.making} onClick={() => change.mutate('make')}>
            {copy.make}
          </Button>
        </>
      )}
      {address && (
        <>
          <p className={`${text.muted} ${text.small}`}>{copy.how}</p>
          {/* Phones and Macs open this one in their calendar. */}
          <ButtonLink icon="calendar" wide reload to={address.replace(/^https?:/, 'webcal:')}>
            {copy.subscribe}
          </ButtonLink>
          <CopyField label={copy.address} value={address} />
          <p className={`${text.muted} ${text.small}`}>{copy.whoHasIt}</p>
          <div className={text.pair}>
            <Button
              variant="quiet"
              busy={busy === 'replace' ? copy.replacing : undefined}
              onClick={() => change.mutate('replace')}
            >
              {copy.replace}
            </Button>
            <Button
              variant="quiet"
              busy={busy === 'end' ? copy.removing : undefined}
              onClick={() => change.mutate('end')}
            >
              {copy.remove}
            </Button>
          </div>
        </>
      )}
      <p role="status" className={text.small}>
        {done && DONE[done]}
      </p>
    </section>
  );
}
