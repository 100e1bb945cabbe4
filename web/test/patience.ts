import { configure } from '@testing-library/react';

// As generous as the other waits (vitest.config.ts), so that a busy machine does not fail a test.
configure({ asyncUtilTimeout: 20_000 });
