import type { Db } from '../../platform/db/db.ts';
import type { CardCredential } from '../card-provider/port.ts';
import { type KeyRing, unseal } from '../../platform/secrets.ts';
import { listTestKeyMerchants, type SealedCredential } from './store.ts';

/** The field name that a card secret is sealed for. */
export const CARD_SECRET = 'clip_secret';

/** A test key: same host, no money (rules/providers#clip-keys). */
export function isTestKey(publicKey: string): boolean {
  return publicKey.startsWith('test_');
}

/** Why production must not start: merchants whose test key would give goods away for nothing. */
export async function testKeyProblems(db: Db): Promise<string[]> {
  const merchants = await listTestKeyMerchants(db);
  return merchants.length > 0 ? [`merchants with a test key in production: ${merchants.join(', ')}`] : [];
}

/** Why nobody was asked: the key pair of a merchant does not open. Kept with what waits for it, and read again there. */
export const KEY_UNOPENED = 'the key cannot be opened';

/** Opens a merchant's key pair for one call. Throws if it was sealed for another merchant, field or key, or is a test key in production. */
export function openCredential(
  deps: { keyRing: KeyRing; allowTestKeys: boolean },
  sealed: Omit<SealedCredential, 'refusedAt'>,
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

/** Whether the provider refused the key pair itself (401, 403): it was replaced there, perhaps because it was stolen. `why` is a `NoAnswer`'s. */
export function isPairRefused(why: string): boolean {
  return /^40[13]\b/.test(why);
}
