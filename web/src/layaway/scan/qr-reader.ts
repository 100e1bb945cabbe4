import { trustedScriptUrl } from '@aparta/ui/trusted.ts';
import type { QrAnswer, QrQuestion } from './qr-worker.ts';
// oxlint-disable-next-line import/default -- Vite makes it: the address of the built worker
import workerUrl from './qr-worker.ts?worker&url';

/** A QR decoder; close it after use. Rejects if it cannot be loaded. */
export type QrReader = {
  /** The text of a QR in the image, if there is one. */
  read(picture: HTMLVideoElement | ImageBitmap): Promise<string | undefined>;
  close(): void;
};

/** The part of the BarcodeDetector API that we use; some browsers and TypeScript's DOM types lack it. */
type Detector = { detect(picture: CanvasImageSource): Promise<{ rawValue: string }[]> };
type DetectorClass = {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
};

/**
 * Longest side decoded, in pixels: enough for a QR that fills a third of the picture, and fast on a cheap
 * phone.
 */
const LONGEST_SIDE = { video: 800, photo: 1600 };

/** The browser's detector if it supports QR, else a decoder in a worker, loaded now. */
export async function openQrReader(): Promise<QrReader> {
  const native = await nativeReader();
  if (!native) return workerReader();
  let fallback: QrReader | undefined;
  return {
    async read(picture) {
      if (fallback) return fallback.read(picture);
      try {
        return await native.read(picture);
      } catch {
        // Some phones expose a detector whose service is missing.
        fallback = workerReader();
        return fallback.read(picture);
      }
    },
    close: () => fallback?.close(),
  };
}

/** The text of the QR in a photo, or undefined. Rejects with TypeError if it is not an image. */
export async function readQrFromPhoto(photo: Blob): Promise<string | undefined> {
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(photo);
  } catch (cause) {
    throw new TypeError('not a picture that this browser can open', { cause });
  }
  try {
    const text = await (await nativeReader())?.read(picture).catch(() => undefined);
    if (text !== undefined) return text;
    const reader = workerReader();
    try {
      return await reader.read(picture);
    } finally {
      reader.close();
    }
  } finally {
    picture.close();
  }
}

async function nativeReader(): Promise<Pick<QrReader, 'read'> | undefined> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };
  const formats = await BarcodeDetector?.getSupportedFormats().catch((): string[] => []);
  if (!BarcodeDetector || !formats?.includes('qr_code')) return undefined;
  const detector = new BarcodeDetector({ formats: ['qr_code'] });
  return { read: async (picture) => (await detector.detect(picture))[0]?.rawValue || undefined };
}

function workerReader(): QrReader {
  const worker = new Worker(trustedScriptUrl(workerUrl), { type: 'module' });
  const canvas = document.createElement('canvas');
  const waiting = new Map<number, PromiseWithResolvers<string | undefined>>();
  let asked = 0;

  const failAll = () => {
    for (const { reject } of waiting.values()) reject(new Error('the QR decoder could not be loaded'));
    waiting.clear();
  };
  worker.addEventListener('error', failAll);
  worker.addEventListener('message', ({ data }: MessageEvent<QrAnswer>) => {
    const answer = waiting.get(data.id);
    waiting.delete(data.id);
    if ('failed' in data) answer?.reject(new Error('the QR decoder failed'));
    else answer?.resolve(data.text);
  });

  return {
    read(picture) {
      const answer = Promise.withResolvers<string | undefined>();
      const question: QrQuestion = { id: (asked += 1), ...pixelsOf(picture, canvas) };
      waiting.set(question.id, answer);
      worker.postMessage(question, [question.pixels]);
      return answer.promise;
    },
    close() {
      worker.terminate();
      failAll();
    },
  };
}

function pixelsOf(
  picture: HTMLVideoElement | ImageBitmap,
  canvas: HTMLCanvasElement,
): Omit<QrQuestion, 'id'> {
  const isVideo = picture instanceof HTMLVideoElement;
  const [wide, high] = isVideo ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height];
  const scale = Math.min(1, (isVideo ? LONGEST_SIDE.video : LONGEST_SIDE.photo) / Math.max(wide, high));
  canvas.width = Math.max(1, Math.round(wide * scale));
  canvas.height = Math.max(1, Math.round(high * scale));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const { width, height, data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return { width, height, pixels: data.buffer };
}
