import { deflateSync, crc32 } from 'node:zlib';

import sharp from 'sharp';
import { expect, test } from 'vitest';

import { encodePicture } from './encode-picture.ts';

const refusalOf = (given: Buffer) =>
  encodePicture(given).then(
    () => 'taken',
    (error: { code?: string }) => error.code,
  );

/** As a telephone takes it: held sideways, with where and when. */
const photo = () =>
  sharp({ create: { width: 1_600, height: 1_200, channels: 3, background: '#b5651d' } })
    .jpeg()
    .withExif({
      IFD0: { Make: 'Motorola', DateTime: '2026:11:20 10:00:00' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '19/1 2/1 30/1' },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();

/** A PNG that is black throughout: one bit a pixel, so that its megabytes are hardly any. */
function blackPng(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('a photo loses where and when it was taken, stands upright, and is drawn in two sizes', async () => {
  const given = await photo();
  expect(await sharp(given).metadata()).toMatchObject({ orientation: 6, exif: expect.any(Buffer) });
  expect(given.includes('Motorola')).toBe(true);
  const { large, small, content } = await encodePicture(given);
  for (const [bytes, width, height] of [
    [large, 720, 960],
    [small, 144, 192],
  ] as const) {
    const read = await sharp(bytes).metadata();
    expect(read).toMatchObject({ format: 'webp', width, height });
    expect([read.exif, read.xmp, read.iptc, read.icc, read.orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(bytes.includes('Motorola')).toBe(false);
  }
  expect(content).toMatch(/^[0-9a-f]{32}$/);
  expect((await encodePicture(given)).content).toBe(content);
});

test('what stands behind or beside the pixels of a picture is not served', async () => {
  const given = Buffer.concat([await photo(), Buffer.from('<script>alert(1)</script>')]);
  const { large, small } = await encodePicture(given);
  expect([large.includes('script'), small.includes('script')]).toEqual([false, false]);
});

test('a picture that unpacks to 100 megapixels, or has more than 8 MB, is refused before it is drawn', async () => {
  for (const side of [10_001, 17_000]) {
    const bomb = blackPng(side, side);
    expect(bomb.length).toBeLessThan(100_000);
    expect(await refusalOf(bomb)).toBe('PICTURE_TOO_LARGE');
  }
  expect(await refusalOf(blackPng(10_000, 5_000))).toBe('taken');
  const most = 8 * 1024 * 1024;
  expect(await refusalOf(Buffer.alloc(most + 1))).toBe('PICTURE_TOO_LARGE');
  expect(await refusalOf(Buffer.alloc(most))).toBe('PICTURE_UNREADABLE');
});

test('what is no JPEG, PNG or WebP is refused, whatever it begins with', async () => {
  const whole = await photo();
  const given = {
    'a page that begins as a JPEG': Buffer.concat([whole.subarray(0, 3), Buffer.from('<html>')]),
    'a GIF with a script': Buffer.from('GIF89a/*<svg onload=alert(1)>*/'),
    'a whole GIF': await sharp(whole).gif().toBuffer(),
    SVG: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    HEIC: Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic')]),
    'half a photo': whole.subarray(0, whole.length / 2),
    nothing: Buffer.alloc(0),
  };
  for (const [what, bytes] of Object.entries(given))
    expect([what, await refusalOf(bytes)]).toEqual([what, 'PICTURE_UNREADABLE']);
});

test('of three that come at once the third is asked again in two seconds, and a small one is not blown up', async () => {
  const given = blackPng(40, 30);
  const [one, two, third] = await Promise.allSettled([1, 2, 3].map(() => encodePicture(given)));
  expect([one?.status, two?.status]).toEqual(['fulfilled', 'fulfilled']);
  expect(third).toMatchObject({ reason: { code: 'BUSY', facts: { retryAfterSeconds: 2 } } });
  const { large } = await encodePicture(given);
  expect(await sharp(large).metadata()).toMatchObject({ width: 40, height: 30 });
});
