import { configure } from '@testing-library/react';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** How long a test of components waits, where that is not as usual. */
    patienceMs?: number;
  }
}

// As generous as the other waits (vitest.config.ts), so that a busy machine does not fail a test; shorter where one has to fail
// (tools/src/coverage-proof.config.ts).
configure({ asyncUtilTimeout: inject('patienceMs') ?? 20_000 });
