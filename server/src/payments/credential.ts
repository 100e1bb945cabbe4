import type { Db } from '../db/db.ts';
import type { CardCredential } from '../providers/card/port.ts';
import { type KeyRing, unseal } from '../secrets.ts';
import { listTestKeyMerchants, type SealedCredential } from './store.ts';

/** The field name that a card secret is sealed for. */
export const CARD_SECRET = 'clip_secret';

/** A key that only plays: same host, no money (providers.md §1.2). */
function isTestKey(publicKey: string): boolean {
  return publicKey.startsWith('test_');
}

/** Production does not start while a merchant would give goods for play money. Throws a sentence that names them. */
export async function refuseTestKeys(db: Db): Promise<void> {
  const merchants = await listTestKeyMerchants(db);
  if (merchants.length > 0)
    throw new Error(`merchants with a test key in production: ${merchants.join(', ')}`);
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
