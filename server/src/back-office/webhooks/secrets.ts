import { randomBytes } from 'node:crypto';
import type { Tx } from '../../platform/db/db.ts';
import { type KeyRing, seal, unseal } from '../../platform/secrets.ts';
import { lockSecrets, storeSecrets } from './endpoint-store.ts';
import type { Sealed } from './store.ts';

/** A secret as receivers paste it (standardwebhooks.com). */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const fieldOf = (endpointId: string) => `webhook ${endpointId}`;

interface Of {
  readonly merchantId: number;
  readonly endpointId: string;
}

/** A new secret of an endpoint: to be shown once, and to be kept. */
export function makeSecret(
  keyRing: KeyRing,
  { merchantId, endpointId }: Of,
): { readonly secret: string; readonly sealed: Sealed } {
  const secret = newSecret();
  return { secret, sealed: seal(keyRing, secret, { merchantId, field: fieldOf(endpointId) }) };
}

export function openSecret(
  keyRing: KeyRing,
  { merchantId, endpointId }: Of,
  { ciphertext, keyId }: Sealed,
): string {
  return unseal(keyRing, ciphertext, { merchantId, field: fieldOf(endpointId), keyId });
}

/** Seals with the ring's current key what others of its keys sealed. Throws when one opens with none. */
export async function resealWebhookSecrets(keyRing: KeyRing, tx: Tx): Promise<number> {
  let resealed = 0;
  for (const { id, merchantId, secret, previous } of await lockSecrets(tx)) {
    const isCurrent = [secret, previous].every((one) => one === undefined || one.keyId === keyRing.current);
    if (isCurrent) continue;
    const of = { merchantId, endpointId: id };
    const again = (one: Sealed) =>
      seal(keyRing, openSecret(keyRing, of, one), { merchantId, field: fieldOf(id) });
    await storeSecrets(tx, id, { secret: again(secret), previous: previous && again(previous) });
    resealed += 1;
  }
  return resealed;
}
