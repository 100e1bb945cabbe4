import { configure, getConfig } from '@testing-library/react';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** How long a test of components waits, where that is not as usual. */
    patienceMs?: number;
  }
}

const { asyncWrapper } = getConfig();

// As generous as the other waits (vitest.config.ts), so that a busy machine does not fail a test; shorter where one has to fail
// (tools/src/coverage-proof.config.ts), and over at once with a reply that the contract has not.
configure({
  asyncUtilTimeout: inject('patienceMs') ?? 20_000,
  asyncWrapper: (wait) => asyncWrapper(() => unlessSurprised(wait)),
});

let surprised = Promise.withResolvers<never>();
let first: Error | undefined;
let strays: string[] = [];

/** Forgets what the test before met. */
export function expectNoSurprise(): void {
  surprised = Promise.withResolvers<never>();
  surprised.promise.catch(() => {}); // nobody may be waiting
  [first, strays] = [undefined, []];
}

/** Ends the test's waits at once with what cannot be right: what they wait for would not come. Returns the error, to be thrown. */
export function surprise(message: string): Error {
  const error = new Error(message);
  first ??= error;
  surprised.reject(error);
  return error;
}

/** Remembers a call that has no answer here. It may be another screen's, so it is told only with a wait that fails. */
export function stray(call: string): Error {
  const said = `the test did not expect ${call}`;
  strays.push(said);
  return new Error(said);
}

/** A wait of a test, over at once with a surprise; one that fails tells what had no answer. */
async function unlessSurprised<T>(wait: () => Promise<T>): Promise<T> {
  try {
    return await Promise.race([wait(), surprised.promise]);
  } catch (error) {
    if (error instanceof Error && error !== first && strays.length > 0)
      error.message = `${strays.join('\n')}\n${error.message}`;
    throw error;
  }
}

/** Throws the first surprise that the test met, if it met one. */
export function throwSurprise(): void {
  if (first !== undefined) throw first;
}
