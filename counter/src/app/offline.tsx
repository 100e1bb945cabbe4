import { Button } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { askAgain, shownAt } from '../data/seen.ts';
import { keepAlive } from '../data/sessions.ts';
import { isCutOff } from '../session/network.ts';
import { appCopy } from './copy.ts';
import { keepApp } from './register-worker.ts';
import styles from './routes.module.css';
import { useOnline } from './use-online.ts';

const AGAIN_MS = 15_000;

/**
 * Keeps what whoever is signed in sees, to be read without network; then says that nothing is taken, and of when it is. It asks by
 * itself whether the network is back: a server that was away tells nobody.
 */
export function Offline() {
  const queries = useQueryClient();
  const online = useOnline();
  const at = useSyncExternalStore(
    (hear) => queries.getQueryCache().subscribe(hear),
    () => shownAt(queries),
  );
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    let end: (() => void) | undefined;
    let isGone = false;
    void import('../data/seen-store.ts')
      .then(({ keepSeen }) => isGone || (end = keepSeen(queries)))
      // Nobody misses it where it cannot be loaded.
      .catch(() => {});
    void keepApp();
    return () => {
      isGone = true;
      end?.();
    };
  }, [queries]);
  const askAlone = useEffectEvent(() => {
    if (!document.hidden && navigator.onLine) void ask();
  });
  useEffect(() => {
    if (online) return;
    const timer = setInterval(() => askAlone(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [online]);

  async function ask() {
    if (isCutOff()) keepAlive();
    await askAgain(queries);
  }
  async function press() {
    setAsking(true);
    await ask();
    setAsking(false);
  }
  if (online) return null;
  return (
    <div className={styles.offline}>
      <Notice tone="danger" title={appCopy.offline.title} urgent>
        {at === undefined ? appCopy.offline.text : appCopy.offline.seen(new Date(at))}
      </Notice>
      <Button
        small
        icon="retry"
        busy={isAsking ? appCopy.offline.asking : undefined}
        onClick={() => void press()}
      >
        {appCopy.offline.again}
      </Button>
    </div>
  );
}
