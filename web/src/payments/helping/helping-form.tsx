import { formatMoney } from '@aparta/domain/money';
import { Button } from '@aparta/ui/button.tsx';
import { Icon } from '@aparta/ui/icon.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { LONGEST_HELPER_NAME } from '@aparta/domain/help';
import { useEffect, useId, useRef, useState, type Dispatch } from 'react';
import { config } from '../../app/config.ts';
import { isEmailAddress, type Helped } from '../../data/helping.ts';
import { CardFrame } from '../card-frame.tsx';
import type { FormNotice } from '../card-reducer.ts';
import type { CardElement } from '../clip-sdk.ts';
import { paymentsCopy } from '../copy.ts';
import { ProviderMark } from '../provider-mark.tsx';
import cards from '../payments.module.css';
import { Contact } from './contact.tsx';
import { helpingCopy as copy } from './copy.ts';
import { Given } from './given.tsx';
import { sumsOf, type Typed } from './typed.ts';
import type { HelpInput } from './use-helping.ts';
import { WhatIsHelped } from './what-is-helped.tsx';
import styles from './helping.module.css';

/** What is asked for, how much a helper gives, as whom, and with which card. */
export function HelpingForm({
  helped,
  typed,
  onTyped,
  isPaying,
  notice,
  card,
  dispatch,
}: {
  helped: Helped;
  typed: Typed;
  onTyped: (typed: Typed) => void;
  isPaying: boolean;
  notice: FormNotice | undefined;
  card: CardElement | undefined;
  dispatch: Dispatch<HelpInput>;
}) {
  useArrival(copy.title, config.productName);
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [isChecked, setChecked] = useState(0);
  const { sum, total } = sumsOf(helped, typed);
  const errors = {
    other: sum === undefined ? copy.otherWrong(helped.least, helped.most) : undefined,
    name: typed.name.trim().length < 2 ? copy.nameWrong : undefined,
    email: isEmailAddress(typed.email.trim()) ? undefined : copy.emailWrong,
  };
  // Once the fields are marked.
  useEffect(() => {
    if (isChecked > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [isChecked]);

  function submit() {
    if (isPaying || !card) return;
    if (errors.other || errors.name || errors.email) return setChecked((times) => times + 1);
    setChecked(0);
    dispatch({ type: 'submit' });
  }

  const who = copy.who(helped.firstName);
  return (
    <div className={cards.pay}>
      <Flow>
        <PageHead title={copy.asks(helped.firstName)} />
        <div className={styles.columns}>
          <div className={`${cards.what} ${text.stack}`}>
            <WhatIsHelped helped={helped} />
            <form
              id={id}
              ref={form}
              className={styles.form}
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                submit();
              }}
            >
              <Given
                helped={helped}
                typed={typed}
                onTyped={onTyped}
                isPaying={isPaying}
                errors={isChecked > 0 ? errors : {}}
                longestName={LONGEST_HELPER_NAME}
              />
            </form>
          </div>
          <div className={cards.card}>
            <section className={cards.frame} aria-label={paymentsCopy.form.frame}>
              <p className={cards.frameBar}>
                <span>
                  <Icon name="lock" small />
                  {paymentsCopy.form.frameTitle}
                </span>
                <ProviderMark />
              </p>
              <CardFrame
                apiKey={helped.cardKey}
                amount={total ?? helped.least}
                onReady={(ready) =>
                  dispatch(ready ? { type: 'frameReady', card: ready } : { type: 'frameGone' })
                }
              />
            </section>
            <div className={`${text.tight} ${text.small} ${text.muted}`}>
              <p>{copy.always3ds}</p>
              <p>{copy.applied}</p>
              <p>
                {copy.ifCancelled(who)} {helped.penalty > 0 && copy.penalty(who, helped.penalty)}
              </p>
              <p>{paymentsCopy.form.privacy}</p>
            </div>
            <Contact />
          </div>
          <div className={cards.act}>
            <StickyFooter
              {...(total !== undefined && { total: { label: paymentsCopy.total, amount: total } })}
            >
              {notice && !isPaying && (
                <Notice tone="danger" title={notice.title} urgent>
                  {notice.text}
                </Notice>
              )}
              <p role="status" className={isPaying ? text.small : text.srOnly}>
                {isPaying && paymentsCopy.form.dontLeave}
              </p>
              {card && (
                <Button
                  type="submit"
                  form={id}
                  variant="primary"
                  wide
                  busy={isPaying ? copy.paying : undefined}
                >
                  {total === undefined ? copy.pay : paymentsCopy.form.pay(formatMoney(total))}
                </Button>
              )}
            </StickyFooter>
          </div>
        </div>
      </Flow>
    </div>
  );
}
