import encoder from 'jsbarcode/bin/barcodes/CODE128/CODE128_AUTO.js';

// CommonJS: runtimes disagree about the default export.
const Code128 = 'default' in encoder ? encoder.default : encoder;

/** Pixels of a module, of the height, and modules of quiet at each side. */
const MODULE = 3;
const HIGH = 120;
const QUIET = 10;

/** A text of digits as a Code 128 bar code, in PNG. */
export async function barCodePicture(text: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const quiet = '0'.repeat(QUIET);
  const modules = [...`${quiet}${new Code128(text, {}).encode().data}${quiet}`];
  const row = Buffer.from(modules.map((module) => (module === '1' ? 0 : 255)));
  const raw = { width: row.length, height: 1, channels: 1 } as const;
  return sharp(row, { raw })
    .resize(row.length * MODULE, HIGH, { kernel: 'nearest', fit: 'fill' })
    .png({ palette: true })
    .toBuffer();
}
