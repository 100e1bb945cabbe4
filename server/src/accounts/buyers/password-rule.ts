import { readFileSync } from 'node:fs';

import type { RefusalCode } from '../../platform/refusal.ts';

const SHORTEST = 8;
const LONGEST = 128;

/** The ones that guessers try first, all of 8 characters or more: shorter ones are refused anyway. */
const COMMON = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean),
);

/**
 * Why a password may not be chosen for an account, or undefined when it may (rules/accounts#passwords). Counts characters, not
 * bytes.
 */
export function passwordProblem(password: string, email: string): RefusalCode | undefined {
  const length = [...password].length;
  if (length < SHORTEST) return 'PASSWORD_TOO_SHORT';
  if (length > LONGEST) return 'PASSWORD_TOO_LONG';
  const plain = password.normalize('NFC').toLowerCase();
  const isOwnName = plain === email || plain === email.split('@')[0];
  const isOneCharacter = new Set(plain).size === 1;
  return COMMON.has(plain) || isOwnName || isOneCharacter ? 'PASSWORD_TOO_COMMON' : undefined;
}
