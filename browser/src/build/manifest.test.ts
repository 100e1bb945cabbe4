import { expect, test } from 'vitest';
import { filesOf } from './manifest.ts';

const MANIFEST = {
  'index.html': {
    file: 'assets/index.js',
    css: ['assets/index.css'],
    imports: ['_base.js'],
    dynamicImports: ['store.tsx', 'camera.tsx'],
  },
  '_base.js': { file: 'assets/base.js' },
  'store.tsx': {
    file: 'assets/store.js',
    css: ['assets/store.css'],
    imports: ['index.html', '_base.js'],
    dynamicImports: ['bars.ts'],
  },
  'bars.ts': { file: 'assets/bars.js' },
  'camera.tsx': { file: 'assets/camera.js' },
};

test('A screen that opens without a server has what it loads at once and what is named beside it, and no other screen', () => {
  expect(filesOf(MANIFEST, 'index.html', ['store.tsx', 'bars.ts'])).toEqual([
    '/assets/bars.js',
    '/assets/base.js',
    '/assets/index.css',
    '/assets/index.js',
    '/assets/store.css',
    '/assets/store.js',
  ]);
});

test('A screen that was renamed stops the build instead of being left out', () => {
  expect(() => filesOf(MANIFEST, 'index.html', ['shop.tsx'])).toThrow('the build has no shop.tsx');
});

test('A document announces what its screen loads at once, and not what it may never need', () => {
  expect(filesOf(MANIFEST, 'index.html', ['store.tsx'])).not.toContain('/assets/bars.js');
});
