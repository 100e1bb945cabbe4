import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { PublicPage } from '../account/public-page.tsx';
import { renew } from '../api/kept.ts';
import { session } from '../session/session.ts';
import { resumeCopy as copy } from './resume-copy.ts';

/** While a tab of a browser that stays signed in gets its session; then its screen takes this place. `toLogin` is for who gets none. */
export default function Resume({ toLogin }: { toLogin: ReactNode }) {
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(true);
  const [isOver, setOver] = useState(false);

  const ask = () =>
    renew(session.token())
      .then((isRenewed) => setOver(!isRenewed), setError)
      .finally(() => setBusy(false));
  const askFirst = useEffectEvent(ask);
  useEffect(() => void askFirst(), []);

  function leave() {
    session.stayNoMore();
    setOver(true);
  }

  if (isOver) return toLogin;
  return (
    <PublicPage foot={error !== undefined && <Button onClick={leave}>{copy.password}</Button>}>
      {error === undefined ? (
        <Skeleton label={copy.opening}>
          <SkeletonBlock width="most" />
        </Skeleton>
      ) : (
        <Failed
          title={copy.failed}
          text={sentenceFor(error)}
          busy={busy ? copy.retrying : undefined}
          onRetry={() => {
            setBusy(true);
            void ask();
          }}
        />
      )}
    </PublicPage>
  );
}
