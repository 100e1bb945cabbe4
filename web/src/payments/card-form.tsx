import { formatMoney } from '@aparta/domain/money';
import { useAlert } from '@aparta/ui/alert.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Icon } from '@aparta/ui/icon.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { config } from '../app/config.ts';
import { alerts } from '../copy/alerts.ts';
import { sentenceFor } from '../copy/refusals.ts';
import { CardFrame } from './card-frame.tsx';
import { askForToken, type CardElement, type CardToken } from './clip-sdk.ts';
import { paymentsCopy } from './copy.ts';
import type { Payable } from './payable.ts';
import { cardSetupQuery } from './queries.ts';
import styles from './payments.module.css';

const copy = paymentsCopy.form;

const TOKEN_TIMEOUT_MS = 30_000;

/** Why the last attempt to pay failed. */
export type FormNotice = { title: string; text?: string };

/** Spec §2, 'Pago con tarjeta': what is paid, the provider's form, and the pay button. */
export function CardForm({
  payable,
  notice,
  onPay,
  onNoCards,
}: {
  payable: Payable;
  notice: FormNotice | undefined;
  /** Resolves when the form can be used again, if it is still mounted. */
  onPay: (token: CardToken) => Promise<void>;
  onNoCards: () => Promise<void>;
}) {
  useArrival(copy.title, config.productName);
  const showAlert = useAlert();
  const [card, setCard] = useState<CardElement>();
  const [isPaying, setPaying] = useState(false);
  const [areFieldsWrong, setFieldsWrong] = useState(false);
  // State updates too late to stop the second tap of a double tap.
  const pressed = useRef(false);
  const setup = useQuery(cardSetupQuery(payable.merchantId));
  const isSetUp = setup.data === undefined || setup.data.apiKey !== '';
  const reported = useRef(false);
  useEffect(() => {
    if (isSetUp || reported.current) return;
    reported.current = true;
    void onNoCards();
  }, [isSetUp, onNoCards]);

  async function press(element: CardElement) {
    if (pressed.current) return;
    pressed.current = true;
    setPaying(true);
    setFieldsWrong(false);
    try {
      const answer = await askForToken(element, TOKEN_TIMEOUT_MS);
      if (answer.kind === 'token') await onPay(answer.token);
      else if (answer.kind === 'fieldsWrong') setFieldsWrong(true);
      else await showAlert({ ...alerts.noCardToken, footer: copy.noToken });
    } finally {
      pressed.current = false;
      setPaying(false);
    }
  }

  const shown = areFieldsWrong ? { title: copy.fieldsWrong } : isPaying ? undefined : notice;
  return (
    <div className={styles.pay}>
      <Flow>
        <PageHead title={copy.title} />
        <div className={styles.columns}>
          <div className={styles.what}>
            <Ticket
              label={copy.ticket}
              thing={
                <ProductHeader
                  title={payable.productName}
                  sub={`${payable.part}\u00a0· ${payable.deadline}`}
                  merchant={payable.tradeName}
                />
              }
              act={
                <LineItems
                  rows={[
                    { label: payable.item, amount: payable.principal },
                    ...(payable.fee > 0 ? [{ label: paymentsCopy.fee, amount: payable.fee }] : []),
                  ]}
                />
              }
            />
          </div>
          <div className={styles.card}>
            <section className={styles.frame} aria-label={copy.frame}>
              <p className={styles.frameBar}>
                <span>
                  <Icon name="lock" small />
                  {copy.frameTitle}
                </span>
                <b className={styles.provider}>{copy.provider}</b>
              </p>
              {setup.isError && !setup.data ? (
                <div className={styles.problem}>
                  <Failed
                    title={paymentsCopy.loadFailed}
                    text={sentenceFor(setup.error)}
                    onRetry={() => void setup.refetch()}
                  />
                </div>
              ) : (
                <CardFrame apiKey={setup.data?.apiKey} amount={payable.total} onReady={setCard} />
              )}
            </section>
            <p className={`${styles.privacy} ${text.small} ${text.muted}`}>
              <Icon name="info" small />
              {copy.privacy}
            </p>
          </div>
          <div className={styles.act}>
            <StickyFooter total={{ label: paymentsCopy.total, amount: payable.total }}>
              {shown && (
                <Notice tone="danger" title={shown.title} urgent>
                  {shown.text}
                </Notice>
              )}
              <p role="status" className={isPaying ? text.small : text.srOnly}>
                {isPaying && copy.dontLeave}
              </p>
              {card && (
                <Button
                  variant="primary"
                  wide
                  busy={isPaying ? copy.paying : undefined}
                  onClick={() => void press(card)}
                >
                  {copy.pay(formatMoney(payable.total))}
                </Button>
              )}
            </StickyFooter>
          </div>
        </div>
      </Flow>
    </div>
  );
}
