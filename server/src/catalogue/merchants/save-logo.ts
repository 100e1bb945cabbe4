import { createHash } from 'node:crypto';

import type { Tx } from '../../platform/db/db.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { logoType } from './logo.ts';
import { lockCompany, updateCompany } from './store.ts';

const MOST_BYTES = 8 * 1024 * 1024;
const MOST_PIXELS = 40_000_000;
/** A screen shows it far smaller. */
const SIDE = 512;

/** A picture that we drew ourselves. */
export interface EncodedLogo {
  readonly bytes: Buffer;
  readonly fileName: string;
}

/**
 * Reads a JPEG or PNG and draws it anew, at most 512 px a side, so that nothing but pixels of what came from outside is kept
 * (rules/threats#text-injection). Its name changes with its content, since browsers keep it.
 */
export async function encodeLogo(given: Buffer): Promise<EncodedLogo> {
  if (given.length > MOST_BYTES)
    throw new RefusedChange('logo_too_large', { megabytes: MOST_BYTES / 1024 / 1024 });
  const type = logoType(given);
  if (type !== 'image/jpeg' && type !== 'image/png') throw new RefusedChange('logo_not_an_image');
  const { default: sharp } = await import('sharp');
  let bytes: Buffer;
  try {
    const image = sharp(given, { limitInputPixels: MOST_PIXELS })
      .autoOrient()
      .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true });
    bytes = await (type === 'image/png' ? image.png() : image.jpeg({ quality: 88 })).toBuffer();
  } catch {
    throw new RefusedChange('logo_not_an_image');
  }
  const content = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { bytes, fileName: `logo-${content}.${type === 'image/png' ? 'png' : 'jpg'}` };
}

/** Gives a company its picture. Refuses a company that is not there. */
export async function setLogo(tx: Tx, companyId: number, { bytes, fileName }: EncodedLogo): Promise<string> {
  if ((await lockCompany(tx, companyId)) === undefined)
    throw new RefusedChange('company_unknown', { id: companyId });
  // Two companies may share one picture, but not its name.
  const named = `${companyId}-${fileName}`;
  await updateCompany(tx, companyId, { logo: bytes, logo_file_name: named });
  return named;
}
