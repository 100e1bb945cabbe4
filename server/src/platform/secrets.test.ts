import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CARD_SECRET, openCredential } from '../payments/card-keys/credential.ts';
import { readKeyRing, seal, unseal } from './secrets.ts';

const old = randomBytes(32).toString('base64');
const fresh = randomBytes(32).toString('base64');
const keyRing = readKeyRing(`2026a:${old}`);
const rotated = readKeyRing(`2026b:${fresh},2026a:${old}`);
/** The cipher does not open it, or there is no such key. */
const REFUSED = /unable to authenticate|no secret key|Invalid/;
const merchant = { merchantId: 7, field: CARD_SECRET };

describe('a merchant’s card secret at rest', () => {
  test('opens for its merchant and field, and shows nothing of itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (secret) => {
        const { ciphertext, keyId } = seal(keyRing, secret, merchant);
        expect(unseal(keyRing, ciphertext, { ...merchant, keyId })).toBe(secret);
        if (secret.length > 3) expect(ciphertext.includes(Buffer.from(secret))).toBe(false);
      }),
    );
  });

  test('moved to another merchant, field or key it does not open', () => {
    const both = readKeyRing(`2026a:${old},copy:${old}`);
    const { ciphertext, keyId } = seal(both, 'demo-secret', merchant);
    for (const wrong of [{ merchantId: 8 }, { field: 'tapi_secret' }, { keyId: 'copy' }, { keyId: 'none' }])
      expect(() => unseal(both, ciphertext, { ...merchant, keyId, ...wrong })).toThrow(REFUSED);
  });

  test('swapping two merchants’ rows opens neither', () => {
    const mine = seal(keyRing, 'mine', { merchantId: 1, field: CARD_SECRET });
    const theirs = seal(keyRing, 'theirs', { merchantId: 2, field: CARD_SECRET });
    expect(() =>
      unseal(keyRing, theirs.ciphertext, { merchantId: 1, field: CARD_SECRET, keyId: theirs.keyId }),
    ).toThrow(REFUSED);
    expect(() =>
      unseal(keyRing, mine.ciphertext, { merchantId: 2, field: CARD_SECRET, keyId: mine.keyId }),
    ).toThrow(REFUSED);
  });

  test('a single changed or missing byte does not open', () => {
    const { ciphertext, keyId } = seal(keyRing, 'demo-secret', merchant);
    for (let at = 0; at < ciphertext.length; at += 1) {
      const changed = Buffer.from(ciphertext);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => unseal(keyRing, changed, { ...merchant, keyId })).toThrow(REFUSED);
    }
    expect(() => unseal(keyRing, ciphertext.subarray(0, -1), { ...merchant, keyId })).toThrow(REFUSED);
    expect(() => unseal(keyRing, Buffer.alloc(0), { ...merchant, keyId })).toThrow(REFUSED);
  });

  test('the same secret twice is two ciphertexts', () => {
    expect(seal(keyRing, 'x', merchant).ciphertext).not.toEqual(seal(keyRing, 'x', merchant).ciphertext);
  });

  test('after a rotation new ones take the new key and old ones still open; without the old key they do not', () => {
    const before = seal(keyRing, 'demo-secret', merchant);
    expect(seal(rotated, 'x', merchant).keyId).toBe('2026b');
    expect(unseal(rotated, before.ciphertext, { ...merchant, keyId: before.keyId })).toBe('demo-secret');
    expect(() =>
      unseal(readKeyRing(`2026b:${fresh}`), before.ciphertext, { ...merchant, keyId: before.keyId }),
    ).toThrow('2026a');
  });

  test.each([
    ['nothing', ''],
    ['a word', 'short'],
    ['a name without a key', 'a:'],
    ['a second key that is short', `a:${fresh},b:c2hvcnQ=`],
  ])('a setting that is %s is refused', (_what, setting) => {
    expect(() => readKeyRing(setting)).toThrow('SECRETS_KEY');
  });
});

describe('keys that only play', () => {
  const sealed = (publicKey: string) => {
    const { ciphertext, keyId } = seal(keyRing, 'demo-secret', merchant);
    return { id: 'c', merchantId: 7, publicKey, secretCiphertext: ciphertext, secretKeyId: keyId };
  };

  test('a test key pays for nothing in production: refused at each call', () => {
    const open = (allowTestKeys: boolean, publicKey: string) =>
      openCredential({ keyRing: keyRing, allowTestKeys }, sealed(publicKey));
    expect(() => open(false, 'test_abc')).toThrow('test key');
    expect(open(true, 'test_abc')).toEqual({ publicKey: 'test_abc', secret: 'demo-secret' });
    expect(open(false, 'a0000000-0000-4000-8000-000000000001').secret).toBe('demo-secret');
  });

  test('a refused key names neither itself nor its secret', () => {
    try {
      openCredential({ keyRing: keyRing, allowTestKeys: false }, sealed('test_abc'));
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toMatch(/abc|demo-secret/);
    }
  });
});
