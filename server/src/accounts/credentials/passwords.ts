import { randomBytes } from 'node:crypto';

import * as argon2 from '@node-rs/argon2';
import type { Options } from '@node-rs/argon2';

import { elsewhere } from '../../platform/db/admission.ts';
import { Refusal } from '../../platform/refusal.ts';

/** OWASP's second choice for argon2id: 19 MiB and two passes, about 20 ms each. */
const ARGON2ID: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Of no secret: what is compared with it takes as long, and is never right. */
const NOBODYS = hashOf(randomBytes(16), randomBytes(32));

const AT_ONCE = 4;
const WAITING = 100;

/** Hashes and checks secrets, a few at a time: a flood of sign-ins must not take all memory. */
export interface Passwords {
  hash(secret: string): Promise<string>;
  /** Whether the secret is the hashed one. Without a hash it takes as long and answers false. */
  verify(secretHash: string | undefined, secret: string): Promise<boolean>;
}

/** `work` is the argon2 library; a test counts what is asked of it. */
export function createPasswords({
  hash,
  verify,
}: Pick<typeof argon2, 'hash' | 'verify'> = argon2): Passwords {
  const gate = createGate(AT_ONCE, WAITING);
  const normal = (secret: string) => secret.normalize('NFC');
  return {
    hash: (secret) => elsewhere(() => gate(() => hash(normal(secret), ARGON2ID))),
    verify: (secretHash, secret) =>
      elsewhere(() =>
        gate(async () => {
          const isRight = await verify(secretHash ?? NOBODYS, normal(secret));
          return isRight && secretHash !== undefined;
        }),
      ),
  };
}

/** As argon2 writes a hash down. */
function hashOf(salt: Buffer, tag: Buffer): string {
  const { memoryCost, timeCost, parallelism } = ARGON2ID;
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${text(salt)}$${text(tag)}`;
}

/** Lets `atOnce` run, keeps `waiting` in line, and refuses the rest. */
function createGate(atOnce: number, waiting: number) {
  let running = 0;
  const line: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (line.length >= waiting) throw new Refusal('UNAVAILABLE');
      // Whoever leaves hands its place to the first in line.
      await new Promise<void>((resolve) => line.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
