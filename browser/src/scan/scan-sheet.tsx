import { Button } from '@aparta/ui/button.tsx';
import { uiCopy } from '@aparta/ui/copy.ts';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useEffect, useRef, useState } from 'react';
import { CameraError, closeCamera, hasTorch, openCamera, switchTorch, type CameraProblem } from './camera.ts';
import { PhotoButton } from './photo-button.tsx';
import { openCodeReader, type CodeReader } from './code-reader.ts';
import type { CodeFormat } from './code-worker.ts';
import type { ScanTexts } from './scan-texts.ts';
import styles from './scan-sheet.module.css';

/** Five scans a second feel instant and spare the battery. */
const SCAN_EVERY_MS = 200;

/**
 * Scans for a code with the camera and calls `onFound` once with its text. The camera stops when the sheet
 * closes.
 */
export default function ScanSheet({
  texts,
  formats,
  onFound,
  onClose,
}: {
  texts: ScanTexts;
  /** Must not change while it is open. */
  formats: readonly CodeFormat[];
  onFound: (text: string) => void;
  onClose: () => void;
}) {
  const video = useRef<HTMLVideoElement>(null);
  const found = useRef(onFound);
  useEffect(() => {
    found.current = onFound;
  }, [onFound]);
  const [attempt, setAttempt] = useState(0);
  const [stream, setStream] = useState<MediaStream>();
  const [problem, setProblem] = useState<CameraProblem | 'reader'>();
  const [photoProblem, setPhotoProblem] = useState<string>();

  useEffect(() => {
    const closed = new AbortController();
    scan(video, formats, closed.signal, setStream).then(
      (read) => {
        if (read === undefined) return;
        navigator.vibrate?.(60);
        found.current(read);
      },
      (error: unknown) => {
        if (closed.signal.aborted) return;
        setStream(undefined);
        setProblem(error instanceof CameraError ? error.problem : 'reader');
      },
    );
    return () => closed.abort();
  }, [attempt, formats]);

  function retry() {
    setProblem(undefined);
    setAttempt(attempt + 1);
  }

  return (
    <Sheet title={texts.title} onClose={onClose}>
      {/* One box for both, and two lines below it, so that the sheet keeps its size. */}
      <div
        className={styles.finder}
        data-live={(!problem && stream !== undefined) || undefined}
        data-problem={problem}
      >
        {problem ? (
          <Notice tone="pending" title={texts.problems[problem].title} urgent>
            {texts.problems[problem].text}
          </Notice>
        ) : (
          <video ref={video} muted playsInline aria-label={texts.video} />
        )}
      </div>
      <div className={text.tight}>
        <p role="status" className={styles.status}>
          {problem ? '' : stream ? texts.scanning : texts.starting}
        </p>
        {stream && !hasTorch(stream) && <p className={`${text.muted} ${text.small}`}>{texts.light}</p>}
      </div>
      {photoProblem && <Notice tone="danger" title={photoProblem} urgent />}
      <div className={text.pair}>
        {stream && hasTorch(stream) && <Torch texts={texts} stream={stream} />}
        {(problem === 'busy' || problem === 'reader') && (
          <Button icon="retry" onClick={retry}>
            {uiCopy.retry}
          </Button>
        )}
        <PhotoButton texts={texts} formats={formats} onRead={onFound} onProblem={setPhotoProblem} />
      </div>
    </Sheet>
  );
}

function Torch({ texts, stream }: { texts: ScanTexts; stream: MediaStream }) {
  const [on, setOn] = useState(false);
  return (
    <Button
      onClick={() =>
        void switchTorch(stream, !on).then(
          () => setOn(!on),
          () => {},
        )
      }
    >
      {on ? texts.torchOff : texts.torchOn}
    </Button>
  );
}

/**
 * Runs until a code is read, or until `closed` (undefined). Rejects with CameraError, or if there is no
 * decoder.
 */
async function scan(
  video: { readonly current: HTMLVideoElement | null },
  formats: readonly CodeFormat[],
  closed: AbortSignal,
  onLive: (stream: MediaStream) => void,
): Promise<string | undefined> {
  const stream = await openCamera();
  let reader: CodeReader | undefined;
  try {
    const picture = video.current;
    if (closed.aborted || !picture) return undefined;
    picture.srcObject = stream;
    // Rejects if the sheet closes during start-up.
    await picture.play().catch(() => {});
    if (closed.aborted) return undefined;
    onLive(stream);
    reader = await openCodeReader(formats);
    while (!closed.aborted) {
      const read = picture.videoWidth > 0 ? await reader.read(picture) : undefined;
      if (read !== undefined && !closed.aborted) return read;
      await new Promise((resolve) => setTimeout(resolve, SCAN_EVERY_MS));
    }
    return undefined;
  } finally {
    closeCamera(stream);
    reader?.close();
  }
}
