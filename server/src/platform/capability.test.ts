import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';

import { capabilityOf, readCapability } from './capability.ts';
import type { KeyRing } from './secrets.ts';

const keys = new Map([
  ['old', randomBytes(32)],
  ['new', randomBytes(32)],
]);
const keyRing: KeyRing = { current: 'new', keys };
const codeOf = (of: KeyRing, id: string) => capabilityOf(of, 'help link', id);
const read = (code: string) => readCapability(keyRing, 'help link', code);

test('a code leads to its link, also after the key was changed', () => {
  const id = randomUUID();
  expect(read(codeOf(keyRing, id))).toBe(id);
  expect(read(codeOf({ ...keyRing, current: 'old' }, id))).toBe(id);
});

test('a code that was changed, cut, of another purpose, or made with another key leads nowhere', () => {
  const code = codeOf(keyRing, randomUUID());
  const foreign = codeOf({ current: 'new', keys: new Map([['new', randomBytes(32)]]) }, randomUUID());
  const another = capabilityOf(keyRing, 'calendar', randomUUID());
  const changed = (code.startsWith('A') ? 'B' : 'A') + code.slice(1);
  for (const wrong of ['', code.slice(0, -1), `${code}A`, changed, foreign, another, randomUUID()])
    expect(read(wrong)).toBeUndefined();
});
