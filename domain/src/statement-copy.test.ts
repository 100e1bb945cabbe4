import { expect, test } from 'vitest';

import { whatOf } from './statement-copy.ts';

const line = { endedBy: null, numbers: [], instalments: 0, inReview: false } as const;

test.each([
  [[1], 'Adelanto'],
  [[3], 'Abono al pago 3 de 6'],
  [[1, 2], 'Abono a los pagos 1 a 2 de 6'],
  [[2, 3, 4], 'Abono a los pagos 2 a 4 de 6'],
])('a payment of the instalments %j is “%s”', (numbers, words) => {
  expect(whatOf({ ...line, kind: 'payment', numbers, instalments: 6 })).toBe(words);
});

test('money that no purchase got waits, or goes back', () => {
  expect(whatOf({ ...line, kind: 'received', inReview: true })).toBe('Pago en revisión');
  expect(whatOf({ ...line, kind: 'received' })).toBe('Pago que no se aplicó: va de regreso');
});

test('an end says who ended the purchase, where that is known', () => {
  expect(whatOf({ ...line, kind: 'ended', endedBy: 'merchant' })).toBe('La tienda terminó la compra');
  expect(whatOf({ ...line, kind: 'ended' })).toBe('La compra se canceló');
});

test('every other line has words of its own', () => {
  const kinds = ['reserved', 'reversal', 'penalty', 'refund_owed', 'refunded'] as const;
  expect(kinds.map((kind) => whatOf({ ...line, kind }))).toEqual([
    'Apartaste',
    'Se quitó un pago',
    'Cargo por cancelar',
    'Devolución pendiente',
    'Devolución hecha',
  ]);
});
