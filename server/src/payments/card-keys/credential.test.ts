import { expect, test } from 'vitest';
import { readKeyRing, seal } from '../../platform/secrets.ts';
import { CARD_SECRET, isPairRefused, openCredential } from './credential.ts';

test.each([
  ['401', true],
  ['403 AI1402', true],
  ['404 not found', false],
  ['4011', false],
  ['500 error 401', false],
  ['ECONNREFUSED', false],
])('an answer of %s says of a key pair that it is refused: %s', (why, isRefused) => {
  expect(isPairRefused(why)).toBe(isRefused);
});

test('production opens no test key, which would give goods away; elsewhere either kind opens', () => {
  const keyRing = readKeyRing(Buffer.alloc(32, 7).toString('base64'));
  const { ciphertext: secretCiphertext, keyId: secretKeyId } = seal(keyRing, 'secreto', {
    merchantId: 1,
    field: CARD_SECRET,
  });
  const open = (publicKey: string, allowTestKeys: boolean) =>
    openCredential(
      { keyRing, allowTestKeys },
      { id: '1', merchantId: 1, publicKey, secretCiphertext, secretKeyId },
    );
  expect(() => open('test_1', false)).toThrow('test key');
  expect(open('test_1', true)).toEqual({ publicKey: 'test_1', secret: 'secreto' });
  expect(open('live_1', false)).toEqual({ publicKey: 'live_1', secret: 'secreto' });
});
