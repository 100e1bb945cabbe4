import { Button } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { keepSeen, seenAt } from '../data/seen.ts';
import { session, useUser } from '../session/session.ts';
import { pushedBuyer } from '../session/pushed-buyer.ts';
import { keepApp } from './offline.ts';
import { seenCopy as copy } from './seen-copy.ts';
import styles from './seen-notice.module.css';

/**
 * Keeps what the buyer sees, to be read without internet, and says of when it is where the network brings nothing newer. Here the
 * browser also stops telling of the money of who had it before.
 */
export default function SeenNotice() {
  const queries = useQueryClient();
  const user = useUser();
  useEffect(() => (user ? keepSeen(queries, user) : undefined), [queries, user]);
  useEffect(() => void keepApp(), []);
  useEffect(() => {
    if (user && pushedBuyer.isAnother(user.id))
      void import('../data/pushes.ts').then(({ forgetPushes }) => forgetPushes()).catch(() => {});
  }, [user]);
  const at = useSyncExternalStore(
    (hear) => queries.getQueryCache().subscribe(hear),
    () => seenAt(queries),
  );
  const [isAsking, setAsking] = useState(false);
  if (at === undefined) return null;

  async function retry() {
    // Without a session only the document itself can bring news.
    if (session.token() === undefined) return location.reload();
    setAsking(true);
    await queries.refetchQueries({ type: 'active' });
    setAsking(false);
  }
  return (
    <div className={styles.seen} role="status">
      <Notice tone="pending" title={copy.title(new Date(at))}>
        {copy.text}
      </Notice>
      <Button small icon="retry" busy={isAsking ? copy.retrying : undefined} onClick={() => void retry()}>
        {copy.retry}
      </Button>
    </div>
  );
}
