import { Button } from '@aparta/ui/button.tsx';
import { uiCopy } from '@aparta/ui/copy.ts';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useEffect, useRef, useState } from 'react';
import { CameraError, closeCamera, hasTorch, openCamera, switchTorch, type CameraProblem } from './camera.ts';
import { layawayCopy } from '../copy.ts';
import { PhotoButton } from './photo-button.tsx';
import { openQrReader, type QrReader } from './qr-reader.ts';
import styles from './scan-sheet.module.css';

const copy = layawayCopy.scan;

/** Five scans a second feel instant and spare the battery. */
const SCAN_EVERY_MS = 200;

/**
 * Scans for a QR with the camera and calls `onFound` once with its text. The camera stops when the sheet
 * closes.
 */
export default function ScanSheet({
  onFound,
  onClose,
}: {
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
    scan(video, closed.signal, setStream).then(
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
  }, [attempt]);

  function retry() {
    setProblem(undefined);
    setAttempt(attempt + 1);
  }

  return (
    <Sheet title={copy.title} onClose={onClose}>
      {/* One box for both, and a line below it, so that the sheet keeps its size. */}
      <div
        className={styles.finder}
        data-live={(!problem && stream !== undefined) || undefined}
        data-problem={problem}
      >
        {problem ? (
          <Notice tone="pending" title={copy.problems[problem].title} urgent>
            {copy.problems[problem].text}
          </Notice>
        ) : (
          <video ref={video} muted playsInline aria-label={copy.video} />
        )}
      </div>
      <div className={text.tight}>
        <p role="status">{problem ? '\u00a0' : stream ? copy.scanning : copy.starting}</p>
        {stream && !hasTorch(stream) && <p className={`${text.muted} ${text.small}`}>{copy.light}</p>}
      </div>
      {photoProblem && <Notice tone="danger" title={photoProblem} urgent />}
      <div className={text.pair}>
        {stream && hasTorch(stream) && <Torch stream={stream} />}
        {(problem === 'busy' || problem === 'reader') && (
          <Button icon="retry" onClick={retry}>
            {uiCopy.retry}
          </Button>
        )}
        <PhotoButton onRead={onFound} onProblem={setPhotoProblem} />
      </div>
    </Sheet>
  );
}

function Torch({ stream }: { stream: MediaStream }) {
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
      {on ? copy.torchOff : copy.torchOn}
    </Button>
  );
}

/**
 * Runs until a QR is read, or until `closed` (undefined). Rejects with CameraError, or if there is no
 * decoder.
 */
async function scan(
  video: { readonly current: HTMLVideoElement | null },
  closed: AbortSignal,
  onLive: (stream: MediaStream) => void,
): Promise<string | undefined> {
  const stream = await openCamera();
  let reader: QrReader | undefined;
  try {
    const picture = video.current;
    if (closed.aborted || !picture) return undefined;
    picture.srcObject = stream;
    // Rejects if the sheet closes during start-up.
    await picture.play().catch(() => {});
    if (closed.aborted) return undefined;
    onLive(stream);
    reader = await openQrReader();
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
