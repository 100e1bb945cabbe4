import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';
import { BANK } from './bank.ts';
import { expectNoSurprise, throwSurprise } from './surprise.ts';

const settings = Object.assign(document.createElement('script'), {
  type: 'application/json',
  id: 'aparta-config',
  textContent: JSON.stringify({ threeDsOrigins: [BANK] }),
});
document.head.replaceChildren(settings);

// As on the oldest browser that the build is for (Safari 16.4, all that an iPhone 8 gets).
for (const [holder, name] of [
  [AbortSignal, 'any'],
  [Map, 'groupBy'],
  [Object, 'groupBy'],
  [URL, 'canParse'],
  [URLSearchParams.prototype, 'size'],
] as const)
  Object.defineProperty(holder, name, { value: undefined });

// On a busy machine what comes may take its time; what never comes fails all the same.
configure({ asyncUtilTimeout: 5_000 });

beforeEach(expectNoSurprise);
// The files share their document, so each test leaves it as it found it.
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
  document.body.replaceChildren();
  document.head.replaceChildren(settings);
  history.replaceState(null, '', '/');
});
afterEach(throwSurprise);
