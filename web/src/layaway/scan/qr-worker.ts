// A separate file, because only its own response headers allow WebAssembly; the document's policy does not.
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

export type QrQuestion = { id: number; width: number; height: number; pixels: ArrayBuffer };
export type QrAnswer = { id: number; text: string | undefined } | { id: number; failed: true };

prepareZXingModule({ overrides: { locateFile: () => wasmUrl } });

addEventListener('message', ({ data }: MessageEvent<QrQuestion>) => {
  void read(data).then((answer) => postMessage(answer));
});

async function read({ id, width, height, pixels }: QrQuestion): Promise<QrAnswer> {
  try {
    const image = new ImageData(new Uint8ClampedArray(pixels), width, height);
    const [found] = await readBarcodes(image, {
      formats: ['QRCode'],
      maxNumberOfSymbols: 1,
      tryHarder: true,
    });
    return { id, text: found?.text || undefined };
  } catch {
    return { id, failed: true };
  }
}
