import type { CardCredential } from '../providers/card/port.ts';
import { type KeyRing, unseal } from '../secrets.ts';
import type { SealedCredential } from './store.ts';

/** The field name that a card secret is sealed for. */
export const CARD_SECRET = 'clip_secret';

/** A key that only plays: same host, no money (providers.md §1.2). */
export function isTestKey(publicKey: string): boolean {
  return publicKey.startsWith('test_');
}

/** Opens a merchant's key pair for one call. Throws if it was sealed for another merchant, field or key, or only plays. */
export function openCredential(
  deps: { keyRing: KeyRing; allowTestKeys: boolean },
  sealed: SealedCredential,
): CardCredential {
  if (!deps.allowTestKeys && isTestKey(sealed.publicKey))
    throw new Error(`merchant ${sealed.merchantId} has a test key in production`);
  return {
    publicKey: sealed.publicKey,
    secret: unseal(deps.keyRing, sealed.secretCiphertext, {
      merchantId: sealed.merchantId,
      field: CARD_SECRET,
      keyId: sealed.secretKeyId,
    }),
  };
}
