import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';

import type { KeyRing } from '../../platform/secrets.ts';
import { helpCode, readHelpCode } from './help-code.ts';

const keys = new Map([
  ['old', randomBytes(32)],
  ['new', randomBytes(32)],
]);
const keyRing: KeyRing = { current: 'new', keys };

test('a code leads to its link, also after the key was changed', () => {
  const id = randomUUID();
  expect(readHelpCode(keyRing, helpCode(keyRing, id))).toBe(id);
  expect(readHelpCode(keyRing, helpCode({ ...keyRing, current: 'old' }, id))).toBe(id);
});

test('a code that was changed, cut, or made with another key leads nowhere', () => {
  const code = helpCode(keyRing, randomUUID());
  const foreign = helpCode({ current: 'new', keys: new Map([['new', randomBytes(32)]]) }, randomUUID());
  const changed = (code.startsWith('A') ? 'B' : 'A') + code.slice(1);
  for (const wrong of ['', code.slice(0, -1), `${code}A`, changed, foreign, randomUUID()])
    expect(readHelpCode(keyRing, wrong)).toBeUndefined();
});
