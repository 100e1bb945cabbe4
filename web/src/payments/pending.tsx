import { formatMoment } from '@aparta/domain/calendar';
import { Amount } from '@aparta/ui/amount.tsx';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Chip } from '@aparta/ui/chip.tsx';
import waiting from '@aparta/ui/drawings/waiting.svg?raw';
import { FactList } from '@aparta/ui/fact-list.tsx';
import { HeroDrawing } from '@aparta/ui/hero-drawing.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { News } from '@aparta/ui/news.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useEffect, type Dispatch } from 'react';
import { config } from '../app/config.ts';
import type { CardState, Input } from './card-reducer.ts';
import { paymentsCopy } from './copy.ts';
import { Elsewhere } from './outcome.tsx';
import { chargeOf, chargeRows, whatIsPaid, type Payable } from './payable.ts';
import { useAttemptPolling } from './polling.ts';
import { notThere } from './use-card-payment.ts';
import styles from './payments.module.css';

const copy = paymentsCopy.pending;

const UNSHOWN: readonly CardState['name'][] = ['unconfirmed', 'resending', 'rereading'];

/**
 * Payment pending: what we know, when we will say more, and do not pay again. Polls for some minutes, then
 * checks on demand. Also shown while an attempt waits for 3DS or for manual review.
 */
export function Pending({
  state: { name, sent },
  payable,
  dispatch,
}: {
  state: CardState;
  payable: Payable;
  dispatch: Dispatch<Input>;
}) {
  // Until the server shows it, only this tab knows of the attempt.
  const known = UNSHOWN.includes(name) ? undefined : payable.attempt;
  const intentId = known?.intentId ?? sent?.intentoId ?? '';
  const mayReopen = name === 'windowClosed' || name === 'windowBlocked';
  const isHeld = name === 'held';
  const waitsFor3ds = name === 'authenticate';
  const head = isHeld ? paymentsCopy.held : waitsFor3ds ? paymentsCopy.authenticate : copy;
  const { tellText } = head;
  const paid = whatIsPaid(payable, known);
  useArrival(head.title, config.productName);
  const polling = useAttemptPolling({ intentId, attempt: known }, isHeld ? 'once' : 'minutes', dispatch);
  const { missedAfterMs } = polling;
  useEffect(() => {
    if (missedAfterMs !== undefined) dispatch(notThere(missedAfterMs));
  }, [missedAfterMs, dispatch]);

  const [sentOn, sentTime = ''] = formatMoment(known?.createdAt ?? new Date(sent?.sentAt ?? 0)).split(', ');
  return (
    <Flow>
      <HeroDrawing drawing={waiting} />
      <PageHead title={head.title}>{head.text}</PageHead>
      <div className={`${text.stack} ${styles.body}`}>
        <News>
          <Notice tone="pending" title={copy.dontPay}>
            {isHeld ? paymentsCopy.held.dontPayWhy : copy.dontPayWhy}
          </Notice>
        </News>
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
              <p className={`${text.small} ${text.muted}`}>{`${paid.name}\u00a0· ${paid.part}`}</p>
              {known?.shares && <LineItems rows={chargeRows(chargeOf(payable, known))} />}
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
        <Elsewhere merchantId={payable.merchantId} />
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
        {mayReopen && (
          <Button wide onClick={() => dispatch({ type: 'openWindow' })}>
            {paymentsCopy.authenticate.reopen}
          </Button>
        )}
      </StickyFooter>
    </Flow>
  );
}
