import { expect, test } from 'vitest';

import { isTrivialPin } from './pin.ts';

test('a PIN that everybody tries first is refused', () => {
  const tried = '000000 999999 123456 654321 890123 121212 112211 112233 332211 246802 123123 741741 159753';
  expect(tried.split(' ').filter((pin) => !isTrivialPin(pin))).toEqual([]);
});

test('any other six digits are a PIN, also with a digit twice or a run of five', () => {
  const own = '482913 123457 012346 223344x 110223 907214 300481 112234 112231';
  expect(own.split(' ').filter((pin) => isTrivialPin(pin.slice(0, 6)))).toEqual(['223344x']);
});
