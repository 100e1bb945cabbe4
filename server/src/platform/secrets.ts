import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** What a ciphertext is bound to: it opens for this merchant, this field and this key only (rules/threats#secrets-at-rest). */
export interface SealedFor {
  readonly merchantId: number;
  readonly field: string;
  readonly keyId: string;
}

/** The keys that open secrets, by id; `current` seals new ones. */
export interface KeyRing {
  readonly current: string;
  readonly keys: ReadonlyMap<string, Buffer>;
}

const NONCE = 12;
const TAG = 16;

function additionalData(bound: SealedFor): Buffer {
  return Buffer.from(JSON.stringify([bound.merchantId, bound.field, bound.keyId]));
}

function keyOf(keyRing: KeyRing, id: string): Buffer {
  const key = keyRing.keys.get(id);
  if (key === undefined) throw new Error(`no secret key with the id ${id}`);
  return key;
}

/** AES-256-GCM: nonce, tag, ciphertext. Sealed with the key ring's current key, whose id must be stored beside it. */
export function seal(
  keyRing: KeyRing,
  text: string,
  bound: Omit<SealedFor, 'keyId'>,
): { ciphertext: Buffer; keyId: string } {
  const keyId = keyRing.current;
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', keyOf(keyRing, keyId), nonce).setAAD(
    additionalData({ ...bound, keyId }),
  );
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return { ciphertext: Buffer.concat([nonce, cipher.getAuthTag(), body]), keyId };
}

/** The text that was sealed. Throws if it was moved to another merchant or field, or changed at all. */
export function unseal(keyRing: KeyRing, ciphertext: Buffer, bound: SealedFor): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(keyRing, bound.keyId), ciphertext.subarray(0, NONCE))
    .setAAD(additionalData(bound))
    .setAuthTag(ciphertext.subarray(NONCE, NONCE + TAG));
  return Buffer.concat([decipher.update(ciphertext.subarray(NONCE + TAG)), decipher.final()]).toString(
    'utf8',
  );
}

/**
 * A keyed hash of 32 bytes, for texts so short that a plain hash could be guessed by trying them all. Changes with the current
 * key. Hashes of different purposes differ.
 */
export function keyedHash(keyRing: KeyRing, purpose: string, text: string): Buffer {
  return createHmac('sha256', derivedKey(keyOf(keyRing, keyRing.current), purpose))
    .update(text)
    .digest();
}

const derived = new WeakMap<Buffer, Map<string, Buffer>>();

/** Kept: deriving a key costs more than the hash, and a list of payments has a hash for each. */
function derivedKey(key: Buffer, purpose: string): Buffer {
  const ofKey = derived.get(key) ?? new Map<string, Buffer>();
  derived.set(key, ofKey);
  const kept = ofKey.get(purpose) ?? Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
  ofKey.set(purpose, kept);
  return kept;
}

/** Reads `SECRETS_KEY`: `id:base64` pairs of 32 bytes separated by commas, the first one current; a bare key has the id `1`. */
export function readKeyRing(setting: string): KeyRing {
  const keys = new Map<string, Buffer>();
  for (const part of setting.split(',')) {
    const [first = '', second] = part.trim().split(':');
    const id = second === undefined ? '1' : first;
    const key = Buffer.from(second ?? first, 'base64');
    if (key.length !== 32)
      throw new Error('SECRETS_KEY must be 32 bytes in base64 (openssl rand -base64 32), or id:key pairs');
    keys.set(id, key);
  }
  const current = keys.keys().next().value;
  if (current === undefined) throw new Error('SECRETS_KEY is empty');
  return { current, keys };
}
