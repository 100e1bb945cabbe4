import { configure, getConfig } from '@testing-library/react';
import { afterEach, beforeEach, inject } from 'vitest';
import { expectNoSurprise, throwSurprise, unlessSurprised } from './surprise.ts';

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
beforeEach(expectNoSurprise);
afterEach(throwSurprise);
