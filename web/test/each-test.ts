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
