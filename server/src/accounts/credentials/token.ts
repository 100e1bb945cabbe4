import { createHash, randomBytes } from 'node:crypto';

/** How long a session lasts, as PostgreSQL reads it. */
export const SESSION_LIFE = '12 hours';

/** The kinds of token, and the secret of a shared device, by their first letters, so that a leaked one is recognised wherever it turns up. */
const PREFIX = { buyer: 'apb_', service_account: 'apm_', staff: 'aps_', device: 'apd_' } as const;
const KINDS = ['buyer', 'service_account', 'staff'] as const;

/** A new opaque bearer token of 256 random bits. */
export function newToken(kind: keyof typeof PREFIX): string {
  return PREFIX[kind] + randomBytes(32).toString('base64url');
}

/** The kind of a token, by its form; undefined for anything that we never made. */
export function tokenKind(token: string): (typeof KINDS)[number] | undefined {
  if (token.length !== 47) return undefined;
  return KINDS.find((kind) => token.startsWith(PREFIX[kind]));
}

/** What is stored of a token. It is random enough that a plain hash cannot be turned back. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
