import { expect, test } from 'vitest';

import { isAddressOrNetwork, isListed, isPublicAddress } from './addresses.ts';

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

test('only what is the world’s is public: no address of this computer, this network, or a way around', () => {
  for (const address of ['1.1.1.1', '172.15.255.255', '172.32.0.1', '100.128.0.1', '2606:4700::1111'])
    expect(isPublicAddress(address), address).toBe(true);
  for (const address of [
    '0.0.0.1',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    'fc00::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:a00:1::',
    '3fff::1',
    'aparta.example',
    '',
  ])
    expect(isPublicAddress(address), address).toBe(false);
});
