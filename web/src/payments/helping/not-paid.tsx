import { formatMoney, subtract } from '@aparta/domain/money';
import { Button } from '@aparta/ui/button.tsx';
import expired from '@aparta/ui/drawings/expired.svg?raw';
import refused from '@aparta/ui/drawings/refused.svg?raw';
import waiting from '@aparta/ui/drawings/waiting.svg?raw';
import { FactList } from '@aparta/ui/fact-list.tsx';
import { HeroDrawing } from '@aparta/ui/hero-drawing.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import type { ComponentProps, ReactNode } from 'react';
import { config } from '../../app/config.ts';
import type { CardAttempt } from '../../data/card-attempt.ts';
import { paymentsCopy } from '../copy.ts';
import cards from '../payments.module.css';
import { Contact } from './contact.tsx';
import { helpingCopy as copy } from './copy.ts';
import type { Helping } from './use-helping.ts';

type Facts = ComponentProps<typeof FactList>['facts'];

/** How it ended: a line, what is known, and what to do. */
export function Outcome({
  title,
  line,
  drawing,
  facts,
  about,
  children,
}: {
  title: string;
  line: string;
  drawing?: string;
  facts: Facts;
  about?: Helping['helped'];
  children?: ReactNode;
}) {
  useArrival(title, config.productName);
  return (
    <Flow>
      {drawing && <HeroDrawing drawing={drawing} />}
      <PageHead title={title}>{line}</PageHead>
      <div className={`${text.stack} ${cards.body}`}>
        {(facts.length > 0 || about) && (
          <div className={`${text.card} ${text.stack}`}>
            {about && (
              <ProductHeader
                title={about.productName}
                sub={about.tradeName}
                merchant={about.tradeName}
                pictures={about.pictures}
              />
            )}
            {facts.length > 0 && <FactList facts={facts} />}
          </div>
        )}
        <Contact />
      </div>
      {children && <StickyFooter>{children}</StickyFooter>}
    </Flow>
  );
}

/** One text, whether a link was revoked, expired, closed, or never made. */
export function Dead({ attempt }: { attempt: CardAttempt | undefined }) {
  const { title, text: line, fact, notCharged } = copy.dead;
  const isFailed = attempt?.state === 'rejected' || attempt?.state === 'not_charged';
  return (
    <Outcome
      title={title}
      line={line}
      drawing={expired}
      facts={[
        { icon: 'info', title: fact },
        ...(isFailed ? [{ icon: 'check', title: notCharged } as const] : []),
      ]}
    />
  );
}

/** Everything is paid. */
export function Settled({ helping: { helped } }: { helping: Helping }) {
  return <Outcome title={copy.paidOff.title} line={copy.paidOff.text} facts={[]} about={helped} />;
}

/** It was charged, could not be applied, and goes back whole to the card that paid. */
export function Returned({
  helping,
  attempt,
  onRetry,
}: {
  helping: Helping;
  attempt: CardAttempt;
  onRetry: () => void;
}) {
  const words = paymentsCopy.returned;
  const amount = formatMoney(attempt.refund?.amount ?? attempt.charged);
  const isBack = attempt.refund?.done ?? false;
  const isOpen = helping.state === 'open';
  return (
    <Outcome
      title={isBack ? copy.returned.doneTitle : copy.returned.title}
      line={copy.returned.text}
      drawing={waiting}
      facts={[
        {
          icon: 'card',
          title: isBack ? words.doneTitle(amount) : words.owedTitle(amount),
          text: isBack ? words.doneText : words.owedText,
        },
        { icon: 'info', title: words.whyTitle, text: whyReturned(helping, attempt) },
      ]}
    >
      {isOpen && (
        <Button variant="primary" wide onClick={onRetry}>
          {copy.again}
        </Button>
      )}
    </Outcome>
  );
}

/** Nothing says why it was returned; what is left now is known, and what follows from it. */
function whyReturned({ helped, state }: Helping, { charged }: CardAttempt): string {
  const words = copy.returned;
  if (!helped || state !== 'open') return words.why;
  return helped.most < subtract(charged, helped.fee) ? words.whyLess(helped.most) : words.whyOpen;
}

type NotPaidKind = 'rejected' | 'notCharged' | 'abandoned' | 'resuming' | 'lapsed';

/** Nothing was paid: what happened, whether money left the account if that is known, and what to do now. */
export function NotPaid({
  kind,
  attempt,
  onRetry,
  onResume,
}: {
  kind: NotPaidKind;
  attempt: CardAttempt;
  onRetry: () => void;
  onResume: () => void;
}) {
  const mayResume = kind !== 'rejected' && kind !== 'notCharged';
  const { title, text: line, facts } = whatHappened(kind, attempt);
  return (
    <Outcome title={title} line={line} drawing={refused} facts={facts}>
      {kind === 'lapsed' ? (
        <p role="status">{paymentsCopy.abandoned.over}</p>
      ) : (
        mayResume && (
          <Button
            wide
            busy={kind === 'resuming' ? paymentsCopy.pending.checking : undefined}
            onClick={onResume}
          >
            {paymentsCopy.authenticate.go}
          </Button>
        )
      )}
      <Button variant="primary" wide onClick={onRetry}>
        {paymentsCopy.notDone.retry}
      </Button>
    </Outcome>
  );
}

function whatHappened(
  kind: NotPaidKind,
  attempt: CardAttempt,
): { title: string; text: string; facts: Facts } {
  const noMoney = {
    icon: 'check',
    title: paymentsCopy.notDone.noMoney,
    text: paymentsCopy.notDone.noMoneyText(attempt.card && paymentsCopy.card(attempt.card)),
  } as const;
  switch (kind) {
    case 'rejected': {
      const { title, text: how } = paymentsCopy.advice[attempt.advice ?? 'retry'];
      return { title: copy.notPaid, text: how, facts: [{ icon: 'warning', title }, noMoney] };
    }
    case 'notCharged': {
      const { factTitle, fact } = paymentsCopy.notCharged;
      return { title: copy.notPaid, text: fact, facts: [{ icon: 'warning', title: factTitle }, noMoney] };
    }
    case 'abandoned':
    case 'resuming':
    case 'lapsed': {
      // We do not know yet that the bank will not charge it, so say nothing about the account.
      const { factOpen, lateTitle, late } = paymentsCopy.abandoned;
      return {
        title: copy.abandoned,
        text: factOpen,
        facts: [{ icon: 'info', title: lateTitle, text: late }],
      };
    }
  }
}
