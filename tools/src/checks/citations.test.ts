import { afterEach, expect, test } from 'vitest';
import { lostCitations, oldCitations } from './citations.ts';
import { plantTree } from './planted-tree.ts';

const undo: (() => void)[] = [];
afterEach(() => undo.splice(0).forEach((step) => step()));

const house = {
  'docs/spec-coverage.md': '## §4 States\n\n### §4.1 Sales\n\n| It moves, as decisions of §12 say |\n',
  'docs/rules/payments.md':
    "# Payments\n\n## An attempt's life: `held`, [done](x.md)\n\n## Twice\n## Twice\n\n```sh\n# no heading\n```\n",
  'docs/rules/refunds.md': 'See [payments](payments.md#twice).\n',
};

function problems(files: Record<string, string>): string[] {
  const tree = plantTree({ ...house, ...files });
  undo.push(tree.remove);
  return lostCitations(tree.root);
}

test.each([
  ['server/src/pay.ts', '/** The whole life (rules/payments#an-attempts-life-held-done). */'],
  ['server/migrations/0001_pay.sql', '-- rules/payments#twice and rules/payments.md#twice-1'],
  ['web/src/pay.css', '/* spec §4 and spec §4.1, §4 */'],
  ['web/src/pay.tsx', 'const total = <p>{/* rules/payments#payments */}</p>;'],
  ['docs/how.md', 'Read [why](rules/payments.md#twice), or docs/rules/payments.md.'],
  ['server/src/grid.ts', "const R1 = 'webauthn R2-D2'; // p95 and 4.L1x"],
])('%s: %s resolves', (file, text) => expect(problems({ [file]: text })).toEqual([]));

test.each([
  [
    'server/src/pay.ts',
    '\n// rules/payments#thrice',
    '2 cites rules/payments#thrice: the page has no such heading',
  ],
  ['server/src/pay.ts', '// rules/payments#no-heading', '1 cites rules/payments#no-heading: the page has no'],
  ['docs/how.md', '[it](rules/cash.md#all)', '1 cites rules/cash#all: there is no docs/rules/cash.md'],
  ['web/src/pay.css', '/* rules/cash#all */', '1 cites rules/cash#all: there is no docs/rules/cash.md'],
  ['server/src/pay.ts', '// spec §5', '1 cites spec §5, which docs/spec-coverage.md has not'],
  ['server/src/pay.ts', '// spec §4.9', '1 cites spec §4.9, which docs/spec-coverage.md has not'],
  ['server/src/pay.ts', '// §4.1', "1 cites '§4.1'"],
  ['server/src/pay.ts', '// see payments.md §1.4', "1 cites 'payments.md §'"],
  ['server/src/pay.ts', '// Decisions §4', "1 cites 'Decisions §'"],
  ['docs/how.md', 'As `providers.md` says.', "1 cites 'providers.md'"],
  ['docs/rules/refunds.md', 'payments.md §4', "1 cites 'payments.md §'"],
  ['web/src/pay.tsx', '// design/look.md', "1 cites 'design/l'"],
  ['server/migrations/0001_pay.sql', '-- It is gone (L13).', "1 cites 'L13'"],
  ['server/src/pay.test.ts', "test('R4: it waits', wait);", "1 cites 'R4'"],
])('%s: %s is reported', (file, text, problem) => {
  expect(problems({ [file]: text }).join('\n')).toContain(`${file}:${problem}`);
});

test('what only cites wrongly is no old form', () => {
  const tree = plantTree({ ...house, 'server/src/pay.ts': '// rules/cash#all\n// decisions §1' });
  undo.push(tree.remove);
  expect(oldCitations(tree.root)).toEqual([
    "server/src/pay.ts:2 cites 'decisions §': cite rules/<page>#<heading> or spec §n",
  ]);
});
