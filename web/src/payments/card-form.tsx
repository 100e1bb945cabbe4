import { formatMoney } from '@aparta/domain/money';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
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
import { useEffect, type Dispatch } from 'react';
import { config } from '../app/config.ts';
import { Help } from '../app/help.tsx';
import { logoQuery } from '../data/logos.ts';
import { CardFrame } from './card-frame.tsx';
import type { CardState, Input } from './card-reducer.ts';
import { formCopy } from './form-copy.ts';
import { chargeRows, type Payable } from './payable.ts';
import { ProviderMark } from './provider-mark.tsx';
import styles from './payments.module.css';

const copy = formCopy.form;

/** Spec §2, 'Pago con tarjeta': what is paid, the provider's form, and the pay button. */
export function CardForm({
  state: { name, card, notice },
  payable,
  dispatch,
}: {
  state: CardState;
  payable: Payable;
  dispatch: Dispatch<Input>;
}) {
  useArrival(copy.title, config.productName);
  const { data: logo } = useQuery(logoQuery(payable.logoFile));
  const hasNoKey = payable.cardKey === '';
  useEffect(() => {
    if (hasNoKey) dispatch({ type: 'noKey' });
  }, [hasNoKey, dispatch]);
  const isPaying = name !== 'form' && name !== 'opening';
  return (
    <div className={styles.pay}>
      <Flow>
        {/* Not while a payment is being sent: leaving would not stop it. */}
        <div className={styles.back} data-off={isPaying || undefined}>
          <ButtonLink variant="quiet" small icon="back" to={payable.screens.back} reload>
            {copy.back[payable.kind]}
          </ButtonLink>
        </div>
        <PageHead title={copy.title} />
        <div className={styles.columns}>
          <div className={styles.what}>
            <Ticket
              label={copy.ticket}
              thing={
                <ProductHeader
                  title={payable.productName}
                  sub={payable.shares ? payable.part : `${payable.part}\u00a0· ${payable.deadline}`}
                  merchant={payable.tradeName}
                  logo={logo}
                />
              }
              act={
                <>
                  <LineItems rows={chargeRows(payable)} />
                  {payable.fillsText !== undefined && (
                    <p className={`${text.muted} ${text.small}`}>{payable.fillsText}</p>
                  )}
                </>
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
                <ProviderMark />
              </p>
              <CardFrame
                apiKey={payable.cardKey}
                amount={payable.total}
                onReady={(ready) =>
                  dispatch(ready ? { type: 'frameReady', card: ready } : { type: 'frameGone' })
                }
              />
            </section>
            <p className={`${styles.privacy} ${text.small} ${text.muted}`}>
              <Icon name="info" small />
              {copy.privacy}
            </p>
            <Help merchantId={payable.merchantId} />
          </div>
          <div className={styles.act}>
            <StickyFooter total={{ label: formCopy.total, amount: payable.total }}>
              {notice && !isPaying && (
                <Notice tone="danger" title={notice.title} urgent>
                  {notice.text}
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
                  onClick={() => dispatch({ type: 'submit' })}
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
