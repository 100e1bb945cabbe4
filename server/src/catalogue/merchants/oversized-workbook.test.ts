import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readProductFile } from './read-product-file.ts';
import { isOversized } from './oversized-workbook.ts';

/** An archive's one part, without the list at its end, which no reader has to believe. */
function archive(part: string | Buffer, { isPacked = true } = {}): Buffer {
  const header = Buffer.alloc(30);
  header.write('504b0304', 'hex');
  header.writeUInt16LE(isPacked ? 8 : 0, 8);
  return Buffer.concat([header, isPacked ? deflateRawSync(part) : Buffer.from(part)]);
}

describe('a workbook from a merchant', () => {
  test('that some kilobytes would make gigabytes of is refused before it is opened', async () => {
    const bomb = archive(Buffer.alloc(51 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(100_000);
    expect(isOversized(bomb)).toBe(true);
    const halves = Buffer.concat([1, 2].map(() => archive(Buffer.alloc(26 * 1024 * 1024))));
    expect(isOversized(halves)).toBe(true);
    await expect(readProductFile(bomb)).rejects.toThrow('file_too_large');
  });

  test('with one cell far away, packed or not, is refused too; with many rows it is not', () => {
    const far = `<row r="1"><c r="XFD1"/></row><row r='1048576'/>`;
    expect(isOversized(archive(far))).toBe(true);
    expect(isOversized(archive(far, { isPacked: false }))).toBe(true);
    expect(isOversized(archive('<row r="20001"><c r="F20001"/></row>'))).toBe(false);
    expect(isOversized(Buffer.from('504b0304', 'hex'))).toBe(false);
  });
});
