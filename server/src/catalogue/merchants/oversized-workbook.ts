import { inflateRawSync } from 'node:zlib';

const LOCAL_HEADER = Buffer.from('504b0304', 'hex');
const HEADER_BYTES = 30;
const DEFLATED = 8;
/** Three times what 20,000 rows with long descriptions take. */
const MOST_UNPACKED = 50 * 1024 * 1024;
/** 20,000 rows of 50 columns. */
const MOST_CELLS = 1_000_000;

/**
 * Whether a workbook holds more than a product file can: some kilobytes unpack to gigabytes, and one cell far down and to the
 * right makes a table of millions. Every header in the bytes is followed, whatever the archive's own list says.
 */
export function isOversized(xlsx: Buffer): boolean {
  if (cellsOf(xlsx) > MOST_CELLS) return true; // parts that are not packed
  try {
    for (const { bytes, isPacked } of partsOf(xlsx)) if (isPacked && cellsOf(bytes) > MOST_CELLS) return true;
  } catch (error) {
    if (error instanceof TooMuch) return true;
    throw error;
  }
  return false;
}

/** The parts unpack to more than a product file may hold. */
class TooMuch extends Error {}

interface Part {
  readonly name: string;
  readonly bytes: Buffer;
  readonly isPacked: boolean;
}

/** The parts of a workbook, by every header in its bytes. Throws where they unpack to too much. */
export function* partsOf(xlsx: Buffer): Generator<Part> {
  let left = MOST_UNPACKED;
  for (let at = xlsx.indexOf(LOCAL_HEADER); at >= 0; at = xlsx.indexOf(LOCAL_HEADER, at + 4)) {
    if (at + HEADER_BYTES > xlsx.length) continue;
    const isPacked = xlsx.readUInt16LE(at + 8) === DEFLATED;
    const named = at + HEADER_BYTES + xlsx.readUInt16LE(at + 26);
    const begins = named + xlsx.readUInt16LE(at + 28);
    const bytes = isPacked
      ? unpacked(xlsx.subarray(begins), left)
      : xlsx.subarray(begins, begins + xlsx.readUInt32LE(at + 18));
    if (bytes === undefined) throw new TooMuch();
    left -= isPacked ? bytes.length : 0;
    if (left <= 0) throw new TooMuch();
    yield { name: xlsx.toString('utf8', at + HEADER_BYTES, named), bytes, isPacked };
  }
}

/** Undefined for more than `most` bytes; nothing where no packed part begins. */
function unpacked(bytes: Buffer, most: number): Buffer | undefined {
  try {
    return inflateRawSync(bytes, { maxOutputLength: most });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? undefined : Buffer.alloc(0);
  }
}

/** How many cells a table has that reaches as far as the farthest cell or row that a part names. */
function cellsOf(part: Buffer): number {
  let columns = 1;
  let rows = 1;
  for (const [, columnName = '', row] of part
    .toString('latin1')
    .matchAll(/\br\s*=\s*["']([A-Z]{0,3})(\d{1,7})["']/g)) {
    const column = [...columnName].reduce((sum, char) => sum * 26 + char.charCodeAt(0) - 64, 0);
    columns = Math.max(columns, column);
    rows = Math.max(rows, Number(row));
  }
  return columns * rows;
}
