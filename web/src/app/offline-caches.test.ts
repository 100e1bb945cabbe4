import { expect, test } from 'vitest';
import { oldCaches } from './offline-caches.ts';

test('A new build keeps what the one before had, for its open tabs, and drops the rest', () => {
  const names = ['offline-/saleCxcList/-0', 'aparta-a', 'aparta-b', 'aparta-c'];
  expect(oldCaches(names, 'c')).toEqual(['offline-/saleCxcList/-0', 'aparta-a']);
});

test('A build that comes back drops the later ones but the newest', () => {
  expect(oldCaches(['aparta-a', 'aparta-b', 'aparta-c'], 'a')).toEqual(['aparta-b']);
});
