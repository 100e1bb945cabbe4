import type { Db, Tx } from '../../platform/db/db.ts';
import { lockMerchant } from '../../catalogue/merchants/store.ts';
import { resumeRefunds } from '../../ledger/refunds/enqueue-refund.ts';
import type { CardCredential, CardProvider } from '../card-provider/port.ts';
import { failedCheck, type ProviderCheck } from '../../platform/provider-check.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { type KeyRing, seal, unseal } from '../../platform/secrets.ts';
import { CARD_SECRET, isTestKey, openCredential } from './credential.ts';
import {
  findCurrentCredential,
  insertCredential,
  listSealed,
  lockCredentials,
  lockCredentialsOf,
  resealCredential,
  retireCredential,
  type SealedCredential,
} from './store.ts';

interface Deps {
  readonly keyRing: KeyRing;
  readonly allowTestKeys: boolean;
}

/**
 * Gives a merchant the key pair that its next charges use. The previous pair is retired, not deleted: what it charged is still
 * read and refunded with it. If the provider refused it, the refunds that paused for that resume with the new pair
 * (rules/refunds#refused-key). Returns the public half of the previous pair, if there was one.
 */
export async function setCardKeys(
  { keyRing, allowTestKeys }: Deps,
  tx: Tx,
  merchantId: number,
  { publicKey, secret }: CardCredential,
): Promise<{ readonly retired: string | undefined }> {
  const isTest = isTestKey(publicKey);
  if (isTest && !allowTestKeys) throw new RefusedChange('key_is_a_test');
  // A test key has no secret half; a real pair needs both, in characters that a header can carry.
  const isWhole = [publicKey, ...(isTest && secret === '' ? [] : [secret])].every((half) =>
    /^[\x21-\x7e]{8,500}$/.test(half),
  );
  if (!isWhole) throw new RefusedChange('key_missing');
  if ((await lockMerchant(tx, merchantId)) === undefined)
    throw new RefusedChange('merchant_unknown', { id: merchantId });

  await lockCredentialsOf(tx, merchantId);
  const before = await findCurrentCredential(tx, merchantId);
  if (before !== undefined) {
    if (before.publicKey === publicKey && opened(keyRing, before) === secret)
      throw new RefusedChange('nothing_to_change');
    await retireCredential(tx, before.id);
  }
  const { ciphertext, keyId } = seal(keyRing, secret, { merchantId, field: CARD_SECRET });
  await insertCredential(tx, {
    merchantId,
    publicKey,
    secretCiphertext: ciphertext,
    secretKeyId: keyId,
  });
  if (before?.refusedAt) await resumeRefunds(tx, merchantId);
  return { retired: before?.publicKey };
}

/**
 * Seals every secret, retired pairs' too, again with the key ring's first key, so that its older keys can be removed. Refuses
 * `key_opens_not` when a secret opens with none of the ring's keys.
 */
export async function resealCardKeys(
  keyRing: KeyRing,
  tx: Tx,
  onProgress: (done: number, of: number) => void = () => {},
): Promise<{ readonly resealed: number; readonly kept: number }> {
  const all = await lockCredentials(tx);
  const old = all.filter(({ secretKeyId }) => secretKeyId !== keyRing.current);
  for (const [index, credential] of old.entries()) {
    const { id, merchantId, secretKeyId } = credential;
    const secret = opened(keyRing, credential);
    if (secret === undefined) throw new RefusedChange('key_opens_not', { id: merchantId, key: secretKeyId });
    const { ciphertext, keyId } = seal(keyRing, secret, { merchantId, field: CARD_SECRET });
    await resealCredential(tx, id, ciphertext, keyId);
    onProgress(index + 1, old.length);
  }
  return { resealed: old.length, kept: all.length - old.length };
}

/** What the provider says about a merchant's key pair. */
export type KeyCheck = ProviderCheck | { readonly kind: 'none' | 'test' | 'opens_not' };

const TRIAL_WINDOW_MS = 60_000;

/** Tries the merchant's current pair on a read that costs nothing: the payments of the last minute. */
export async function checkCardKeys(
  deps: Deps & { readonly db: Db; readonly card: CardProvider },
  merchantId: number,
  now: Date,
): Promise<KeyCheck> {
  const sealed = await findCurrentCredential(deps.db, merchantId);
  if (sealed === undefined) return { kind: 'none' };
  if (isTestKey(sealed.publicKey) && !deps.allowTestKeys) return { kind: 'test' };
  if (opened(deps.keyRing, sealed) === undefined) return { kind: 'opens_not' };
  const answer = await deps.card.list(
    openCredential(deps, sealed),
    new Date(now.getTime() - TRIAL_WINDOW_MS),
    now,
  );
  if (answer.kind === 'payments') return { kind: 'works' };
  return failedCheck(answer.why);
}

/** The pairs, retired ones too, that none of the ring's keys opens. */
export async function listUnopened(
  keyRing: KeyRing,
  db: Db,
): Promise<{ all: number; unopened: SealedCredential[] }> {
  const all = await listSealed(db);
  return { all: all.length, unopened: all.filter((sealed) => opened(keyRing, sealed) === undefined) };
}

function opened(keyRing: KeyRing, sealed: SealedCredential): string | undefined {
  try {
    return unseal(keyRing, sealed.secretCiphertext, {
      merchantId: sealed.merchantId,
      field: CARD_SECRET,
      keyId: sealed.secretKeyId,
    });
  } catch {
    return undefined;
  }
}
