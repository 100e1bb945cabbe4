import { formatMoment } from '@aparta/domain/calendar';
import { Amount } from '@aparta/ui/amount.tsx';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Chip } from '@aparta/ui/chip.tsx';
import waiting from '@aparta/ui/drawings/waiting.svg?raw';
import { FactList } from '@aparta/ui/fact-list.tsx';
import { HeroDrawing } from '@aparta/ui/hero-drawing.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useEffect, useState, type Dispatch } from 'react';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import type { CardAttempt } from '../data/payments.ts';
import type { Input } from './card-reducer.ts';
import { paymentsCopy } from './copy.ts';
import type { Payable } from './payable.ts';
import { useAttemptChange, useAttemptPolling } from './polling.ts';
import { answered, notThere } from './use-card-payment.ts';
import styles from './payments.module.css';

const copy = paymentsCopy.pending;

/**
 * Payment pending: what we know, when we will say more, and do not pay again. Polls for some minutes, then
 * checks on demand. Also shown while an attempt waits for 3DS or for manual review.
 */
export function Pending({
  payable,
  intentId,
  known,
  sentAt,
  dispatch,
  onReopen,
}: {
  payable: Payable;
  intentId: string;
  /** The attempt as the server last reported it; absent until it has. */
  known?: CardAttempt;
  /** When this tab sent it (ms since 1970), until the server answers. */
  sentAt?: number;
  dispatch: Dispatch<Input>;
  /** On the 3DS screen: reopens the bank's window. */
  onReopen?: () => void;
}) {
  const isHeld = known?.state === 'held';
  const waitsFor3ds = known?.state === 'pending_3ds' && !onReopen;
  const head = isHeld ? paymentsCopy.held : waitsFor3ds ? paymentsCopy.authenticate : copy;
  const { tellText } = head;
  useArrival(head.title, config.productName);
  const polling = useAttemptPolling(intentId, isHeld ? 'once' : 'minutes');
  useAttemptChange(polling.attempt, known, (attempt) => dispatch(answered(attempt, false)));
  const { missedAfterMs } = polling;
  useEffect(() => {
    if (missedAfterMs !== undefined) dispatch(notThere(missedAfterMs));
  }, [missedAfterMs, dispatch]);

  const [openedAt] = useState(() => Date.now());
  const [sentOn, sentTime = ''] = formatMoment(known?.createdAt ?? new Date(sentAt ?? openedAt)).split(', ');
  return (
    <Flow>
      <HeroDrawing drawing={waiting} />
      <PageHead title={head.title}>{head.text}</PageHead>
      <div className={`${text.stack} ${styles.body}`}>
        <Notice tone="pending" title={copy.dontPay}>
          {copy.dontPayWhy}
        </Notice>
        <Ticket
          label={copy.label}
          thing={
            <div className={text.tight}>
              <p className={text.between}>
                <span className={text.muted}>{copy.method}</span>
                {isHeld ? (
                  <Chip state="confirming" text={paymentsCopy.held.chip} />
                ) : (
                  <Chip state="confirming" />
                )}
              </p>
              <Amount of={known ? known.charged : payable.total} size="hero" />
              <p
                className={`${text.small} ${text.muted}`}
              >{`${payable.productName}\u00a0· ${payable.part}`}</p>
            </div>
          }
          act={
            <FactList
              facts={[
                waitsFor3ds
                  ? {
                      icon: 'lock',
                      title: paymentsCopy.authenticate.factTitle,
                      text: paymentsCopy.authenticate.fact,
                    }
                  : { icon: 'clock', title: copy.sentAt(sentTime), text: `${sentOn}. ${copy.sentText}` },
                { icon: 'mail', title: copy.tell, text: tellText },
              ]}
            />
          }
        />
      </div>
      <StickyFooter>
        {waitsFor3ds ? (
          <ButtonLink variant="primary" to={payable.screens.threeDs} reload wide>
            {paymentsCopy.authenticate.go}
          </ButtonLink>
        ) : polling.hasEnded ? (
          <Button
            variant="primary"
            icon="retry"
            wide
            busy={polling.isChecking ? copy.checking : undefined}
            onClick={polling.check}
          >
            {copy.check}
          </Button>
        ) : (
          <p role="status" className={`${styles.checking} ${text.muted}`}>
            {copy.polling}
          </p>
        )}
        {onReopen && (
          <Button wide onClick={onReopen}>
            {paymentsCopy.authenticate.reopen}
          </Button>
        )}
        <ButtonLink variant="quiet" to={paths.home} reload wide>
          {paymentsCopy.home}
        </ButtonLink>
      </StickyFooter>
    </Flow>
  );
}
