import { useState } from 'react';
import { Button } from './button.tsx';
import { saveAndShareCopy as copy } from './save-and-share-copy.ts';
import { download } from './download.ts';
import { Notice } from './notice.tsx';
import type { ReferencePicture } from './reference-picture.ts';
import text from './text.module.css';

/**
 * 'Guardar referencia' (spec §2), and sharing the same picture with `words` where the device can. The picture is
 * drawn on demand. `main`: saving is the main action of the screen.
 */
export function SaveAndShare({
  picture,
  words,
  main = false,
}: {
  picture: ReferencePicture;
  words: string;
  main?: boolean;
}) {
  const [busy, setBusy] = useState<'save' | 'share'>();
  const [saved, setSaved] = useState<string>();
  const [problem, setProblem] = useState<string>();

  async function act(what: 'save' | 'share', failed: string, give: (file: File) => Promise<void>) {
    setBusy(what);
    setSaved(undefined);
    setProblem(undefined);
    try {
      const { pictureOf } = await import('./reference-picture.ts');
      await give(await pictureOf(picture));
    } catch (error) {
      // Closing the share sheet is not an error.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setProblem(failed);
    } finally {
      setBusy(undefined);
    }
  }

  const save = () =>
    act('save', copy.saveFailed, async (file) => {
      download(file);
      setSaved(copy.saved(file.name));
    });
  const share = () =>
    act('share', copy.shareFailed, (file) => {
      const whole = { files: [file], title: file.name, text: words };
      return navigator.share(navigator.canShare?.(whole) ? whole : { text: words });
    });

  return (
    <div className={text.tight}>
      <div className={text.pair}>
        <Button
          variant={main ? 'primary' : 'secondary'}
          icon="save"
          busy={busy === 'save' ? copy.saving : undefined}
          onClick={() => void save()}
        >
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
      {problem && <Notice tone="danger" title={problem} urgent />}
    </div>
  );
}
