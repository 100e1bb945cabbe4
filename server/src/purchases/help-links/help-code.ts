import { timingSafeEqual } from 'node:crypto';

import { type KeyRing, keyedHash } from '../../platform/secrets.ts';

const ID_BYTES = 16;
const MAC_BYTES = 12;

const macOf = (keyRing: KeyRing, id: Buffer) =>
  keyedHash(keyRing, 'help link', id.toString('hex')).subarray(0, MAC_BYTES);

/** What a link carries: its id and a keyed hash of it. Nothing of it is stored, so that a copy of the database opens no link. */
export function helpCode(keyRing: KeyRing, linkId: string): string {
  const id = Buffer.from(linkId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, macOf(keyRing, id)]).toString('base64url');
}

/** The link that a code names; undefined for a code that we did not write. */
export function readHelpCode(keyRing: KeyRing, code: string): string | undefined {
  const bytes = Buffer.from(code, 'base64url');
  if (bytes.length !== ID_BYTES + MAC_BYTES) return undefined;
  const id = bytes.subarray(0, ID_BYTES);
  const isOurs = [...keyRing.keys.keys()].some((current) =>
    timingSafeEqual(macOf({ ...keyRing, current }, id), bytes.subarray(ID_BYTES)),
  );
  if (!isOurs) return undefined;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
