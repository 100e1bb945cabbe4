import { readFileSync } from 'node:fs';

import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

import type { RefusalCode } from '../../platform/refusal.ts';
import { SERVER_FOLDER } from '../../platform/files/server-folder.ts';

const SHORTEST = 8;
const LONGEST = 128;
/** As a power of ten: fewer guesses than ten million find it (rules/accounts#passwords). */
const LEAST_GUESSES = 7;
/** Estimating takes time with the square of the length, and what is strong is so by then. */
const ESTIMATED = 24;

/** What people in Mexico choose and the estimator's dictionaries do not have. */
const FAVOURITES = new URL('src/accounts/buyers/common-passwords.txt', SERVER_FOLDER);

let estimator: Promise<ZxcvbnFactory> | undefined;

/**
 * Why a password may not be chosen for an account, or undefined when it may (rules/accounts#passwords). Counts characters, not
 * bytes.
 */
export async function passwordProblem(password: string, email: string): Promise<RefusalCode | undefined> {
  const characters = [...password.normalize('NFC')];
  const { length } = [...password];
  if (length < SHORTEST) return 'PASSWORD_TOO_SHORT';
  if (length > LONGEST) return 'PASSWORD_TOO_LONG';
  const plain = characters.join('').toLowerCase();
  const isOwnName = plain === email || plain === email.split('@')[0];
  estimator ??= createEstimator();
  const start = characters.slice(0, ESTIMATED).join('');
  const { guessesLog10 } = (await estimator).check(start, ['aparta', ...email.split(/[^\p{L}\d]+/u)]);
  return isOwnName || guessesLog10 < LEAST_GUESSES ? 'PASSWORD_TOO_COMMON' : undefined;
}

/** Its dictionaries take a moment to read: not before somebody chooses a password. */
async function createEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common, spanish] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-es-es'),
  ]);
  const favourites = readFileSync(FAVOURITES, 'utf8').split('\n').filter(Boolean);
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...spanish.dictionary, favourites },
    graphs: common.adjacencyGraphs,
  });
}
