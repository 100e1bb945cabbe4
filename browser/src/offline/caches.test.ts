import { expect, test } from 'vitest';
import { oldCaches } from './caches.ts';

test('A new build keeps what the one before had, for its open tabs, and drops the rest', () => {
  const names = ['offline-/saleCxcList/-0', 'aparta-a', 'aparta-b', 'aparta-c'];
  expect(oldCaches('buyers', names, 'c')).toEqual(['offline-/saleCxcList/-0', 'aparta-a']);
});

test('A build that comes back drops the later ones but the newest', () => {
  expect(oldCaches('buyers', ['aparta-a', 'aparta-b', 'aparta-c'], 'a')).toEqual(['aparta-b']);
});

test('On a device with both applications each drops its own alone', () => {
  const names = [
    'offline-0',
    'mostrador-a',
    'aparta-a',
    'mostrador-b',
    'aparta-b',
    'mostrador-c',
    'aparta-c',
  ];
  expect(oldCaches('buyers', names, 'c')).toEqual(['offline-0', 'aparta-a']);
  expect(oldCaches('counter', names, 'c')).toEqual(['mostrador-a']);
});
