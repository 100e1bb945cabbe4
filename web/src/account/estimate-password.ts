import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as spanish from '@zxcvbn-ts/language-es-es';

// As the server's (rules/accounts#passwords), which also has a list of its own.
const LEAST_GUESSES = 7;
const ESTIMATED = 24;

const estimator = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...spanish.dictionary },
  graphs: common.adjacencyGraphs,
});

/** Whether somebody who knows the email address finds the password within ten million guesses. */
export function isWeak(password: string, email: string): boolean {
  const start = [...password.normalize('NFC')].slice(0, ESTIMATED).join('');
  return estimator.check(start, ['aparta', ...email.split(/[^\p{L}\d]+/u)]).guessesLog10 < LEAST_GUESSES;
}
