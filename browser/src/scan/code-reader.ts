import { trustedScriptUrl } from '@aparta/ui/trusted.ts';
import type { CodeAnswer, CodeFormat, CodeQuestion } from './code-worker.ts';
// oxlint-disable-next-line import/default -- Vite makes it: the address of the built worker
import workerUrl from './code-worker.ts?worker&url';

/** A decoder; close it after use. Rejects if it cannot be loaded. */
export type CodeReader = {
  /** The text of a code in the image, if there is one. */
  read(picture: HTMLVideoElement | ImageBitmap): Promise<string | undefined>;
  close(): void;
};

/** The formats as BarcodeDetector names them. */
const NATIVE: Readonly<Record<CodeFormat, string>> = { QRCode: 'qr_code', Code128: 'code_128' };

/** The part of the BarcodeDetector API that we use; some browsers and TypeScript's DOM types lack it. */
type Detector = { detect(picture: CanvasImageSource): Promise<{ rawValue: string }[]> };
type DetectorClass = {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
};

/**
 * Longest side decoded, in pixels: enough for a code that fills a third of the picture, and fast on a cheap
 * phone.
 */
const LONGEST_SIDE = { video: 800, photo: 1600 };

/** The browser's detector if it knows the formats, else a decoder in a worker, loaded now. */
export async function openCodeReader(formats: readonly CodeFormat[]): Promise<CodeReader> {
  const native = await nativeReader(formats);
  if (!native) return workerReader(formats);
  let fallback: CodeReader | undefined;
  return {
    async read(picture) {
      if (fallback) return fallback.read(picture);
      try {
        return await native.read(picture);
      } catch {
        // Some phones expose a detector whose service is missing.
        fallback = workerReader(formats);
        return fallback.read(picture);
      }
    },
    close: () => fallback?.close(),
  };
}

/** The text of the code in a photo, or undefined. Rejects with TypeError if it is not an image. */
export async function readFromPhoto(
  photo: Blob,
  formats: readonly CodeFormat[],
): Promise<string | undefined> {
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(photo);
  } catch (cause) {
    throw new TypeError('not a picture that this browser can open', { cause });
  }
  try {
    const text = await (await nativeReader(formats))?.read(picture).catch(() => undefined);
    if (text !== undefined) return text;
    const reader = workerReader(formats);
    try {
      return await reader.read(picture);
    } finally {
      reader.close();
    }
  } finally {
    picture.close();
  }
}

async function nativeReader(wanted: readonly CodeFormat[]): Promise<Pick<CodeReader, 'read'> | undefined> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };
  const formats = await BarcodeDetector?.getSupportedFormats().catch((): string[] => []);
  if (!BarcodeDetector || !wanted.every((format) => formats?.includes(NATIVE[format]))) return undefined;
  const detector = new BarcodeDetector({ formats: wanted.map((format) => NATIVE[format]) });
  return { read: async (picture) => (await detector.detect(picture))[0]?.rawValue || undefined };
}

/** Who asked the worker. */
interface Waiting {
  readonly resolve: (text: string | undefined) => void;
  readonly reject: (error: Error) => void;
}

function workerReader(formats: readonly CodeFormat[]): CodeReader {
  const worker = new Worker(trustedScriptUrl(workerUrl), { type: 'module' });
  const canvas = document.createElement('canvas');
  const waiting = new Map<number, Waiting>();
  let asked = 0;

  const failAll = () => {
    for (const { reject } of waiting.values()) reject(new Error('the decoder could not be loaded'));
    waiting.clear();
  };
  worker.addEventListener('error', failAll);
  worker.addEventListener('message', ({ data }: MessageEvent<CodeAnswer>) => {
    const answer = waiting.get(data.id);
    waiting.delete(data.id);
    if ('failed' in data) answer?.reject(new Error('the decoder failed'));
    else answer?.resolve(data.text);
  });

  return {
    read(picture) {
      return new Promise((resolve, reject) => {
        const question: CodeQuestion = { id: (asked += 1), formats, ...pixelsOf(picture, canvas) };
        waiting.set(question.id, { resolve, reject });
        worker.postMessage(question, [question.pixels]);
      });
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
): Omit<CodeQuestion, 'id' | 'formats'> {
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
