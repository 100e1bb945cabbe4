import { expect, test } from 'vitest';

import { shortName } from './short-name.ts';

test.each([
  ['Marisol Ramos Díaz', 'Marisol R.'],
  ['  ana   álvarez ', 'ana Á.'],
  ['Ana', 'Ana'],
  ['', ''],
])('%s is shown as %s', (name, shown) => {
  expect(shortName(name)).toBe(shown);
});
