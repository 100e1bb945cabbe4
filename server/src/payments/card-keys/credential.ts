import type { Db } from '../../platform/db/db.ts';
import type { CardCredential } from '../cards/port.ts';
import { type KeyRing, unseal } from '../../platform/secrets.ts';
import { listTestKeyMerchants, type SealedCredential } from '../cards/store.ts';

/** The field name that a card secret is sealed for. */
export const CARD_SECRET = 'clip_secret';

/** A key that only plays: same host, no money (rules/providers#clip-keys). */
export function isTestKey(publicKey: string): boolean {
  return publicKey.startsWith('test_');
}

/** What keeps production from starting: merchants that would give goods for play money. */
export async function testKeyProblems(db: Db): Promise<string[]> {
  const merchants = await listTestKeyMerchants(db);
  return merchants.length > 0 ? [`merchants with a test key in production: ${merchants.join(', ')}`] : [];
}

/** Opens a merchant's key pair for one call. Throws if it was sealed for another merchant, field or key, or only plays. */
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

/** Whether the provider refuses the key pair itself, by why it gave no answer: it was exchanged there, perhaps because it was stolen. */
export function isPairRefused(why: string): boolean {
  return /^40[13]\b/.test(why);
}
