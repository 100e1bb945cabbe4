import fs from 'node:fs';
import path from 'node:path';
import { filesOf, mutated, type Mutation, specMutations, type SpecRow, specRows } from '../spec-rows.ts';

const DOCUMENT = 'docs/spec-coverage.md';
const SECTIONS = ['§1', '§2', '§3', '§4', '§5', '§6', '§7', '§8', '§9'];
const TEST = /\.(test\.tsx?|e2e\.ts)$/;

/**
 * What is wrong with the table of the spec's statements: a section without rows, a row that names neither a file nor why
 * there is none, a file that is not there, a test that is none, an id twice, a row without the mutation that proves it
 * (`npm run coverage-proof`), or with one that no longer fits its file. `root` is the repository.
 */
export function coverageGaps(root: string): string[] {
  const rows = specRows(root);
  const mutations = specMutations(root);
  const ids = rows.map(({ id }) => id);
  const problems = [
    ...rows.flatMap((row) =>
      wrongRow(root, row, mutations[row.id]).map((problem) => `${row.id} '${row.statement}': ${problem}`),
    ),
    ...SECTIONS.filter((name) => !rows.some(({ section }) => section === name)).map(
      (name) => `${name} has no row`,
    ),
    ...Object.keys(mutations)
      .filter((id) => !ids.includes(id))
      .map((id) => `a mutation is of the row ${id}, which is not there`),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `the id ${id} is there twice`),
  ];
  return problems.map((problem) => `${DOCUMENT}: ${problem}`);
}

function wrongRow(root: string, row: SpecRow, mutation: Mutation | undefined): string[] {
  const { id, section, code, tests, width } = row;
  if (width !== 4) return [`has ${width} cells, not 4`];
  return [
    ...(id.startsWith(`${section.slice(1)}.`) ? [] : [`its id is not one of ${section}`]),
    ...wrongCell(root, 'code', code),
    ...wrongCell(root, 'test', tests),
    ...filesOf(tests)
      .filter((file) => !TEST.test(file))
      .map((file) => `${file} is no test`),
    ...(filesOf(tests).some((file) => !file.endsWith('.e2e.ts')) ? wrongMutation(root, row, mutation) : []),
  ];
}

function wrongCell(root: string, what: string, cell: string): string[] {
  const files = filesOf(cell);
  if (files.length === 0) {
    return /^(not yet|none): \S/.test(cell) ? [] : [`names no ${what}, nor why ('not yet: …' or 'none: …')`];
  }
  return files.filter((file) => !fs.existsSync(path.join(root, file))).map((file) => `${file} is not there`);
}

function wrongMutation(root: string, { code, tests }: SpecRow, mutation: Mutation | undefined): string[] {
  if (mutation === undefined) return ['no mutation proves it'];
  const problems = [
    ...(filesOf(code).includes(mutation.file)
      ? []
      : [`its mutation is of ${mutation.file}, not of its code`]),
    ...(filesOf(tests).includes(mutation.test) ? [] : [`its mutation names ${mutation.test}, not its test`]),
  ];
  try {
    mutated(root, mutation);
  } catch (error) {
    problems.push(`its mutation does not fit any more: ${(error as Error).message}`);
  }
  return problems;
}
