import { timingSafeEqual } from 'node:crypto';

import { type KeyRing, keyedHash } from './secrets.ts';

const ID_BYTES = 16;
const MAC_BYTES = 12;

const macOf = (keyRing: KeyRing, purpose: string, id: Buffer) =>
  keyedHash(keyRing, purpose, id.toString('hex')).subarray(0, MAC_BYTES);

/**
 * What opens a thing for whoever has it: its id, a UUID, and a keyed hash of it. Nothing of it is stored, so that a copy of the
 * database opens nothing.
 */
export function capabilityOf(keyRing: KeyRing, purpose: string, id: string): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return Buffer.concat([bytes, macOf(keyRing, purpose, bytes)]).toString('base64url');
}

/** The id of what it opens; undefined for one that we did not write for this purpose. */
export function readCapability(keyRing: KeyRing, purpose: string, capability: string): string | undefined {
  const bytes = Buffer.from(capability, 'base64url');
  if (bytes.length !== ID_BYTES + MAC_BYTES) return undefined;
  const id = bytes.subarray(0, ID_BYTES);
  const isOurs = [...keyRing.keys.keys()].some((current) =>
    timingSafeEqual(macOf({ ...keyRing, current }, purpose, id), bytes.subarray(ID_BYTES)),
  );
  if (!isOurs) return undefined;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
