import { Amount } from '@aparta/ui/amount.tsx';
import { Chip } from '@aparta/ui/chip.tsx';
import waiting from '@aparta/ui/drawings/waiting.svg?raw';
import { HeroDrawing } from '@aparta/ui/hero-drawing.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type Dispatch } from 'react';
import { config } from '../app/config.ts';
import { Help } from '../app/help.tsx';
import type { CardAttempt } from '../data/card-attempt.ts';
import { logoQuery } from '../data/logos.ts';
import type { Input } from './card-reducer.ts';
import { paymentsCopy } from './copy.ts';
import { whatIsPaid, type Payable } from './payable.ts';
import { useAttemptPolling } from './polling.ts';
import styles from './payments.module.css';

const copy = paymentsCopy.applying;

/** Until then it is too early to call a payment doubtful. */
const TAKES_LONG_MS = 10_000;

/** The bank has just answered in its window: what is paid, and that it is being applied. */
export function Applying({
  payable,
  attempt,
  dispatch,
}: {
  payable: Payable;
  attempt: CardAttempt;
  dispatch: Dispatch<Input>;
}) {
  useArrival(copy.title, config.productName);
  const { data: logo } = useQuery(logoQuery(payable.logoFile));
  const paid = whatIsPaid(payable, attempt);
  useAttemptPolling({ intentId: attempt.intentId, attempt }, 'minutes', dispatch);
  useEffect(() => {
    const timer = setTimeout(() => dispatch({ type: 'tookLong' }), TAKES_LONG_MS);
    return () => clearTimeout(timer);
  }, [dispatch]);
  return (
    <Flow>
      <HeroDrawing drawing={waiting} />
      <PageHead title={copy.title}>{copy.text}</PageHead>
      <div className={`${text.stack} ${styles.body}`}>
        <Ticket
          label={copy.label}
          thing={
            <div className={text.tight}>
              <p className={text.between}>
                <span className={text.muted}>{paymentsCopy.pending.method}</span>
                <Chip state="confirming" />
              </p>
              <Amount of={attempt.charged} size="hero" />
            </div>
          }
          act={
            <ProductHeader
              title={paid.name}
              sub={`${payable.tradeName}\u00a0· ${paid.part}`}
              merchant={payable.tradeName}
              logo={logo}
            />
          }
        />
        <Help merchantId={payable.merchantId} />
      </div>
    </Flow>
  );
}
