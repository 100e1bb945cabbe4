import type { CardPayment as Attempt } from '@aparta/contract/payments';
import { formatMoney } from '@aparta/domain/money';
import { Button } from '@aparta/ui/button.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useEffect, useRef, useState } from 'react';
import { config } from '../app/config.ts';
import { paymentsCopy } from './copy.ts';
import type { Payable } from './payable.ts';
import { Pending } from './pending.tsx';
import { amountCharged, useAttemptChange, useAttemptPolling } from './queries.ts';
import styles from './payments.module.css';

const copy = paymentsCopy.threeDs;

/**
 * Spec §2, 'Autenticación 3DS': the bank's window on the provider's origin. Its message only makes us ask the
 * server, and closing it cancels nothing (rules/card-attempts#3ds).
 */
export function ThreeDsChallenge({
  payable,
  attempt,
  onAnswered,
  onFound,
}: {
  payable: Payable;
  attempt: Attempt;
  /** The window reported a decision: verify the payment now. */
  onAnswered: () => Promise<void>;
  onFound: (attempt: Attempt) => void;
}) {
  const url = attempt.pending_action.url;
  const [isOpen, setOpen] = useState(() => isOurs(url));
  const close = () => setOpen(false);
  if (isOpen) {
    return (
      <Challenge
        payable={payable}
        attempt={attempt}
        onClose={close}
        onFound={onFound}
        onAnswered={() => {
          close();
          void onAnswered();
        }}
      />
    );
  }
  return (
    <Pending
      payable={payable}
      intentoId={attempt.intentoId}
      known={attempt}
      onFound={onFound}
      onReopen={() => setOpen(isOurs(url))}
    />
  );
}

function Challenge({
  payable,
  attempt,
  onClose,
  onAnswered,
  onFound,
}: {
  payable: Payable;
  attempt: Attempt;
  onClose: () => void;
  onAnswered: () => void;
  onFound: (attempt: Attempt) => void;
}) {
  useArrival(copy.title, config.productName);
  const frame = useRef<HTMLIFrameElement>(null);
  const heard = useRef(false);
  const [isLoaded, setLoaded] = useState(false);
  useAttemptChange(useAttemptPolling(attempt.intentoId, 'halfHour').attempt, attempt, onFound);

  useEffect(() => {
    function hear(event: MessageEvent<unknown>) {
      // Only the exact origin, our own frame and this payment count.
      if (!config.threeDsOrigins.includes(event.origin)) return;
      if (event.source === null || event.source !== frame.current?.contentWindow) return;
      if (attempt.id === '' || paymentIdIn(event.data) !== attempt.id) return;
      if (heard.current) return;
      heard.current = true;
      onAnswered();
    }
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, [attempt.id, onAnswered]);

  const { summary, fee } = payable;
  // The amount that the bank was asked for: a till may have taken part of it since.
  const charged = formatMoney(amountCharged(attempt));
  return (
    <div className={styles.pay}>
      <Flow>
        <PageHead title={copy.title}>{copy.intro}</PageHead>
        <div className={styles.columns}>
          <section className={`${text.card} ${text.tight} ${styles.what}`} aria-label={copy.summary}>
            <LineItems
              rows={[
                { label: copy.due, text: summary.due },
                { label: copy.value, amount: summary.value },
                { label: copy.paid, amount: summary.paid },
                { label: copy.balance, amount: summary.balance, strong: true },
              ]}
            />
            <p className={`${text.small} ${text.muted}`}>
              {fee > 0 ? copy.chargeWithFee(charged, formatMoney(fee)) : copy.charge(charged)}
            </p>
          </section>
          <div className={`${styles.card} ${styles.frame} ${styles.challenge}`}>
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
                src={attempt.pending_action.url}
                // No top navigation: the bank's page stays in its window (rules/threats#providers-frames).
                sandbox="allow-scripts allow-forms allow-same-origin allow-popups"
                referrerPolicy="origin"
                onLoad={() => setLoaded(true)}
              />
            </div>
          </div>
          <div className={styles.act}>
            <Button variant="quiet" wide onClick={onClose}>
              {copy.close}
            </Button>
          </div>
        </div>
      </Flow>
    </div>
  );
}

/** The server has already checked the URL; a frame of another origin could not message us anyway. */
function isOurs(url: string): boolean {
  return URL.canParse(url) && config.threeDsOrigins.includes(new URL(url).origin);
}

function paymentIdIn(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'paymentId' in message
    ? message.paymentId
    : undefined;
}
