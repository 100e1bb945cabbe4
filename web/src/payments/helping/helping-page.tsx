import { sentenceFor } from '@aparta/browser/copy.ts';
import { zero } from '@aparta/domain/money';
import { Button } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { Logo } from '@aparta/ui/logo.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Skeleton, SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useEffect, useState, type ReactNode } from 'react';
import { config } from '../../app/config.ts';
import { storeHelpOf, type Helped } from '../../data/helping.ts';
import { helpAttempt } from '../../session/help-attempt.ts';
import { helpNumber } from '../../session/help-number.ts';
import { fetchClipSdk } from '../clip-sdk.ts';
import AtStore from './at-store.tsx';
import { Contact } from './contact.tsx';
import { helpingCopy as copy } from './copy.ts';
import { HelpingForm } from './helping-form.tsx';
import { Dead, NotPaid, Returned, Settled } from './not-paid.tsx';
import { Thanks } from './thanks.tsx';
import { useAskStore } from './use-ask-store.ts';
import { useHelping, type Given } from './use-helping.ts';
import { Challenge, Followed, Waiting } from './waiting.tsx';
import { sumsOf, type Typed } from './typed.ts';
import styles from './helping.module.css';

/** /ayudar#code: what a help link leads to, for anybody, without an account (rules/helping). */
export default function HelpingPage() {
  const code = useCode();
  // Beside what is paid, not after it: on a slow line each would wait for the one before.
  useEffect(() => fetchClipSdk(config.clipSdkUrl), []);
  return (
    <HelpingFrame>
      <Helping key={code} code={code} />
    </HelpingFrame>
  );
}

/** Nothing in it leads away, so that nobody leaves a payment by accident. */
export function HelpingFrame({ children }: { children: ReactNode }) {
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Logo name={config.productName} />
      </header>
      <main>{children}</main>
    </div>
  );
}

/** What stands behind the `#`, which no request carries. */
function useCode(): string {
  const [code, setCode] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    window.addEventListener('hashchange', () => setCode(location.hash.slice(1)), { signal });
    // A page restored from the back-forward cache shows outdated state.
    window.addEventListener('pageshow', (event) => event.persisted && location.reload(), { signal });
    return () => gone.abort();
  }, []);
  return code;
}

/** The form waits for its helper; without cards, for who pays at a store. */
const IDLE: readonly string[] = ['form', 'opening', 'noCards'];

/** Where cards are not taken, the other method is the only one. */
function payable(helped: Helped | undefined, typed: Typed): Typed {
  return helped?.acceptsCards === false ? { ...typed, method: 'store' } : typed;
}

const EMPTY: Typed = { which: undefined, other: '', method: 'card', name: '', email: '' };

function Helping({ code }: { code: string }) {
  // Above the form: what was typed survives a card that was rejected.
  const [typed, setTyped] = useState(EMPTY);
  const given = (helped: Helped): Given => ({
    total: sumsOf(helped, payable(helped, typed)).total ?? zero,
    name: typed.name.trim(),
    email: typed.email.trim(),
  });
  const [state, dispatch, refresh] = useHelping(code, given);
  const { name, payable: helping, notice, card, sent } = state;
  // Sent before its document was left: until the server says what became of it, nothing asks for another payment.
  const [before] = useState(() => helpAttempt.sent(code));
  const [number, setNumber] = useState(() => helpNumber.of(code));
  const [isNumberShown, setNumberShown] = useState(number !== undefined && !before);
  const { method } = payable(helping?.helped, typed);
  const store = useAskStore(code, method === 'store', {
    onNumber(fresh) {
      setNumber(fresh);
      setNumberShown(true);
    },
    onOvertaken: refresh,
  });
  const onRetry = () => dispatch({ type: 'retry' });
  const attempt = helping?.attempt;
  // A card payment that is under way, or has just ended, comes first.
  if (number && isNumberShown && attempt === undefined && sent === undefined)
    return (
      <AtStore
        code={code}
        kept={number}
        isOpen={helping?.state === 'open'}
        onForm={(how) => {
          if (how === 'forget') {
            helpNumber.clear();
            setNumber(undefined);
          }
          setNumberShown(false);
          refresh();
        }}
      />
    );
  if (name === 'unreadable') {
    const says = { error: state.error, onRetry };
    return before ? <Followed sentAt={before.sentAt} {...says} /> : <Unreadable {...says} />;
  }
  if (!helping) return <Loading />;
  const { helped } = helping;
  switch (name) {
    case 'unconfirmed':
    case 'resending':
    case 'rereading':
      return <Waiting key={sent?.intentoId} state={state} helping={helping} dispatch={dispatch} />;
    case 'pending':
    case 'authenticate':
    case 'applying':
    case 'windowClosed':
    case 'windowBlocked':
    case 'held':
      return <Waiting key={attempt?.intentId} state={state} helping={helping} dispatch={dispatch} />;
    case 'challenge':
      return attempt && <Challenge key={attempt.intentId} attempt={attempt} dispatch={dispatch} />;
    case 'paid':
      return attempt && <Thanks helping={helping} attempt={attempt} />;
    case 'returned':
      return attempt && <Returned helping={helping} attempt={attempt} onRetry={onRetry} />;
    case 'rejected':
    case 'notCharged':
    case 'abandoned':
    case 'resuming':
    case 'lapsed':
      return (
        attempt && (
          <NotPaid
            kind={name}
            attempt={attempt}
            onRetry={onRetry}
            onResume={() => dispatch({ type: 'resume' })}
          />
        )
      );
    case 'paidElsewhere':
      return <Settled helping={helping} />;
    default:
      // The form, and what follows its button; a link that ended meanwhile has none.
      if (!helped || helping.state !== 'open') return <Dead attempt={attempt} />;
      return (
        <HelpingForm
          helped={helped}
          typed={payable(helped, typed)}
          onTyped={setTyped}
          isPaying={store.isAsking || !IDLE.includes(name)}
          notice={method === 'store' ? store.notice : notice}
          card={card}
          dispatch={dispatch}
          onStore={() => void store.ask(given(helped))}
        >
          {!helped.acceptsCards && (
            <Notice tone="pending" title={copy.noCards.title}>
              {copy.noCards.text(helped.tradeName)}
            </Notice>
          )}
          {number && (
            <Notice tone="info" title={copy.kept.title(storeHelpOf(number).total)}>
              <Button small onClick={() => setNumberShown(true)}>
                {copy.kept.show}
              </Button>
            </Notice>
          )}
        </HelpingForm>
      );
  }
}

function Unreadable({ error, onRetry }: { error: Error | undefined; onRetry: () => void }) {
  useArrival(copy.title, config.productName);
  return (
    <Flow>
      <PageHead title={copy.title} />
      <Failed title={copy.loadFailed} text={sentenceFor(error)} onRetry={onRetry} />
      <Contact />
    </Flow>
  );
}

/** Also what its document shows before its scripts have run. */
export function Loading() {
  return (
    <Flow>
      <PageHead title={copy.title} />
      <Skeleton label={copy.loading}>
        <SkeletonBlock shape="tile" />
        <SkeletonBlock width="most" />
        <SkeletonBlock shape="segments" />
        <SkeletonBlock shape="control" />
        <SkeletonBlock shape="control" />
        <SkeletonBlock shape="control" />
      </Skeleton>
    </Flow>
  );
}
