import { sentenceFor } from '@aparta/browser/copy.ts';
import { formatMoment } from '@aparta/domain/calendar';
import { formatMoney } from '@aparta/domain/money';
import { Amount } from '@aparta/ui/amount.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Chip } from '@aparta/ui/chip.tsx';
import waiting from '@aparta/ui/drawings/waiting.svg?raw';
import { Failed } from '@aparta/ui/failed.tsx';
import { FactList } from '@aparta/ui/fact-list.tsx';
import { HeroDrawing } from '@aparta/ui/hero-drawing.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { usePolling } from '@aparta/ui/use-polling.ts';
import { useEffect, useEffectEvent, useState, type Dispatch } from 'react';
import { config } from '../../app/config.ts';
import type { CardAttempt } from '../../data/card-attempt.ts';
import { BankWindow } from '../bank-window.tsx';
import { paymentsCopy } from '../copy.ts';
import cards from '../payments.module.css';
import { Contact } from './contact.tsx';
import { helpingCopy as copy } from './copy.ts';
import type { Helping, HelpInput, HelpState } from './use-helping.ts';
import { usePoll } from './use-poll.ts';

/** The bank asks its client in its own window; closing it cancels nothing. */
export function Challenge({ attempt, dispatch }: { attempt: CardAttempt; dispatch: Dispatch<HelpInput> }) {
  const words = paymentsCopy.threeDs;
  useArrival(words.title, config.productName);
  usePoll(attempt.intentId, attempt, 'halfHour', dispatch);
  return (
    <div className={cards.pay}>
      <Flow>
        <PageHead title={words.title}>
          {words.intro} {words.charge(formatMoney(attempt.charged))}
        </PageHead>
        <div className={`${cards.card} ${cards.frame} ${cards.challenge}`}>
          <BankWindow url={attempt.threeDsUrl} paymentId={undefined} dispatch={dispatch} />
        </div>
        <Button variant="quiet" onClick={() => dispatch({ type: 'closeWindow' })}>
          {words.close}
        </Button>
      </Flow>
    </div>
  );
}

/** Until then it is too early to call a payment doubtful. */
const TAKES_LONG_MS = 10_000;

const UNSHOWN: readonly HelpState['name'][] = ['unconfirmed', 'resending', 'rereading'];

/** Not known yet: what we know, when we will tell, and not to pay again. */
export function Waiting({
  state: { name, sent },
  helping,
  dispatch,
}: {
  state: HelpState;
  helping: Helping;
  dispatch: Dispatch<HelpInput>;
}) {
  const known = UNSHOWN.includes(name) ? undefined : helping.attempt;
  const intentId = known?.intentId ?? sent?.intentoId ?? '';
  const isHeld = name === 'held';
  const head = headOf(name);
  useArrival(head.title, config.productName);
  const { isChecking, hasEnded, check } = usePoll(intentId, known, isHeld ? 'once' : 'minutes', dispatch);
  useEffect(() => {
    if (name !== 'applying') return;
    const timer = setTimeout(() => dispatch({ type: 'tookLong' }), TAKES_LONG_MS);
    return () => clearTimeout(timer);
  }, [name, dispatch]);
  const charged = known?.charged ?? sent?.order?.total;
  const words = paymentsCopy.pending;
  return (
    <Flow>
      <HeroDrawing drawing={waiting} />
      <PageHead title={head.title}>{head.text}</PageHead>
      <div className={`${text.stack} ${cards.body}`}>
        {name !== 'applying' && (
          <Notice tone="pending" title={words.dontPay}>
            {copy.pending.dontPayWhy}
          </Notice>
        )}
        <Ticket
          label={words.label}
          thing={
            <div className={text.tight}>
              <p className={text.between}>
                <span className={text.muted}>{words.method}</span>
                {isHeld ? (
                  <Chip state="confirming" text={paymentsCopy.held.chip} />
                ) : (
                  <Chip state="confirming" />
                )}
              </p>
              {charged !== undefined && <Amount of={charged} size="hero" />}
            </div>
          }
          act={<FactList facts={[{ icon: 'mail', title: words.tell, text: copy.pending.tellText }]} />}
        />
        <Contact />
      </div>
      <StickyFooter>
        {hasEnded ? (
          <Button
            variant="primary"
            icon="retry"
            wide
            busy={isChecking ? words.checking : undefined}
            onClick={check}
          >
            {words.check}
          </Button>
        ) : (
          <p role="status" className={`${cards.checking} ${text.muted}`}>
            {words.polling}
          </p>
        )}
        {(name === 'windowClosed' || name === 'windowBlocked') && (
          <Button wide onClick={() => dispatch({ type: 'openWindow' })}>
            {paymentsCopy.authenticate.reopen}
          </Button>
        )}
      </StickyFooter>
    </Flow>
  );
}

function headOf(name: HelpState['name']): { title: string; text: string } {
  switch (name) {
    case 'held':
      return copy.held;
    case 'applying':
      return paymentsCopy.applying;
    case 'windowClosed':
      return { title: copy.windowClosed, text: copy.windowClosedText };
    default:
      return copy.pending;
  }
}

const ASK_EVERY_MS = 10_000;
const ASK_FOR_MS = 10 * 60_000;

/** What this tab sent, where nothing says how it is: it is asked for by itself, and nobody is to pay again meanwhile. */
export function Followed({
  sentAt,
  error,
  onRetry,
}: {
  sentAt: number;
  error: Error | undefined;
  onRetry: () => void;
}) {
  const words = copy.followed;
  useArrival(words.title, config.productName);
  const { isPolling, restart } = usePolling(ASK_FOR_MS);
  // The failure after which it was pressed: the next one is the answer.
  const [pressed, setPressed] = useState<Error>();
  const ask = useEffectEvent(onRetry);
  useEffect(() => {
    if (!isPolling) return;
    const timer = setTimeout(() => ask(), ASK_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isPolling, error]);
  return (
    <Flow>
      <HeroDrawing drawing={waiting} />
      <PageHead title={words.title}>{words.text(formatMoment(new Date(sentAt)))}</PageHead>
      <div className={`${text.stack} ${cards.body}`}>
        <Notice tone="pending" title={paymentsCopy.pending.dontPay}>
          {copy.pending.dontPayWhy}
        </Notice>
        <Failed
          title={words.failed}
          text={sentenceFor(error)}
          busy={pressed && pressed === error ? paymentsCopy.pending.checking : undefined}
          onRetry={() => {
            restart();
            setPressed(error);
            onRetry();
          }}
        />
        {isPolling && <p className={`${text.muted} ${text.small}`}>{words.byItself}</p>}
        <Contact />
      </div>
    </Flow>
  );
}
