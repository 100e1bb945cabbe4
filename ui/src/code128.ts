import encoder from 'jsbarcode/bin/barcodes/CODE128/CODE128_AUTO.js';

// CommonJS: bundler and test runner disagree about the default export.
const Code128 = 'default' in encoder ? encoder.default : encoder;

/** A run of dark modules: where it starts and how many it covers. */
export type Bar = { x: number; width: number };

/** Quiet zone on each side, in modules. */
export const QUIET_MODULES = 10;

/**
 * Encodes a text in Code 128; `x` and widths are in modules, and `modules` includes the quiet zones. Throws
 * RangeError for text that Code 128 cannot carry (empty, over 80 characters, or beyond ASCII).
 */
export function code128(text: string): { modules: number; bars: Bar[] } {
  if (!/^[\u0020-\u007e]{1,80}$/.test(text)) throw new RangeError('not a text for Code 128');
  const { data } = new Code128(text, {}).encode();
  const bars = [...data.matchAll(/1+/g)].map((run) => ({
    x: run.index + QUIET_MODULES,
    width: run[0].length,
  }));
  return { modules: data.length + 2 * QUIET_MODULES, bars };
}
