import fs from 'node:fs';
import path from 'node:path';

const DOCUMENT = 'docs/spec-coverage.md';
const SECTIONS = ['§1', '§2', '§3', '§4', '§5', '§6', '§7', '§8', '§9'];
const TEST = /\.(test\.tsx?|e2e\.ts)$/;
const HEAD = ['Statement', 'Code', 'Tests'];

/**
 * What is wrong with the table of the spec's statements: a section without rows, a row that names neither a file nor why
 * there is none, a file that is not there, a test that is none. `root` is the repository.
 */
export function coverageGaps(root: string): string[] {
  const text = fs.readFileSync(path.join(root, DOCUMENT), 'utf8');
  const problems: string[] = [];
  const rows = new Map(SECTIONS.map((section) => [section, 0]));
  let section = '';
  for (const line of text.split('\n')) {
    section = /^## (§\d)/.exec(line)?.[1] ?? section;
    const cells = cellsOf(line);
    if (cells === undefined || cells.join() === HEAD.join() || /^-+$/.test(cells[0] ?? '')) continue;
    rows.set(section, (rows.get(section) ?? 0) + 1);
    problems.push(...wrongRow(root, cells).map((problem) => `${section} '${cells[0] ?? ''}': ${problem}`));
  }
  for (const [name, count] of rows) if (count === 0) problems.push(`${name} has no row`);
  return problems.map((problem) => `${DOCUMENT}: ${problem}`);
}

function cellsOf(line: string): string[] | undefined {
  if (!line.startsWith('|')) return undefined;
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function wrongRow(root: string, cells: string[]): string[] {
  const [, code = '', tests = ''] = cells;
  if (cells.length !== HEAD.length) return [`has ${cells.length} cells, not ${HEAD.length}`];
  return [
    ...wrongCell(root, 'code', code),
    ...wrongCell(root, 'test', tests),
    ...filesOf(tests)
      .filter((file) => !TEST.test(file))
      .map((file) => `${file} is no test`),
  ];
}

function wrongCell(root: string, what: string, cell: string): string[] {
  const files = filesOf(cell);
  if (files.length === 0) {
    return /^(not yet|none): \S/.test(cell) ? [] : [`names no ${what}, nor why ('not yet: …' or 'none: …')`];
  }
  return files.filter((file) => !fs.existsSync(path.join(root, file))).map((file) => `${file} is not there`);
}

/** What stands in backticks and has a folder in it. */
function filesOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+\/[^`]+)`/g)].map((match) => match[1] ?? '');
}
