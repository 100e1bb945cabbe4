import { formatMoment } from '@aparta/domain/calendar';
import { Button } from '@aparta/ui/button.tsx';
import { Chip } from '@aparta/ui/chip.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { closingSession, sessionsQuery } from '../data/sessions.ts';
import { deviceName } from './device-name.ts';
import { profileCopy } from './profile-copy.ts';
import styles from './profile-page.module.css';

const copy = profileCopy.sessions;

/** Ours: the buyer's open sessions, each with a button to end it. */
export function Sessions() {
  const query = useQuery(sessionsQuery);
  const close = useMutation(closingSession(useQueryClient()));
  const { data: sessions } = query;
  return (
    <section className={text.stack} aria-labelledby="sesiones">
      <h2 id="sesiones">{copy.title}</h2>
      {close.error && (
        <Notice tone="danger" title={sentenceFor(close.error)} urgent onDismiss={close.reset} />
      )}
      {sessions ? (
        <ul className={text.card}>
          {sessions.map(({ id, userAgent, openedAt, isThis, isKept }) => {
            const [device, since] = [deviceName(userAgent), formatMoment(openedAt)];
            return (
              <li key={`${id} ${isKept}`} className={styles.session}>
                <p>
                  <b>{device}</b>
                  <span className={`${text.muted} ${text.small}`}>{copy.since(since)}</span>
                  {isKept && (
                    <span className={`${text.muted} ${text.small}`}>
                      {isThis ? copy.keptHere : copy.kept}
                    </span>
                  )}
                  {isThis && <Chip state="active" text={copy.here} />}
                </p>
                {!isThis && (
                  <Button
                    small
                    busy={
                      close.isPending && close.variables.id === id && close.variables.isKept === isKept
                        ? copy.closing
                        : undefined
                    }
                    onClick={() => close.mutate({ id, isKept })}
                  >
                    {copy.close}
                    <span className={text.srOnly}> {copy.sessionOf(device, since)}</span>
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      ) : query.error ? (
        <Failed
          title={copy.failed}
          text={sentenceFor(query.error)}
          busy={query.isFetching ? profileCopy.retrying : undefined}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Skeleton label={copy.loading}>
          <div className={text.card}>
            <SkeletonBlock width="half" />
            <SkeletonBlock width="most" />
          </div>
        </Skeleton>
      )}
    </section>
  );
}
