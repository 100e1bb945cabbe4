import { afterEach, expect, test } from 'vitest';
import { plantTree } from './planted-tree.ts';
import { tooLong } from './sizes.ts';

const undo: (() => void)[] = [];
afterEach(() => undo.splice(0).forEach((step) => step()));

function problems(files: Record<string, string>): string[] {
  const tree = plantTree(files);
  undo.push(tree.remove);
  return tooLong(tree.root);
}

const lines = (count: number) => 'x;\n'.repeat(count);
const component = (count: number) => `export const Page = () => {\n${lines(count - 3)}return <p />;\n};\n`;

test('stores, components and documents at their limit pass', () => {
  expect(
    problems({
      'server/src/payments/cards/store.ts': lines(300),
      'server/src/payments/cards/start.ts': lines(301),
      'web/src/page.tsx': component(150) + lines(300),
      'web/src/page.test.tsx': component(200),
      'docs/how.md': 'word '.repeat(25_000),
      'README.md': 'word '.repeat(1000),
      'web/src/notes.md': 'word '.repeat(1000),
      'docs/settings.md': 'word '.repeat(1000),
    }),
  ).toEqual([]);
});

test('longer ones are reported', () => {
  expect(
    problems({
      'server/src/payments/cards/store.ts': lines(301),
      'server/src/payments/refund-store.ts': lines(302),
      'server/src/back-office/late.read-model.ts': lines(303),
      'ui/src/page.tsx': `\n${component(151)}`,
      'docs/how.md': 'word '.repeat(28_895),
      'README.md': 'two words',
      'CONTRIBUTING.md': 'two words',
      'CHANGELOG.md': 'word '.repeat(1000),
      'sandbox/README.md': 'two words',
    }),
  ).toEqual([
    'server/src/back-office/late.read-model.ts has 303 lines, at most 300',
    'server/src/payments/cards/store.ts has 301 lines, at most 300',
    'server/src/payments/refund-store.ts has 302 lines, at most 300',
    'ui/src/page.tsx:2 Page has 151 lines, at most 150',
    'the documents have 28901 words, at most 28900',
  ]);
});
