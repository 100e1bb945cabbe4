import '@aparta/ui/capture-icons.ts';
import { Button } from '@aparta/ui/button.tsx';
import { useRef, useState } from 'react';
import type { CodeFormat } from './code-worker.ts';
import type { ScanTexts } from './scan-texts.ts';

/** Reads a code from a photo. The decoder is loaded once a photo is chosen. */
export function PhotoButton({
  texts,
  formats,
  onRead,
  onProblem,
}: {
  texts: ScanTexts;
  formats: readonly CodeFormat[];
  onRead: (text: string) => void;
  /** An error text, or undefined when a new attempt begins. */
  onProblem: (sentence: string | undefined) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);

  async function read(photo: File) {
    setBusy(true);
    onProblem(undefined);
    try {
      const { readFromPhoto } = await import('./code-reader.ts');
      const found = await readFromPhoto(photo, formats);
      if (found === undefined) onProblem(texts.noCode);
      else onRead(found);
    } catch (error) {
      const { title, text } = texts.problems.reader;
      onProblem(error instanceof TypeError && error.cause ? texts.noPhoto : `${title} ${text}`);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button icon="photo" busy={busy ? texts.photoBusy : undefined} onClick={() => input.current?.click()}>
        {texts.photo}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={texts.photo}
        onChange={(event) => {
          const photo = event.target.files?.[0];
          // Reset, so that choosing the same photo again fires a change.
          if (photo) void read(photo).finally(() => input.current && (input.current.value = ''));
        }}
      />
    </>
  );
}
