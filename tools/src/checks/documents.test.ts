import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { settingsPage } from '../settings-page.ts';
import { statesPage } from '../states-page.ts';
import { root as repository } from '../steps.ts';
import { lostFiles, staleStates, undocumentedSettings } from './document-files.ts';
import { plantTree } from './planted-tree.ts';
import { coverageGaps } from './spec-coverage.ts';

const undo: (() => void)[] = [];
afterEach(() => undo.splice(0).forEach((step) => step()));

function plant(files: Record<string, string>): string {
  const tree = plantTree(files);
  undo.push(tree.remove);
  return tree.root;
}

describe('the table of the spec', () => {
  const row = (id: string, cells: string) =>
    `| Id | Statement | Code | Tests |\n|---|---|---|---|\n| ${id} | It pays | ${cells} |\n`;
  const good = '`domain/src/pay.ts` | `domain/src/pay.test.ts`';
  const table = (cells: string) =>
    [1, 2, 3, 4, 5, 6, 7, 8, 9]
      .map((n) => `## §${n} Part\n\n${row(`${n}.1`, n === 3 ? cells : good)}`)
      .join('\n');
  const mutation = {
    file: 'domain/src/pay.ts',
    find: 'true',
    replace: 'false',
    test: 'domain/src/pay.test.ts',
  };
  const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${n}.1`);
  const all = Object.fromEntries(ids.map((id) => [id, mutation]));
  const tree = (text: string, mutations: object = all) =>
    plant({
      'docs/spec-coverage.md': text,
      'docs/spec-mutations.json': JSON.stringify(mutations),
      'domain/src/pay.ts': 'export const pays = true;',
      'domain/src/pay.test.ts': '',
    });

  test.each([good, 'not yet: the screen | not yet: the screen', 'none: it is a picture | none: the same'])(
    '%s passes',
    (cells) => expect(coverageGaps(tree(table(cells)))).toEqual([]),
  );

  test.each([
    ['`domain/src/gone.ts` | `domain/src/pay.test.ts`', 'domain/src/gone.ts is not there'],
    ['`domain/src/pay.ts` | `domain/src/gone.test.ts`', 'domain/src/gone.test.ts is not there'],
    ['`domain/src/pay.ts` | `domain/src/pay.ts`', 'domain/src/pay.ts is no test'],
    ['`domain/src/pay.ts` | tested by hand', 'names no test'],
    ['not yet | not yet: the screen', 'names no code'],
    ['`domain/src/pay.ts`', 'has 3 cells'],
  ])('%s is reported', (cells, problem) => {
    const problems = coverageGaps(tree(table(cells)));
    expect(problems.join('\n')).toContain(`3.1 'It pays': ${problem}`);
  });

  test('a section that lost its rows is reported', () => {
    const problems = coverageGaps(tree(table(good).replace(/## §9[^]*/, '')));
    expect(problems).toContain('docs/spec-coverage.md: §9 has no row');
    expect(problems).toContain('docs/spec-coverage.md: a mutation is of the row 9.1, which is not there');
  });

  test.each([
    [undefined, 'no mutation proves it'],
    [
      { ...mutation, find: 'gone' },
      'its mutation does not fit any more: domain/src/pay.ts has 0 times "gone"',
    ],
    [{ ...mutation, find: 's' }, 'its mutation does not fit any more: domain/src/pay.ts has 2 times "s"'],
    [{ ...mutation, file: 'domain/src/pay.test.ts' }, 'its mutation is of domain/src/pay.test.ts'],
    [{ ...mutation, test: 'domain/src/pay.ts' }, 'its mutation names domain/src/pay.ts, not its test'],
  ])('the mutation %j of a row is reported', (wrong, problem) => {
    const problems = coverageGaps(tree(table(good), { ...all, '3.1': wrong }));
    expect(problems.join('\n')).toContain(`3.1 'It pays': ${problem}`);
  });
});

describe('files that documents name', () => {
  test('a link or a place that is not there is reported, one that is there is not', () => {
    const root = plant({
      'README.md': '[how](docs/how.md) [what](docs/what.md#part) [web](https://example.com) [here](#here)',
      'docs/how.md':
        'See `server/src/pay.ts`, `server/src/gone.ts`, `server/src/*/store.ts`, [up](../README.md).',
      'server/src/pay.ts': '',
    });
    expect(lostFiles(root)).toEqual([
      'README.md names docs/what.md, which is not there',
      'docs/how.md names server/src/gone.ts, which is not there',
    ]);
  });
});

describe('settings', () => {
  const example = fs.readFileSync(path.join(repository, 'ops', 'production.env.example'), 'utf8');
  const tree = (page: string, ops: string) =>
    plant({ 'docs/settings.md': page, 'ops/production.env.example': ops });

  test('a page that lost a setting is reported', () => {
    expect(undocumentedSettings(tree(settingsPage(), example))).toEqual([]);
    expect(undocumentedSettings(tree(settingsPage().replace(/^\| `HOST`.*\n/m, ''), example))).toEqual([
      'docs/settings.md is not what the schema says: npm run docs',
    ]);
  });

  test('a required setting that the example of production leaves out is reported, a secret is not', () => {
    const without = example.replace(/^MAIL_FROM=.*\n/m, '');
    expect(example).not.toContain('SECRETS_KEY=');
    expect(undocumentedSettings(tree(settingsPage(), without))).toEqual([
      'ops/production.env.example lacks MAIL_FROM',
    ]);
  });
});

describe('the page of states', () => {
  const tree = (page: string) => plant({ 'docs/rules/states.md': page });

  test('is what the tables say', () => {
    expect(staleStates(tree(statesPage()))).toEqual([]);
    expect(staleStates(repository)).toEqual([]);
  });

  test('with an arrow too few is stale', () => {
    const page = statesPage();
    expect(page).toMatch(/^  owed --> sending: claimed$/m);
    expect(staleStates(tree(page.replace(/^  owed --> sending.*\n/m, '')))).toEqual([
      'docs/rules/states.md is not what the tables say: npm run docs',
    ]);
  });
});
