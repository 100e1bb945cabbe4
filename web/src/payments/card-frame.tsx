import { centavosToPesos, type Centavos } from '@aparta/domain/money';
import { Failed } from '@aparta/ui/failed.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import { useEffect, useEffectEvent, useId, useRef, useState, type RefObject } from 'react';
import { config } from '../app/config.ts';
import {
  loadClipSdk,
  mountFrame,
  problemOf,
  untilShown,
  type CardElement,
  type FormProblem,
} from './clip-sdk.ts';
import { formCopy } from './form-copy.ts';
import styles from './payments.module.css';

const copy = formCopy.form;

const LOAD_TIMEOUT_MS = 15_000;
const DARK = '(prefers-color-scheme: dark)';

/**
 * The provider's card form in its own frame (spec §2). `onReady` passes the element that returns tokens. A change
 * of amount keeps what was typed.
 */
export function CardFrame({
  apiKey,
  amount,
  onReady,
}: {
  /** '' where there is none: the screen is left. */
  apiKey: string;
  amount: Centavos;
  onReady: (card: CardElement | undefined) => void;
}) {
  const place = `card-${useId()}`;
  const hole = useRef<HTMLDivElement>(null);
  const theme = useFrameTheme(hole);
  const [status, setStatus] = useState<'loading' | 'ready' | FormProblem>('loading');
  const [tries, setTries] = useState(0);
  const [card, setCard] = useState<CardElement>();
  const report = useEffectEvent(onReady);
  const paymentAmount = useEffectEvent(() => centavosToPesos(amount));

  useEffect(() => {
    const container = hole.current;
    if (!container || !apiKey) return;
    let isGone = false;
    setStatus('loading');
    async function mount(into: HTMLElement, key: string) {
      try {
        if (document.prerendering) await untilShown();
        if (isGone) return;
        const Sdk = await loadClipSdk(config.clipSdkUrl, LOAD_TIMEOUT_MS);
        if (isGone) return;
        const element = new Sdk(key).element.create('Card', {
          theme,
          locale: 'es',
          paymentAmount: paymentAmount(),
          terms: { enabled: false },
        });
        await mountFrame(into, LOAD_TIMEOUT_MS, () => element.mount(into.id));
        if (isGone) return;
        setStatus('ready');
        setCard(element);
        report(element);
      } catch (error) {
        if (!isGone) setStatus(problemOf(error));
      }
    }
    void mount(container, apiKey);
    return () => {
      isGone = true;
      setCard(undefined);
      report(undefined);
      // The SDK cannot unmount, and only one element may exist at a time.
      container.replaceChildren();
    };
  }, [apiKey, theme, tries]);
  useEffect(() => card?.setAmount(centavosToPesos(amount)), [card, amount]);

  const isBroken = status === 'blocked' || status === 'unreachable';
  return (
    <div className={styles.hole}>
      {/* Owned by the SDK: React renders nothing inside. */}
      <div id={place} ref={hole} hidden={isBroken} />
      {status === 'loading' && (
        <div className={styles.cover}>
          <Skeleton label={copy.loading}>
            <SkeletonBlock width="third" />
            <SkeletonBlock shape="control" />
            <SkeletonBlock width="half" />
            <SkeletonBlock shape="control" />
            <SkeletonBlock width="third" />
            <SkeletonBlock shape="control" />
          </Skeleton>
        </div>
      )}
      {isBroken && (
        <div className={styles.problem}>
          <Failed {...copy[status]} onRetry={() => setTries((count) => count + 1)} />
        </div>
      )}
    </div>
  );
}

/**
 * The screen's theme, in which the frame is made. It is made again when that changes, until the buyer has been in it:
 * a new frame would lose what they typed.
 */
function useFrameTheme(hole: RefObject<HTMLElement | null>): 'light' | 'dark' {
  const [isDark, setDark] = useState(() => matchMedia(DARK).matches);
  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    const screen = matchMedia(DARK);
    let isTouched = false;
    // Focus that enters a frame leaves the window; the element is known right after.
    const onBlur = () =>
      setTimeout(() => (isTouched ||= hole.current?.contains(document.activeElement) ?? false));
    window.addEventListener('blur', onBlur, { signal });
    screen.addEventListener('change', () => isTouched || setDark(screen.matches), { signal });
    return () => gone.abort();
  }, [hole]);
  return isDark ? 'dark' : 'light';
}
