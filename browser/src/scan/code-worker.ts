// A separate file, because only its own response headers allow WebAssembly; the document's policy does not.
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

export type CodeFormat = 'QRCode' | 'Code128';
export type CodeQuestion = {
  id: number;
  formats: readonly CodeFormat[];
  width: number;
  height: number;
  pixels: ArrayBuffer;
};
export type CodeAnswer = { id: number; text: string | undefined } | { id: number; failed: true };

prepareZXingModule({ overrides: { locateFile: () => wasmUrl } });

addEventListener('message', ({ data }: MessageEvent<CodeQuestion>) => {
  void read(data).then((answer) => postMessage(answer));
});

async function read({ id, formats, width, height, pixels }: CodeQuestion): Promise<CodeAnswer> {
  try {
    const image = new ImageData(new Uint8ClampedArray(pixels), width, height);
    const [found] = await readBarcodes(image, {
      formats: [...formats],
      maxNumberOfSymbols: 1,
      tryHarder: true,
    });
    return { id, text: found?.text || undefined };
  } catch {
    return { id, failed: true };
  }
}
