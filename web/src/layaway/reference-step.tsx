import '@aparta/ui/capture-icons.ts';
import { buildLayawayReference, parseLayawayReference } from '@aparta/domain/layaway-reference';
import { Button } from '@aparta/ui/button.tsx';
import { Drawing } from '@aparta/ui/drawing.tsx';
import reserve from '@aparta/ui/drawings/reserve.svg?raw';
import { Form, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { PageHead } from '@aparta/ui/page.tsx';
import { Steps } from '@aparta/ui/steps.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { badReference } from '../copy/alerts.ts';
import { alertFor } from '@aparta/browser/copy.ts';
import { reference } from '../session/reference.ts';
import { layawayCopy } from './copy.ts';
import { referenceCopy } from './reference-copy.ts';
import { PasteField } from './paste-field.tsx';
import type ScanSheetPart from '@aparta/browser/scan/scan-sheet.tsx';
import { PhotoButton } from '@aparta/browser/scan/photo-button.tsx';
import { merchantQuery, productQuery } from '../data/merchants.ts';
import styles from './reference-step.module.css';

const copy = referenceCopy.reference;

/** Spec §9. */
const GOES_ON_AFTER_MS = 1000;

/** What a product's label bears. */
const QR = ['QRCode'] as const;

type Sheet = typeof ScanSheetPart;

/**
 * Spec §2, step 1: the reference, pasted, scanned or from a link. `onNext` is called once a valid one is saved and `loadNext` has
 * ended.
 */
export function ReferenceStep({
  goesOnByItself,
  loadNext,
  onNext,
}: {
  goesOnByItself: boolean;
  loadNext: () => Promise<unknown>;
  onNext: () => void;
}) {
  useArrival(copy.title, config.productName);
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const id = useId();
  const [pasted, setPasted] = useState(kept);
  /** Goes on by itself: in a moment, or with what was just scanned. */
  const [goesOn, setGoesOn] = useState<'soon' | 'now' | undefined>(
    goesOnByItself && pasted !== '' ? 'soon' : undefined,
  );
  const [problem, setProblem] = useState<string>();
  const [opening, setOpening] = useState(false);
  const [ScanSheet, setScanSheet] = useState<Sheet>();

  const form = useSubmit({
    /** Spec §5: an empty field leads to the purchases; an invalid reference shows an alert. */
    async send(_typed, isHere) {
      setGoesOn(undefined);
      const parsed = parseLayawayReference(pasted);
      if (parsed.ok) {
        reference.save(buildLayawayReference(parsed.value), true);
        // The next step itself says what failed.
        await loadNext().catch(() => {});
        if (isHere()) onNext();
        return 'leaving';
      }
      if (parsed.problem !== 'empty') return { alert: badReference(parsed.problem) };
      navigate(paths.purchases);
      return 'leaving';
    },
    refuse: (error) => ({ alert: alertFor(error) }),
  });

  function take(said: string) {
    setGoesOn(undefined);
    setProblem(undefined);
    setPasted(clean(said));
  }

  /** After a scan the next step follows at once. */
  function takeScan(said: string) {
    setScanSheet(undefined);
    take(said);
    setGoesOn('now');
  }

  async function openScanner() {
    setGoesOn(undefined);
    setProblem(undefined);
    setOpening(true);
    try {
      const sheet = await import('@aparta/browser/scan/scan-sheet.tsx');
      setScanSheet(() => sheet.default);
    } catch {
      const { title, text: advice } = referenceCopy.scan.problems.reader;
      setProblem(`${title} ${advice}`);
    } finally {
      setOpening(false);
    }
  }

  async function paste() {
    setGoesOn(undefined);
    setProblem(undefined);
    try {
      // Missing outside HTTPS and refused by some browsers; a long press still pastes.
      const said = (await navigator.clipboard.readText()).trim();
      if (said === '') setProblem(copy.pasteEmpty);
      else take(said);
    } catch {
      setProblem(copy.pasteRefused);
    }
  }

  const goOn = useEffectEvent(() => void form.submit());
  useEffect(() => {
    if (!goesOn) return;
    const timer = setTimeout(goOn, goesOn === 'now' ? 0 : GOES_ON_AFTER_MS);
    return () => clearTimeout(timer);
  }, [goesOn]);

  useEffect(() => {
    const parsed = parseLayawayReference(pasted);
    if (!parsed.ok) return;
    void queries.prefetchQuery(merchantQuery(parsed.value.businessId));
    void queries.prefetchQuery(productQuery(parsed.value.productId));
  }, [pasted, queries]);

  const empty = pasted === '';
  return (
    <>
      <Steps names={layawayCopy.steps} current={1} />
      <PageHead title={copy.title}>{copy.intro}</PageHead>
      <Form of={form} id={id} className={text.stack}>
        <div className={`${text.card} ${styles.scan}`}>
          <Drawing svg={reserve} className={styles.art} />
          <div className={styles.choices}>
            <Button
              variant={empty ? 'primary' : 'secondary'}
              icon="qr"
              wide
              busy={opening ? copy.opening : undefined}
              onClick={() => void openScanner()}
            >
              {copy.scan}
            </Button>
            <PhotoButton texts={referenceCopy.scan} formats={QR} onRead={takeScan} onProblem={setProblem} />
          </div>
        </div>
        <div className={text.tight}>
          <PasteField value={pasted} onPasted={take} />
          <Button icon="paste" onClick={() => void paste()}>
            {copy.paste}
          </Button>
        </div>
        {problem && <Notice tone="pending" title={problem} urgent />}
        <p role="status" className={styles.status}>
          {goesOn === 'soon' ? copy.goingOn : empty ? copy.withoutReference : ''}
        </p>
      </Form>
      <StickyFooter>
        <Button {...form.button(copy.opening)} form={id} variant={empty ? 'secondary' : 'primary'} wide>
          {layawayCopy.next}
        </Button>
      </StickyFooter>
      {ScanSheet && (
        <ScanSheet
          texts={referenceCopy.scan}
          formats={QR}
          onFound={takeScan}
          onClose={() => setScanSheet(undefined)}
        />
      )}
    </>
  );
}

/** The saved reference; what cannot be read, as an earlier version may have stored, is none. */
function kept(): string {
  const saved = reference.current() ?? '';
  return parseLayawayReference(saved).ok ? clean(saved) : '';
}

/** Spec §5: the text 'null' counts as empty. */
function clean(said: string | undefined): string {
  const trimmed = said?.trim() ?? '';
  return trimmed === 'null' ? '' : trimmed;
}
