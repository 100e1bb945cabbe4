import { createHash, createHmac, randomBytes } from 'node:crypto';

/** What a browser's cookie holds: the name of its kept session, and the secret that its next use replaces. */
export interface KeptSecret {
  readonly name: Buffer;
  readonly secret: Buffer;
}

const NAME_BYTES = 16;
const SECRET_BYTES = 32;
/** By which a leaked one is recognised, as a token is by its. */
const FORM = /^apk_([\w-]{22})\.([\w-]{43})$/;

export function newKeptSecret(): KeptSecret {
  return { name: randomBytes(NAME_BYTES), secret: randomBytes(SECRET_BYTES) };
}

export function newChainKey(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** The secret that follows one. Only who has both the one before and the key can tell it, and always the same. */
export function nextSecret(chainKey: Buffer, secret: Buffer): Buffer {
  return createHmac('sha256', chainKey).update(secret).digest();
}

/** Turns of a minute that are looked through. */
const MOST_TURNS = 50;

/** How many turns ago a secret was the newest one, and the newest; undefined when it was not in the last `most` turns. */
export function newestFrom(
  chainKey: Buffer,
  sent: Buffer,
  { newestHash, most }: { newestHash: Buffer; most: number },
): { turns: number; newest: Buffer } | undefined {
  let newest = sent;
  for (let turns = 0; turns <= Math.min(most, MOST_TURNS); turns += 1) {
    if (keptHash(newest).equals(newestHash)) return { turns, newest };
    newest = nextSecret(chainKey, newest);
  }
  return undefined;
}

/** What is stored of either part. They are random enough that a plain hash cannot be turned back. */
export function keptHash(part: Buffer): Buffer {
  return createHash('sha256').update(part).digest();
}

export function writeKeptSecret({ name, secret }: KeptSecret): string {
  return `apk_${name.toString('base64url')}.${secret.toString('base64url')}`;
}

/** Undefined for anything that we never made. */
export function readKeptSecret(text: string | undefined): KeptSecret | undefined {
  const found = FORM.exec(text ?? '');
  if (found === null) return undefined;
  const [, name = '', secret = ''] = found;
  return { name: Buffer.from(name, 'base64url'), secret: Buffer.from(secret, 'base64url') };
}
