import { createHash } from 'node:crypto';
import type { Sharp } from 'sharp';

import { Refusal } from '../../platform/refusal.ts';
import { logoType } from '../merchants/logo.ts';

const MOST_BYTES = 8 * 1024 * 1024;
/** The most that a telephone takes; a bomb has more, in few bytes. */
const MOST_PIXELS = 50_000_000;
const MOST_SECONDS = 5;
/** As many as are drawn at once: each may take 200 MB while it is. */
const MOST_AT_ONCE = 2;

/** Sides in pixels: on lists, and on a page of its own. */
const SIDES = { small: 192, large: 960 } as const;
export type PictureSize = keyof typeof SIDES;

/** A picture that we drew ourselves, as WebP. */
export interface EncodedPicture extends Readonly<Record<PictureSize, Buffer>> {
  /** What its addresses are made of. */
  readonly content: string;
}

let drawing = 0;

/**
 * Reads a JPEG, PNG or WebP and draws it anew, so that nothing but pixels of what came from outside is kept: no place, no
 * date, nothing behind the picture (rules/threats#text-injection). Refuses PICTURE_TOO_LARGE and PICTURE_UNREADABLE, and BUSY
 * while enough are being drawn.
 */
export async function encodePicture(given: Buffer): Promise<EncodedPicture> {
  if (given.length > MOST_BYTES) throw new Refusal('PICTURE_TOO_LARGE');
  if (logoType(given) === undefined) throw new Refusal('PICTURE_UNREADABLE');
  const { default: sharp } = await import('sharp');
  if (drawing >= MOST_AT_ONCE) throw new Refusal('BUSY', { retryAfterSeconds: 2 });
  drawing += 1;
  try {
    const { width, height } = await sharp(given, { limitInputPixels: false }).metadata();
    if (width * height > MOST_PIXELS) throw new Refusal('PICTURE_TOO_LARGE');
    const large = await webp(sharp(given), SIDES.large);
    const small = await webp(sharp(large), SIDES.small);
    const content = createHash('sha256').update(large).digest('hex').slice(0, 32);
    return { large, small, content };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('PICTURE_UNREADABLE');
  } finally {
    drawing -= 1;
  }
}

async function webp(picture: Sharp, side: number): Promise<Buffer> {
  return picture
    .timeout({ seconds: MOST_SECONDS })
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .webp()
    .toBuffer();
}
