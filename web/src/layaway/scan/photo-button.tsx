import { Button } from '@aparta/ui/button.tsx';
import { useRef, useState } from 'react';
import { layawayCopy } from '../copy.ts';

/** Reads a QR from a photo. The decoder is loaded once a photo is chosen. */
export function PhotoButton({
  onRead,
  onProblem,
}: {
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
      const { readQrFromPhoto } = await import('./qr-reader.ts');
      const found = await readQrFromPhoto(photo);
      if (found === undefined) onProblem(layawayCopy.scan.noQr);
      else onRead(found);
    } catch (error) {
      const { title, text } = layawayCopy.scan.problems.reader;
      onProblem(error instanceof TypeError && error.cause ? layawayCopy.scan.noPhoto : `${title} ${text}`);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button
        icon="photo"
        busy={busy ? layawayCopy.reference.photoBusy : undefined}
        onClick={() => input.current?.click()}
      >
        {layawayCopy.reference.photo}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={layawayCopy.reference.photo}
        onChange={(event) => {
          const photo = event.target.files?.[0];
          // Reset, so that choosing the same photo again fires a change.
          if (photo) void read(photo).finally(() => input.current && (input.current.value = ''));
        }}
      />
    </>
  );
}
