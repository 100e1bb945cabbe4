import { expect, test } from 'vitest';
import { MOST_AT_A_STORE, STORE_CHAINS } from './store-chains.ts';

test('the eight chains of the spec take an instalment in cash, two of them less at once', () => {
  expect(STORE_CHAINS).toEqual([
    { name: '7-Eleven', limitCentavos: 1_000_000 },
    { name: 'Farmacias del Ahorro', limitCentavos: 1_000_000 },
    { name: 'Walmart', limitCentavos: 1_000_000 },
    { name: 'Bodega Aurrera', limitCentavos: 1_000_000 },
    { name: 'Soriana', limitCentavos: 1_000_000 },
    { name: 'Chedraui', limitCentavos: 1_000_000 },
    { name: 'Circle K', limitCentavos: 600_000 },
    { name: 'Extra', limitCentavos: 600_000 },
  ]);
});

test('what one chain at least takes at once can be paid in cash', () => {
  expect(MOST_AT_A_STORE).toBe(1_000_000);
});
