import { formatMoney } from '@aparta/domain/money';
import { Button } from '@aparta/ui/button.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import type { Dispatch } from 'react';
import { config } from '../app/config.ts';
import { Help } from '../app/help.tsx';
import type { CardAttempt } from '../data/card-attempt.ts';
import { BankWindow } from './bank-window.tsx';
import type { Input } from './card-reducer.ts';
import { paymentsCopy } from './copy.ts';
import { chargeOf, type Payable } from './payable.ts';
import { useAttemptPolling } from './polling.ts';
import styles from './payments.module.css';

const copy = paymentsCopy.threeDs;

/**
 * Spec §2, 'Autenticación 3DS': the bank's window on the provider's origin, beside the four figures of what is paid, or what is
 * paid of each of several purchases. Its message only makes us ask the server, and closing it cancels nothing
 * (rules/card-attempts#3ds).
 */
export function ThreeDsChallenge({
  payable,
  attempt,
  dispatch,
}: {
  payable: Payable;
  attempt: CardAttempt;
  dispatch: Dispatch<Input>;
}) {
  useArrival(copy.title, config.productName);
  const { paymentId, shares } = attempt;
  useAttemptPolling({ intentId: attempt.intentId, attempt }, 'halfHour', dispatch);

  const { summary } = payable;
  // The amount that the bank was asked for: a till may have taken part of it since.
  const charged = formatMoney(attempt.charged);
  const { fee } = chargeOf(payable, attempt);
  return (
    <div className={styles.pay}>
      <Flow>
        <PageHead title={copy.title}>{copy.intro}</PageHead>
        <div className={styles.columns}>
          <section className={`${text.card} ${text.tight} ${styles.what}`} aria-label={copy.summary}>
            <LineItems
              rows={
                shares?.map(({ product, amount }) => ({ label: product, amount })) ?? [
                  { label: copy.due, text: summary.due },
                  { label: copy.value, amount: summary.value },
                  { label: copy.paid, amount: summary.paid },
                  { label: copy.balance, amount: summary.balance, strong: true },
                ]
              }
            />
            <p className={`${text.small} ${text.muted}`}>
              {fee > 0 ? copy.chargeWithFee(charged, formatMoney(fee)) : copy.charge(charged)}
            </p>
          </section>
          <div className={`${styles.card} ${styles.frame} ${styles.challenge}`}>
            <BankWindow url={attempt.threeDsUrl} paymentId={paymentId} dispatch={dispatch} />
          </div>
          <div className={styles.act}>
            <div className={text.pair}>
              <Button variant="quiet" onClick={() => dispatch({ type: 'closeWindow' })}>
                {copy.close}
              </Button>
              <Help merchantId={payable.merchantId} />
            </div>
          </div>
        </div>
      </Flow>
    </div>
  );
}
