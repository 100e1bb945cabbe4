import { formatMoney } from '@aparta/domain/money';
import { Button } from '@aparta/ui/button.tsx';
import { Icon } from '@aparta/ui/icon.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { LONGEST_HELPER_NAME } from '@aparta/domain/help';
import { holdsWebAddress } from '@aparta/domain/web-address';
import { useEffect, useId, useRef, useState, type Dispatch, type ReactNode } from 'react';
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

/** What is asked for, how much a helper gives, as whom, and by which method. */
export function HelpingForm({
  helped,
  typed,
  onTyped,
  isPaying,
  notice,
  card,
  dispatch,
  onStore,
  children,
}: {
  helped: Helped;
  typed: Typed;
  onTyped: (typed: Typed) => void;
  isPaying: boolean;
  notice: FormNotice | undefined;
  card: CardElement | undefined;
  dispatch: Dispatch<HelpInput>;
  /** Asks for a number for stores. */
  onStore: () => void;
  /** Above what is asked for. */
  children?: ReactNode;
}) {
  useArrival(copy.title, config.productName);
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [isChecked, setChecked] = useState(0);
  const { sum, total } = sumsOf(helped, typed);
  const isAtStore = typed.method === 'store';
  const isTooMuch = isAtStore && total !== undefined && total > helped.storeMost;
  const errors = {
    other: sum === undefined ? copy.otherWrong(helped.least, helped.most) : undefined,
    name:
      typed.name.trim().length < 2
        ? copy.nameWrong
        : holdsWebAddress(typed.name)
          ? copy.nameIsAddress
          : undefined,
    email: isEmailAddress(typed.email.trim()) ? undefined : copy.emailWrong,
  };
  // Once the fields are marked.
  useEffect(() => {
    if (isChecked > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [isChecked]);

  function submit() {
    if (isPaying || isTooMuch || !(isAtStore || card)) return;
    if (errors.other || errors.name || errors.email) return setChecked((times) => times + 1);
    setChecked(0);
    if (isAtStore) onStore();
    else dispatch({ type: 'submit' });
  }

  const says = isTooMuch ? { title: copy.storeLimit(helped.storeMost, helped.acceptsCards) } : notice;
  return (
    <div className={cards.pay}>
      <Flow>
        <PageHead title={copy.asks(helped.firstName)} />
        <div className={styles.columns}>
          <div className={`${cards.what} ${text.stack}`}>
            {children}
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
                methods={helped.acceptsCards ? ['card', 'store'] : ['store']}
                longestName={LONGEST_HELPER_NAME}
              />
            </form>
          </div>
          <div className={cards.card}>
            {!isAtStore && (
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
            )}
            <Terms helped={helped} isAtStore={isAtStore} />
            <Contact />
          </div>
          <div className={cards.act}>
            <StickyFooter
              {...(total !== undefined && { total: { label: paymentsCopy.total, amount: total } })}
            >
              {says && !isPaying && (
                <Notice tone="danger" title={says.title} urgent>
                  {says.text}
                </Notice>
              )}
              <p role="status" className={isPaying ? text.small : text.srOnly}>
                {isPaying && !isAtStore && paymentsCopy.form.dontLeave}
              </p>
              {(isAtStore || card) && (
                <Button
                  type="submit"
                  form={id}
                  variant="primary"
                  wide
                  busy={isPaying ? (isAtStore ? copy.gettingNumber : copy.paying) : undefined}
                >
                  {total === undefined
                    ? WITHOUT_SUM[typed.method]
                    : WITH_SUM[typed.method](formatMoney(total))}
                </Button>
              )}
            </StickyFooter>
          </div>
        </div>
      </Flow>
    </div>
  );
}

const WITHOUT_SUM = { card: copy.pay, store: copy.getNumber } as const;
const WITH_SUM = { card: paymentsCopy.form.pay, store: copy.getNumberOf } as const;

/** What a helper reads before they pay: when it is booked, and how it would come back. */
function Terms({ helped, isAtStore }: { helped: Helped; isAtStore: boolean }) {
  const who = copy.who(helped.firstName);
  const { tradeName, penalty } = helped;
  return (
    <div className={`${text.tight} ${text.small} ${text.muted}`}>
      <p>{isAtStore ? copy.atStore : copy.always3ds}</p>
      <p>{isAtStore ? copy.appliedAtStore(tradeName) : copy.applied}</p>
      <p>
        {isAtStore ? copy.ifCancelledAtStore(who, tradeName) : copy.ifCancelled(who)}{' '}
        {penalty > 0 && copy.penalty(who, penalty)}
      </p>
      {!isAtStore && <p>{paymentsCopy.form.privacy}</p>}
    </div>
  );
}
