import { createECDH } from 'node:crypto';

/** The pair that signs what we push (RFC 8292), base64url. */
export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The pair of a private key of 32 bytes in base64; throws for any that is none. */
export function readPushKey(given: string): PushKeys {
  const secret = Buffer.from(given, 'base64');
  if (secret.length !== 32) throw new Error('not 32 bytes');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(secret);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: secret.toString('base64url') };
}

/** Whether a browser's key is a point that can be encrypted for. */
export function isPushPoint(publicKey: string): boolean {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  try {
    pair.computeSecret(publicKey, 'base64url');
    return true;
  } catch {
    return false;
  }
}
