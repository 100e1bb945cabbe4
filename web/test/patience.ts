import { configure } from '@testing-library/react';

// As long as everything else is waited for (vitest.config.ts): a busy machine must not fail a screen.
configure({ asyncUtilTimeout: 20_000 });
