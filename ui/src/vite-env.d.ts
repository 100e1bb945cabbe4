/// <reference types="vite/client" />

// The package only ships types for the whole; importing this one encoder keeps the other symbologies out of
// the bundle.
declare module 'jsbarcode/bin/barcodes/CODE128/CODE128_AUTO.js' {
  class Code128 {
    constructor(text: string, options: Record<string, never>);
    /** `data` is one digit per module: 1 is a bar, 0 a space. */
    encode(): { data: string; text: string };
  }
  const encoder: typeof Code128 | { default: typeof Code128 };
  export default encoder;
}
