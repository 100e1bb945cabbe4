import { expect, test } from 'vitest';

import { isAddressOrNetwork, isListed } from './addresses.ts';

test('who may call is written as addresses and networks, and nothing else', () => {
  for (const good of ['198.51.100.7', '198.51.100.0/24', '0.0.0.0/0', '2001:db8::7', '2001:db8::/32'])
    expect(isAddressOrNetwork(good), good).toBe(true);
  for (const bad of [
    '',
    'tapi.example',
    '198.51.100',
    '198.51.100.0/33',
    '2001:db8::/129',
    '1.2.3.4/',
    '1.2.3.4/8/8',
  ])
    expect(isAddressOrNetwork(bad), bad).toBe(false);
});

test('an address is let in by its own entry or its network’s, and by no other', () => {
  const list = ['198.51.100.7', '192.0.2.0/25', '2001:db8:1::/48'];
  for (const inside of ['198.51.100.7', '192.0.2.127', '2001:db8:1:ffff::1', '2001:DB8:1::'])
    expect(isListed(list, inside), inside).toBe(true);
  for (const outside of ['198.51.100.8', '192.0.2.128', '2001:db8:2::1', '', 'unix:'])
    expect(isListed(list, outside), outside).toBe(false);
  expect(isListed([], '203.0.113.9')).toBe(true);
});
