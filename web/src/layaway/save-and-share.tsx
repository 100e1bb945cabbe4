import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { inGroups } from '../ui/code.tsx';
import { download } from '../ui/download.ts';
import { Notice } from '../ui/notice.tsx';
import { layawayCopy } from './copy.ts';
import type { Reference } from './queries.ts';
import text from '../ui/text.module.css';

const copy = layawayCopy.payment;

/**
 * 'Guardar referencia' (§2) and, where the device can, sharing the same picture. It is drawn when it is asked
 * for.
 */
export function SaveAndShare({ reference }: { reference: Reference }) {
  const [busy, setBusy] = useState<'save' | 'share'>();
  const [saved, setSaved] = useState<string>();
  const [problem, setProblem] = useState<string>();

  async function act(what: 'save' | 'share', failed: string, give: (picture: File) => Promise<void>) {
    setBusy(what);
    setSaved(undefined);
    setProblem(undefined);
    try {
      const { pictureOf } = await import('./reference-picture.ts');
      await give(await pictureOf(reference));
    } catch (error) {
      // Closing the share sheet is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setProblem(failed);
    } finally {
      setBusy(undefined);
    }
  }

  const save = () =>
    act('save', copy.saveFailed, async (picture) => {
      download(picture);
      setSaved(copy.saved(picture.name));
    });
  const share = () =>
    act('share', copy.shareFailed, (picture) => {
      const { productName, paymentReference, tillTotal, expiresAt } = reference;
      const words = copy.shareText(productName, inGroups(paymentReference), tillTotal, expiresAt);
      const whole = { files: [picture], title: picture.name, text: words };
      return navigator.share(navigator.canShare?.(whole) ? whole : { text: words });
    });

  return (
    <div className={text.tight}>
      <div className={text.pair}>
        <Button icon="save" busy={busy === 'save' ? copy.saving : undefined} onClick={() => void save()}>
          {copy.save}
        </Button>
        {'share' in navigator && (
          <Button
            icon="share"
            busy={busy === 'share' ? copy.sharing : undefined}
            onClick={() => void share()}
          >
            {copy.share}
          </Button>
        )}
      </div>
      <p role="status" className={`${text.muted} ${text.small}`}>
        {saved}
      </p>
      {problem && <Notice tone="late" title={problem} urgent />}
    </div>
  );
}
