import { sentenceFor } from '@aparta/browser/copy.ts';
import { formatMoment } from '@aparta/domain/calendar';
import { Button } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { endSession, type OpenSession, ownSessionsQuery } from '../data/people.ts';
import { ActOf } from '../lists/act-of.tsx';
import { peopleCopy } from './copy.ts';

const copy = peopleCopy.account;

/** Where the person is signed in, and the end of it. */
export function OwnSessions() {
  const queries = useQueryClient();
  const query = useQuery(ownSessionsQuery);
  const ending = useMutation({
    mutationFn: endSession,
    onSuccess: () => queries.invalidateQueries({ queryKey: ownSessionsQuery.queryKey }),
  });
  const { data, error } = query;
  if (error) {
    return (
      <Failed
        title={copy.failed}
        text={sentenceFor(error)}
        busy={query.isFetching ? peopleCopy.loading : undefined}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <section className={`${text.card} ${text.stack}`}>
      <h2>{copy.sessionsTitle}</h2>
      {ending.error && <Notice tone="danger" title={sentenceFor(ending.error)} urgent />}
      {data?.map((session) => (
        <div key={session.id} className={text.between}>
          <WhereIn session={session} />
          {!session.isThis && (
            <Button
              small
              busy={ending.isPending && ending.variables === session.id ? peopleCopy.loading : undefined}
              onClick={() => ending.mutate(session.id)}
            >
              <ActOf
                act={copy.end}
                of={`${nameOf(session)}. ${copy.since(formatMoment(session.openedAt))}`}
              />
            </Button>
          )}
        </div>
      ))}
    </section>
  );
}

/** Where and since when somebody is signed in. */
export function WhereIn({ session }: { session: OpenSession }) {
  return (
    <p>
      <b>{session.isThis ? copy.here : nameOf(session)}</b>
      <br />
      <span className={text.muted}>{copy.since(formatMoment(session.openedAt))}</span>
    </p>
  );
}

const nameOf = ({ device, browser }: OpenSession) => device ?? (browserName(browser) || copy.unknownBrowser);

/** The browser's own name in what it calls itself, where one is told. */
function browserName(userAgent: string): string {
  const name = /(Edg|OPR|Firefox|Chrome|Safari)/.exec(userAgent)?.[1] ?? '';
  const system = /(Android|iPhone|iPad|Windows|Macintosh|Linux)/.exec(userAgent)?.[1] ?? '';
  return [name, system].filter(Boolean).join(', ');
}
