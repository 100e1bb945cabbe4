import path from 'node:path';
import type { Node } from 'oxc-parser';
import { productionSources, walk, type Source } from './source-files.ts';

/** The server's wings in the order in which a reader needs them: each imports only those before it. */
const WINGS = [
  'platform',
  'accounts',
  'catalogue',
  'ledger',
  'invoicing',
  'purchases',
  'payments',
  'back-office',
];
/** The programs and what wires them: they import every wing, and no wing imports them. */
const ROOT_FILES = ['main.ts', 'compose.ts', 'worker.ts', 'migrate.ts', 'env.ts', 'settings-schema.ts'];
const SERVER = 'server/src/';
const OWN_NAME = '@aparta/server/';

type Import = { from: string; to: string; line: number };

/**
 * Imports in the server that go up the order of the wings, folders of one wing that import each other in a circle, and
 * files that do. Imports of types count. `root` is the repository.
 */
export function wingOrder(root: string): string[] {
  const sources = productionSources(root, ['server/src']);
  const files = sources.map(({ file }) => file.slice(SERVER.length));
  const imports = sources.flatMap(importsOf);
  return [
    ...files.flatMap(misplaced),
    ...imports.flatMap(upwards),
    ...WINGS.flatMap((wing) => folderCircles(wing, imports)),
    ...fileCircles(imports),
  ];
}

function misplaced(file: string): string[] {
  const wing = wingOf(file);
  if (WINGS.includes(wing) || ROOT_FILES.includes(file)) return [];
  return [`${SERVER}${file} stands in no wing`];
}

function upwards({ from, to, line }: Import): string[] {
  const [here, there] = [wingOf(from), wingOf(to)];
  const place = `${SERVER}${from}:${line}`;
  if (ROOT_FILES.includes(from)) return [];
  if (ROOT_FILES.includes(to)) return [`${place} imports ${to}: nothing in a wing may`];
  if (!WINGS.includes(here) || !WINGS.includes(there)) return [];
  return WINGS.indexOf(there) > WINGS.indexOf(here)
    ? [`${place}: ${here} may not import ${to}: ${there} comes after it`]
    : [];
}

function folderCircles(wing: string, imports: Import[]): string[] {
  const within = imports.filter(({ from, to }) => wingOf(from) === wing && wingOf(to) === wing);
  const edges = within.map(({ from, to }) => [folderOf(from), folderOf(to)] as const);
  return circles(edges).map((circle) => {
    const shown = new Map<string, string>();
    for (const { from, to, line } of within) {
      const [here, there] = [folderOf(from), folderOf(to)];
      if (here === there || !circle.includes(here) || !circle.includes(there)) continue;
      const edge = `${here} → ${there}`;
      if (!shown.has(edge)) shown.set(edge, `  ${edge}: ${SERVER}${from}:${line} imports ${to}`);
    }
    return [`${SERVER}${wing}: folders in a circle: ${circle.join(', ')}`, ...shown.values()].join('\n');
  });
}

function fileCircles(imports: Import[]): string[] {
  return circles(imports.map(({ from, to }) => [from, to] as const)).map(
    (circle) => `files in a circle: ${circle.map((file) => SERVER + file).join(', ')}`,
  );
}

/** Names that reach each other, a list each. */
function circles(edges: (readonly [string, string])[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges) {
    if (from !== to) next.set(from, (next.get(from) ?? new Set()).add(to));
  }
  const reached = new Map([...next.keys()].map((name) => [name, reachable(name, next)]));
  const found: string[][] = [];
  for (const [name, names] of reached) {
    if (!names.has(name) || found.some((circle) => circle.includes(name))) continue;
    found.push([...names].filter((other) => reached.get(other)?.has(name)).toSorted());
  }
  return found;
}

function reachable(name: string, next: Map<string, Set<string>>): Set<string> {
  const seen = new Set<string>();
  const open = [name];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const to of next.get(at) ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      open.push(to);
    }
  }
  return seen;
}

function importsOf(source: Source): Import[] {
  const from = source.file.slice(SERVER.length);
  const found: Import[] = [];
  const add = (node: Node, to: string) => found.push({ from, to, line: source.lineAt(node.start) });
  walk(source.program, (node) => {
    const target =
      node.type === 'ImportDeclaration' ||
      node.type === 'ExportNamedDeclaration' ||
      node.type === 'ExportAllDeclaration' ||
      node.type === 'ImportExpression' ||
      node.type === 'TSImportType'
        ? node.source
        : undefined;
    const named = target?.type === 'Literal' ? String(target.value) : '';
    if (named.startsWith(OWN_NAME)) add(node, `${named.slice(OWN_NAME.length)}.ts`);
    if (named.startsWith('.')) add(node, path.posix.join(path.posix.dirname(from), named));
  });
  return found;
}

function wingOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] ?? '') : '';
}

/** A wing's own files count as a folder, named '.'. */
function folderOf(file: string): string {
  const [, folder = '', rest] = file.split('/');
  return rest === undefined ? '.' : folder;
}
