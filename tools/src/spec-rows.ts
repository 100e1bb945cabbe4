import fs from 'node:fs';
import path from 'node:path';

const DOCUMENT = 'docs/spec-coverage.md';
const MUTATIONS = 'docs/spec-mutations.json';
const HEAD = 'Id,Statement,Code,Tests';

/** A row of the table of the spec's statements. */
export interface SpecRow {
  readonly section: string;
  readonly id: string;
  readonly statement: string;
  readonly code: string;
  readonly tests: string;
  /** How many cells it has. */
  readonly width: number;
}

/** A few characters of the code that a row names: with `replace` in their place, `test` must fail. */
export interface Mutation {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly test: string;
  /** The tests of that file that can see it, by title; all when absent. */
  readonly title?: string;
}

export function specRows(root: string): SpecRow[] {
  let section = '';
  return fs
    .readFileSync(path.join(root, DOCUMENT), 'utf8')
    .split('\n')
    .flatMap((line) => {
      section = /^## (§\d)/.exec(line)?.[1] ?? section;
      if (!line.startsWith('|')) return [];
      const cells = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      if (cells.join() === HEAD || /^-+$/.test(cells[0] ?? '')) return [];
      const [id = '', statement = '', code = '', tests = ''] = cells;
      return [{ section, id, statement, code, tests, width: cells.length }];
    });
}

/** The mutation that proves each row, by the row's id. */
export function specMutations(root: string): Record<string, Mutation> {
  return JSON.parse(fs.readFileSync(path.join(root, MUTATIONS), 'utf8')) as Record<string, Mutation>;
}

/** A file's text with the mutation in it. Throws when what it searches for is not there, or not once. */
export function mutated(root: string, { file, find, replace }: Mutation): string {
  const parts = fs.readFileSync(path.join(root, file), 'utf8').split(find);
  if (parts.length !== 2)
    throw new Error(`${file} has ${parts.length - 1} times ${JSON.stringify(find)}, not once`);
  return parts.join(replace);
}

/** What stands in backticks and has a folder in it. */
export function filesOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+\/[^`]+)`/g)].map((match) => match[1] ?? '');
}
