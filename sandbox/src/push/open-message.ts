import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';

/** A browser with an address at this push service. */
export type Device = {
  id: string;
  privateKey: string;
  publicKey: string;
  auth: string;
  /** The server's key, which alone may push to it; null: that of the first push. */
  vapidKey: string | null;
  isGone: boolean;
};

/** What a browser was given to show. */
export type Pushed = {
  id: string;
  device: string;
  at: string;
  ttl: number;
  contact: string;
  message: unknown;
};

export function makeDevice(vapidKey: string | null): Device {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return {
    id: randomBytes(24).toString('base64url'),
    privateKey: pair.getPrivateKey('base64url'),
    publicKey: pair.getPublicKey('base64url'),
    auth: randomBytes(16).toString('base64url'),
    vapidKey,
    isGone: false,
  };
}

/** Longest that a server may sign for (RFC 8292, 2). */
const LONGEST_SECONDS = 86_400;

export type Signature = { isGood: true; key: string; contact: string } | { isGood: false; problem: string };

/** Checks who pushes (RFC 8292): a token for this origin, signed by the key beside it, with a contact. */
export function checkSignature(
  authorization: string | undefined,
  { origin, now }: { origin: string; now: number },
): Signature {
  const wrong = (problem: string): Signature => ({ isGood: false, problem });
  const found = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(authorization ?? '');
  if (found === null) return wrong('no vapid header');
  const [, head = '', claims = '', signature = '', key = ''] = found;
  const point = Buffer.from(key, 'base64url');
  if (point.length !== 65 || point[0] !== 4) return wrong('the key is no point');
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKeyOf(point), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) return wrong('the signature is not of the key');
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg?: unknown };
  if (alg !== 'ES256') return wrong('not ES256');
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
    string,
    unknown
  >;
  if (aud !== origin) return wrong('for another push service');
  const seconds = now / 1_000;
  if (typeof exp !== 'number' || exp <= seconds || exp > seconds + LONGEST_SECONDS)
    return wrong('expired, or for more than a day');
  if (typeof sub !== 'string' || !/^(mailto:\S+@\S+|https:\/\/\S+)$/.test(sub)) return wrong('no contact');
  return { isGood: true, key, contact: sub };
}

function publicKeyOf(point: Buffer) {
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
}

/** Opens a message as its browser does (RFC 8188, RFC 8291). Throws on any that was not made for it. */
export function decrypt(device: Device, body: Buffer): string {
  const salt = body.subarray(0, 16);
  const keyLength = body[20] ?? 0;
  const theirs = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(device.privateKey, 'base64url');
  const ours = pair.getPublicKey();
  const derive = (secret: Buffer, from: Buffer, info: Buffer | string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, bytes));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ours, theirs]);
  const secret = derive(pair.computeSecret(theirs), Buffer.from(device.auth, 'base64url'), info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const opening = createDecipheriv('aes-128-gcm', key, nonce);
  opening.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([opening.update(sealed.subarray(0, -16)), opening.final()]);
  // One record, the last: its text ends before the 2 and the noughts behind it.
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('no last record');
  return padded.subarray(0, end).toString();
}
