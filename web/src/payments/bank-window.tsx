import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import { useLayoutEffect, useRef, useState } from 'react';
import { paymentsCopy } from './copy.ts';
import { isBanksAnswer } from './three-ds-message.ts';
import styles from './payments.module.css';

const copy = paymentsCopy.threeDs;

/** The bank's page in its frame. What it says only makes us ask the server (rules/card-attempts#3ds). */
export function BankWindow({
  url,
  paymentId,
  dispatch,
}: {
  url: string;
  /** Undefined where it is not told: to helpers. */
  paymentId: string | undefined;
  dispatch: (input: { type: 'bankAnswered' }) => void;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isLoaded, setLoaded] = useState(false);

  // From the moment that the frame stands in the document: no answer of it is missed.
  useLayoutEffect(() => {
    function hear(message: MessageEvent<unknown>) {
      if (isBanksAnswer(message, frame.current?.contentWindow, paymentId)) dispatch({ type: 'bankAnswered' });
    }
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, [paymentId, dispatch]);

  return (
    <div className={styles.hole}>
      {!isLoaded && (
        <div className={styles.cover}>
          <Skeleton label={copy.loading}>
            <SkeletonBlock width="half" />
            <SkeletonBlock />
            <SkeletonBlock width="most" />
            <SkeletonBlock shape="control" />
          </Skeleton>
        </div>
      )}
      <iframe
        ref={frame}
        title={copy.frame}
        src={url}
        // No top navigation: the bank's page stays in its window (rules/threats#providers-frames).
        sandbox="allow-scripts allow-forms allow-same-origin allow-popups"
        referrerPolicy="origin"
        onLoad={() => setLoaded(true)}
      />
    </div>
  );
}
