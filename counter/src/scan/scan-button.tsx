import type ScanSheetPart from '@aparta/browser/scan/scan-sheet.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { useState } from 'react';
import { scanCopy as copy } from './copy.ts';

const FORMATS = ['Code128', 'QRCode'] as const;

/** Opens the camera, and answers what it reads. `problem`: what was wrong with what it read before. */
export function ScanButton({
  text,
  disabled = false,
  problem,
  onOpen,
  onFound,
}: {
  text: string;
  disabled?: boolean;
  problem?: string | undefined;
  onOpen?: () => void;
  onFound: (code: string) => void;
}) {
  const [isOpening, setOpening] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [Sheet, setSheet] = useState<typeof ScanSheetPart>();
  const close = () => setSheet(undefined);
  async function open() {
    setFailure(undefined);
    onOpen?.();
    setOpening(true);
    try {
      const sheet = await import('@aparta/browser/scan/scan-sheet.tsx');
      setSheet(() => sheet.default);
    } catch {
      const { title, text: advice } = copy.texts.problems.reader;
      setFailure(`${title} ${advice}`);
    } finally {
      setOpening(false);
    }
  }
  const said = failure ?? problem;
  return (
    <>
      {said && <Notice tone="pending" title={said} urgent />}
      <Button
        variant="primary"
        icon="qr"
        wide
        busy={isOpening ? copy.opening : undefined}
        disabled={disabled}
        onClick={() => void open()}
      >
        {text}
      </Button>
      {Sheet && (
        <Sheet
          texts={copy.texts}
          formats={FORMATS}
          onFound={(code) => {
            close();
            onFound(code);
          }}
          onClose={close}
        />
      )}
    </>
  );
}
