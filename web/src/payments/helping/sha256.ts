const K = new Int32Array(64);
const START = new Int32Array(8);
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

const words = new Int32Array(64);
const at = (list: Int32Array, index: number) => list[index] as number;
const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/**
 * SHA-256 of bytes that begin alike: the blocks that are the same for all are mixed once. Each hash is good until the next.
 *
 * Hashes at once: `crypto.subtle` answers each of thousands by a promise, tens of times slower, and only on secure pages.
 */
export function sha256After(beginning: Uint8Array): (rest: Uint8Array) => Uint8Array {
  const mixed = beginning.length - (beginning.length % BLOCK);
  const tail = beginning.subarray(mixed);
  const known = START.slice();
  mixAll(known, beginning.subarray(0, mixed));
  const hash = new Uint8Array(32);
  const written = new DataView(hash.buffer);
  return (rest) => {
    const length = tail.length + rest.length;
    const padded = new Uint8Array(Math.ceil((length + 9) / BLOCK) * BLOCK);
    padded.set(tail);
    padded.set(rest, tail.length);
    padded[length] = 0x80;
    new DataView(padded.buffer).setUint32(padded.length - 4, (mixed + length) * 8);
    const state = known.slice();
    mixAll(state, padded);
    for (let index = 0; index < 8; index += 1) written.setInt32(index * 4, at(state, index));
    return hash;
  };
}

const BLOCK = 64;

function mixAll(state: Int32Array, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let offset = 0; offset < bytes.length; offset += BLOCK) mix(state, view, offset);
}

/** Int32 throughout, and no arrays or callbacks: what leaves small integers costs twice the time. */
function mix(state: Int32Array, view: DataView, offset: number): void {
  for (let index = 0; index < 16; index += 1) words[index] = view.getInt32(offset + index * 4);
  for (let index = 16; index < 64; index += 1) {
    const early = at(words, index - 15);
    const late = at(words, index - 2);
    const small = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const other = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[index] = at(words, index - 16) + small + at(words, index - 7) + other;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    const big = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + big + ((e & f) ^ (~e & g)) + at(K, index) + at(words, index)) | 0;
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0] = at(state, 0) + a;
  state[1] = at(state, 1) + b;
  state[2] = at(state, 2) + c;
  state[3] = at(state, 3) + d;
  state[4] = at(state, 4) + e;
  state[5] = at(state, 5) + f;
  state[6] = at(state, 6) + g;
  state[7] = at(state, 7) + h;
}
