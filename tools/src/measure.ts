import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { oldCitations } from './checks/citations.ts';
import {
  CODE_FOLDERS,
  documentWords,
  functionsOf,
  isStore,
  linesIn,
  longComponents,
  longStores,
} from './checks/sizes.ts';
import { isTest, productionSources, type Source } from './checks/source-files.ts';
import { tableWrites } from './checks/table-writers.ts';
import { usesOfOldWords } from './checks/words.ts';
import { runCommand } from './run-command.ts';
import { root as here } from './steps.ts';

type Row = readonly [what: string, count: number];
type Part = {
  title: string;
  rows: Row[];
  /** Stands for the rows where it is not how many they are. */ sum?: number;
};

const TOP = 10;
const LONG_FUNCTION = 60;

/** What the house weighs: the same checkout gives the same numbers. `--root DIR` measures another one. */
await runCommand(async () => {
  const { values } = parseArgs({ options: { root: { type: 'string', default: here } } });
  const root = path.resolve(values.root);
  const sources = productionSources(root, CODE_FOLDERS);
  for (const part of [
    tablesOfMany(root),
    exportsOfStores(sources),
    longestFiles(sources),
    longFunctions(sources),
    {
      title: 'stores beyond 300 lines',
      rows: longStores(sources).map(({ file, lines }): Row => [file, lines]),
    },
    {
      title: 'components beyond 150 lines',
      rows: longComponents(sources).map(({ file, name, lines }): Row => [`${file} ${name}`, lines]),
    },
    wordsOfDocuments(root),
    inventedWords(root),
    { title: 'citations of pages that are not here', rows: [], sum: oldCitations(root).length },
    productionLines(root),
    { title: 'migrations', rows: [], sum: filesIn(root, 'server/migrations', /\.sql$/) },
    { title: 'decision records', rows: [], sum: filesIn(root, 'docs/decisions', /^(?!0000)\d{4}-.*\.md$/) },
  ])
    print(part);
});

function print({ title, rows, sum }: Part): void {
  console.log(`${String(sum ?? rows.length).padStart(7)}  ${title}`);
  for (const [what, count] of rows) console.log(`         ${String(count).padStart(6)}  ${what}`);
}

function tablesOfMany(root: string): Part {
  const folders = new Map<string, Set<string>>();
  const places = tableWrites(root);
  for (const { table, file } of places.filter(({ table }) => table !== '')) {
    const folder = path.posix.dirname(file).replace(/^server\/src\//, '');
    folders.set(table, (folders.get(table) ?? new Set()).add(folder));
  }
  const rows = [...folders]
    .filter(([, writers]) => writers.size > 1)
    .map(([table, writers]): Row => [`${table}: ${[...writers].toSorted().join(', ')}`, writers.size]);
  const unnamed = places.filter(({ table }) => table === '').map(({ file }) => file);
  return {
    title: 'tables that two or more folders write (and files that write a table without naming it)',
    rows: [...ordered(rows), ...counted(unnamed)],
    sum: rows.length,
  };
}

function exportsOfStores(sources: Source[]): Part {
  const rows = sources
    .filter(({ file }) => isStore(file))
    .map((source): Row => [source.file, exportedNames(source)]);
  return top('names that stores export (no types)', rows);
}

function exportedNames({ program }: Source): number {
  return program.body
    .map((statement) => {
      if (statement.type !== 'ExportNamedDeclaration' || statement.exportKind === 'type') return 0;
      const { declaration } = statement;
      if (declaration?.type === 'VariableDeclaration') return declaration.declarations.length;
      if (declaration) return 1;
      return statement.specifiers.filter(({ exportKind }) => exportKind !== 'type').length;
    })
    .reduce((sum, count) => sum + count, 0);
}

function longestFiles(sources: Source[]): Part {
  return top(
    'lines of the longest files',
    sources.map(({ file, text }): Row => [file, linesIn(text)]),
  );
}

function longFunctions(sources: Source[]): Part {
  const rows = sources
    .flatMap(functionsOf)
    .filter(({ lines }) => lines > LONG_FUNCTION)
    .map(({ file, line, name, lines }): Row => [`${file}:${line} ${name}`, lines]);
  return { ...top(`functions over ${LONG_FUNCTION} lines`, rows), sum: rows.length };
}

function wordsOfDocuments(root: string): Part {
  const documents = documentWords(root);
  return {
    title: 'words of documents',
    rows: ordered(documents.map(({ file, words }): Row => [file, words])),
    sum: documents.reduce((sum, { words }) => sum + words, 0),
  };
}

function inventedWords(root: string): Part {
  const uses = usesOfOldWords(root);
  return {
    title: 'uses of words that the trade does not use',
    rows: counted(uses.map(({ word }) => word)),
    sum: uses.length,
  };
}

/** Lines of what git tracks and no test is. */
function productionLines(root: string): Part {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  const files = tracked.filter(
    (file) => /\.(tsx?|css|sql|mjs|sh)$/.test(file) && !isTest(file) && fs.existsSync(path.join(root, file)),
  );
  const lines = files.map((file): Row => [
    file.includes('/') ? (file.split('/')[0] ?? '') : '.',
    linesIn(fs.readFileSync(path.join(root, file), 'utf8')),
  ]);
  const rows = new Map<string, number>();
  for (const [workspace, count] of lines) rows.set(workspace, (rows.get(workspace) ?? 0) + count);
  return {
    title: 'production lines',
    rows: ordered([...rows]),
    sum: lines.reduce((sum, [, count]) => sum + count, 0),
  };
}

function filesIn(root: string, folder: string, pattern: RegExp): number {
  const place = path.join(root, folder);
  return fs.existsSync(place) ? fs.readdirSync(place).filter((file) => pattern.test(file)).length : 0;
}

function counted(names: string[]): Row[] {
  const rows = new Map<string, number>();
  for (const name of names) rows.set(name, (rows.get(name) ?? 0) + 1);
  return ordered([...rows]);
}

function top(title: string, rows: Row[]): Part {
  return { title, rows: ordered(rows).slice(0, TOP) };
}

/** The most first, equal ones by name. */
function ordered(rows: Row[]): Row[] {
  return rows.toSorted(([one, more], [other, less]) => less - more || (one < other ? -1 : 1));
}
