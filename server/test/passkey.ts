import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const text = (data: string | Buffer) => Buffer.from(data).toString('base64url');

/** CBOR, as far as a passkey writes it: whole numbers, bytes, texts and maps. */
function cbor(value: number | string | Buffer | Map<unknown, unknown>): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flat().map((part) => cbor(part as Parameters<typeof cbor>[0])),
  ]);
}

function head(type: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(type << 5) | size]);
  if (size < 256) return Buffer.from([(type << 5) | 24, size]);
  return Buffer.from([(type << 5) | 25, size >> 8, size & 255]);
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_CREDENTIAL = 0x40;

/** What a test may do otherwise than a browser with an honest authenticator. */
interface Otherwise {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly counter?: number;
  readonly isVerified?: boolean;
  readonly id?: string;
  readonly userHandle?: string;
}

/** A passkey in software (P-256, no attestation), with the browser that asks it. */
export function softPasskey(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(32);
  let userHandle = '';
  let uses = 0;

  const clientData = (type: string, challenge: string, otherwise: Otherwise) =>
    Buffer.from(
      JSON.stringify({
        type: otherwise.type ?? type,
        challenge,
        origin: otherwise.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (rpId: string, flags: number, otherwise: Otherwise, more = Buffer.alloc(0)) => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(otherwise.counter ?? (uses += 1));
    const verified = otherwise.isVerified === false ? 0 : VERIFIED;
    return Buffer.concat([
      sha256(otherwise.rpId ?? rpId),
      Buffer.from([PRESENT | verified | flags]),
      counter,
      more,
    ]);
  };

  return {
    id: text(credentialId),
    /** As the browser answers `navigator.credentials.create`. */
    create(
      options: { challenge: string; rp: { id: string }; user: { id: string } },
      otherwise: Otherwise = {},
    ) {
      userHandle = options.user.id;
      const key = new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const length = Buffer.from([0, credentialId.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, cbor(key)]);
      const authData = authenticatorData(options.rp.id, WITH_CREDENTIAL, otherwise, attested);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return {
        rawId: text(credentialId),
        type: 'public-key',
        response: {
          clientDataJSON: text(clientData('webauthn.create', options.challenge, otherwise)),
          attestationObject: text(cbor(attestation)),
          transports: ['internal', 'hybrid'],
        },
      };
    },
    /** As it answers `navigator.credentials.get`. */
    get(options: { challenge: string; rpId: string }, otherwise: Otherwise = {}) {
      const client = clientData('webauthn.get', options.challenge, otherwise);
      const authData = authenticatorData(options.rpId, 0, otherwise);
      return {
        rawId: otherwise.id ?? text(credentialId),
        type: 'public-key',
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(authData),
          signature: text(sign('sha256', Buffer.concat([authData, sha256(client)]), privateKey)),
          userHandle: otherwise.userHandle ?? userHandle,
        },
      };
    },
  };
}

export type SoftPasskey = ReturnType<typeof softPasskey>;
