import { expect, test } from 'vitest';

import { searchOf } from './search.ts';

test.each([
  ['0345', { by: 'phone', last4: '0345' }],
  ['10004', { by: 'id', id: 10_004 }],
  ['1100 0048 213', { by: 'code', code: '1100 0048 213' }],
  ['7KQ4-2M9X-AB', { by: 'code', code: '7KQ4-2M9X-AB' }],
  ['Maria Luisa', { by: 'name', name: 'Maria Luisa' }],
  ['MARIALUISA', { by: 'name', name: 'MARIALUISA' }],
])('%s is looked for as what it looks like', (typed, search) => {
  expect(searchOf(typed)).toEqual(search);
});
