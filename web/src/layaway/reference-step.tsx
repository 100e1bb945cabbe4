import { buildLayawayReference, parseLayawayReference } from '@aparta/domain/layaway-reference';
import { useAlert } from '@aparta/ui/alert.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Drawing } from '@aparta/ui/drawing.tsx';
import reserve from '@aparta/ui/drawings/reserve.svg?raw';
import { Notice } from '@aparta/ui/notice.tsx';
import { PageHead } from '@aparta/ui/page.tsx';
import { Steps } from '@aparta/ui/steps.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useState, type ComponentType } from 'react';
import { useNavigate } from 'react-router';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { alertOf } from '../copy/refusals.ts';
import { merchantQuery, productQuery } from '../data/merchants.ts';
import { reference } from '../session/reference.ts';
import { layawayCopy } from './copy.ts';
import { PasteField } from './paste-field.tsx';
import { PhotoButton } from './scan/photo-button.tsx';
import styles from './reference-step.module.css';

const copy = layawayCopy.reference;

/** Spec §9. */
const GOES_ON_AFTER_MS = 1000;

type Sheet = ComponentType<{ onFound: (text: string) => void; onClose: () => void }>;

/**
 * Spec §2, step 1: the reference, pasted, scanned or from a link. `onNext` is called once a valid one is saved.
 */
export function ReferenceStep({ goesOnByItself, onNext }: { goesOnByItself: boolean; onNext: () => void }) {
  useArrival(copy.title, config.productName);
  const navigate = useNavigate();
  const showAlert = useAlert();
  const queries = useQueryClient();
  const form = useId();
  const [pasted, setPasted] = useState(() => clean(reference.current()));
  const [goesOn, setGoesOn] = useState(goesOnByItself && pasted !== '');
  const [problem, setProblem] = useState<string>();
  const [opening, setOpening] = useState(false);
  const [ScanSheet, setScanSheet] = useState<Sheet>();

  /** Spec §5: an empty field leads to the purchases; an invalid reference shows an alert. */
  async function next(said: string) {
    setGoesOn(false);
    const parsed = parseLayawayReference(said);
    if (parsed.ok) {
      reference.save(buildLayawayReference(parsed.value), true);
      onNext();
    } else if (parsed.problem === 'empty') {
      await navigate(paths.purchases);
    } else {
      await showAlert(alertOf('NOT_A_LAYAWAY'));
    }
  }

  function take(said: string) {
    setGoesOn(false);
    setProblem(undefined);
    setPasted(clean(said));
  }

  /** After a scan the next step follows at once. */
  function takeScan(said: string) {
    setScanSheet(undefined);
    take(said);
    void next(said);
  }

  async function openScanner() {
    setGoesOn(false);
    setProblem(undefined);
    setOpening(true);
    try {
      const sheet = await import('./scan/scan-sheet.tsx');
      setScanSheet(() => sheet.default);
    } catch {
      const { title, text: advice } = layawayCopy.scan.problems.reader;
      setProblem(`${title} ${advice}`);
    } finally {
      setOpening(false);
    }
  }

  async function paste() {
    setGoesOn(false);
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

  const goOn = useEffectEvent(() => void next(pasted));
  useEffect(() => {
    if (!goesOn) return;
    const timer = setTimeout(goOn, GOES_ON_AFTER_MS);
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
      <form
        id={form}
        className={text.stack}
        onSubmit={(event) => {
          event.preventDefault();
          void next(pasted);
        }}
      >
        <div className={`${text.card} ${styles.scan}`}>
          <Drawing svg={reserve} className={styles.art} />
          <div className={styles.choices}>
            <Button
              variant={empty ? 'primary' : 'secondary'}
              icon="qr"
              wide
              busy={opening ? copy.scanOpening : undefined}
              onClick={() => void openScanner()}
            >
              {copy.scan}
            </Button>
            <PhotoButton onRead={takeScan} onProblem={setProblem} />
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
          {goesOn ? copy.goingOn : empty ? copy.withoutReference : ''}
        </p>
      </form>
      <StickyFooter>
        <Button type="submit" form={form} variant={empty ? 'secondary' : 'primary'} wide>
          {layawayCopy.next}
        </Button>
      </StickyFooter>
      {ScanSheet && <ScanSheet onFound={takeScan} onClose={() => setScanSheet(undefined)} />}
    </>
  );
}

/** Spec §5: the text 'null' counts as empty. */
function clean(said: string | undefined): string {
  const trimmed = said?.trim() ?? '';
  return trimmed === 'null' ? '' : trimmed;
}
