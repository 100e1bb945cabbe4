import { expect, test } from 'vitest';

import { newFolio } from '../../ledger/receipts/folio.ts';
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

test('a folio is never looked for as a name', () => {
  const folios = Array.from({ length: 2_000 }, newFolio);
  expect(folios.filter((folio) => searchOf(folio).by !== 'code')).toEqual([]);
});
