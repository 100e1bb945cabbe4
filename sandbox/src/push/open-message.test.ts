import { createECDH, createPrivateKey, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { startSandbox } from '../testing.ts';
import { checkSignature, decrypt, makeDevice } from './open-message.ts';

const NOW = Date.UTC(2031, 0, 1);
const ORIGIN = 'http://localhost:4000';

/** A header as a server signs it, with claims of the test's own. */
function signed(claims: object, { alg = 'ES256', mayFit = true } = {}): string {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const point = pair.getPublicKey();
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: pair.getPrivateKey('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ typ: 'JWT', alg })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  if (!mayFit) signature[5] = (signature[5] ?? 0) ^ 1;
  return `vapid t=${text}.${signature.toString('base64url')}, k=${point.toString('base64url')}`;
}
const claims = { aud: ORIGIN, exp: NOW / 1_000 + 3_600, sub: 'mailto:ayuda@aparta.test' };
const check = (header: string | undefined) => checkSignature(header, { origin: ORIGIN, now: NOW });

test('the push service takes what is signed for it, by its key, for a day at most, with a contact', () => {
  expect(check(signed(claims))).toMatchObject({ isGood: true, contact: 'mailto:ayuda@aparta.test' });
  const problems = [
    undefined,
    'Bearer x',
    signed(claims, { mayFit: false }),
    signed(claims, { alg: 'none' }),
    signed({ ...claims, aud: 'https://fcm.googleapis.com' }),
    signed({ ...claims, exp: NOW / 1_000 - 1 }),
    signed({ ...claims, exp: NOW / 1_000 + 86_401 }),
    signed({ ...claims, sub: 'nobody' }),
  ].map((header) => {
    const answer = check(header);
    return answer.isGood ? 'taken' : answer.problem;
  });
  expect(problems).toEqual([
    'no vapid header',
    'no vapid header',
    'the signature is not of the key',
    'not ES256',
    'for another push service',
    'expired, or for more than a day',
    'expired, or for more than a day',
    'no contact',
  ]);
});

/** The example of RFC 8291, appendix A. */
test('a browser opens what was encrypted for it, and nobody else does', () => {
  const device = {
    ...makeDevice(null),
    privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
  const body = Buffer.from(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    'base64url',
  );
  expect(decrypt(device, body)).toBe('When I grow up, I want to be a watermelon');
  expect(() => decrypt({ ...device, auth: makeDevice(null).auth }, body)).toThrow(/authenticate/);
});

test('an address that nobody has, one that is gone, and what is not signed are refused', async () => {
  const { call, control } = await startSandbox();
  const post = async (id: string) =>
    (await call('POST', `/push/${id}`, undefined, { 'content-type': 'application/octet-stream' })).status;
  const { body: device } = await control<{ id: string }>('push/devices', {});
  expect([await post('nobody'), await post(device.id)]).toEqual([404, 401]);
  await control(`push/devices/${device.id}/gone`, {});
  expect(await post(device.id)).toBe(410);
});
