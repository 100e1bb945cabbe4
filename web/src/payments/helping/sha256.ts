const K = new Uint32Array(64);
const START = new Uint32Array(8);
{
  // The first 32 bits of the fractional parts of the primes' cube roots and square roots (FIPS 180-4, 4.2.2 and 5.3.3).
  const fraction = (root: number) => (root - Math.floor(root)) * 2 ** 32;
  let found = 0;
  for (let candidate = 2; found < 64; candidate += 1) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor += 1)
      if (candidate % divisor === 0) isPrime = false;
    if (!isPrime) continue;
    if (found < 8) START[found] = fraction(Math.sqrt(candidate));
    K[found] = fraction(Math.cbrt(candidate));
    found += 1;
  }
}

const words = new Uint32Array(64);
const at = (list: Uint32Array, index: number) => list[index] as number;
const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/**
 * SHA-256 at once: `crypto.subtle` answers each of thousands of hashes by a promise, tens of times slower, and only on secure
 * pages.
 */
export function sha256(bytes: Uint8Array): Uint8Array {
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const padded = new Uint8Array(blocks * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = START.slice();
  for (let block = 0; block < blocks; block += 1) mix(state, view, block * 64);
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => hash.setUint32(index * 4, word));
  return new Uint8Array(hash.buffer);
}

function mix(state: Uint32Array, view: DataView, offset: number): void {
  for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(offset + index * 4);
  for (let index = 16; index < 64; index += 1) {
    const [early, late] = [at(words, index - 15), at(words, index - 2)];
    const small = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const other = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[index] = at(words, index - 16) + small + at(words, index - 7) + other;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    const big = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + big + ((e & f) ^ (~e & g)) + at(K, index) + at(words, index)) | 0;
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    // Not at once: an array for each round would cost a fifth of the time.
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] = at(state, index) + word));
}
