import { expect, test } from 'vitest';
import { storageWithFallback } from './storage.ts';

test('where storage is forbidden the session lives in memory', () => {
  const keep = storageWithFallback(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  expect(keep.get('token')).toBeUndefined();
  keep.set('token', 't');
  expect(keep.get('token')).toBe('t');
  keep.remove('token');
  expect(keep.get('token')).toBeUndefined();
});

test('a full storage never returns an older value than the one just set', () => {
  let full = false;
  const storage = {
    getItem: (key: string) => sessionStorage.getItem(key),
    removeItem: (key: string) => sessionStorage.removeItem(key),
    setItem(key: string, value: string) {
      if (full) throw new DOMException('full', 'QuotaExceededError');
      sessionStorage.setItem(key, value);
    },
  } as Storage;
  const keep = storageWithFallback(() => storage);
  keep.set('user', 'old');
  full = true;
  keep.set('user', 'new');
  expect(keep.get('user')).toBe('new');
});
