import { expect, test } from 'vitest';

import { refundReason, refundStands } from './shop-copy.ts';

test.each([
  ['owed', 'cash', null, 'Por entregar'],
  ['owed', 'cash', '4242', 'Por entregar'],
  ['owed', 'card', '4242', 'En camino'],
  ['sending', 'card', '4242', 'En camino'],
  ['unknown', 'card', '4242', 'En revisión'],
  ['blocked', 'card', '4242', 'En revisión'],
  ['moved_to_cash', 'card', '4242', 'Pasó a efectivo'],
  ['done', 'card', null, 'Hecha'],
  ['done', 'cash', '4242', 'Hecha'],
  ['done', 'cash', null, 'Entregada'],
] as const)('a refund that is %s by %s, of the terminal’s card %s, is %s', (state, method, last4, words) => {
  expect(refundStands({ state, method, last4 })).toBe(words);
});

test('money goes back for what ended its purchase, else for what was wrong with the payment', () => {
  expect(refundReason({ cause: 'cancel', endedBy: 'rule' })).toBe('Terminó por atraso');
  expect(refundReason({ cause: 'surplus', endedBy: null })).toBe('Se pagó de más');
});
