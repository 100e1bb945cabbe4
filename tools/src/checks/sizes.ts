import fs from 'node:fs';
import path from 'node:path';
import type { Node } from 'oxc-parser';
import { productionSources, sourceFiles, walk, type Source } from './source-files.ts';

/** The folders of the house that hold TypeScript; one that is not there is passed over. */
export const CODE_FOLDERS = [
  'domain',
  'contract',
  'provider-wire',
  'server',
  'admin',
  'sandbox',
  'ui',
  'browser',
  'counter',
  'web',
  'bench',
  'tools',
];

const STORE_LINES = 300;
const COMPONENT_LINES = 150;
const DOCUMENT_WORDS = 28_900;
const STORE = /(^|[/.-])(store|read-model)\.ts$/;
/** Written from code by `npm run docs`. */
const GENERATED = new Set(['docs/settings.md', 'docs/rules/states.md']);
const DOCUMENT = /^docs\/.*\.md$|(^|\/)README\.md$|^CONTRIBUTING\.md$/;

type Function = { name: string; file: string; line: number; lines: number; isComponent: boolean };

/** Stores, components and documents that are longer than they may be. `root` is the repository. */
export function tooLong(root: string): string[] {
  const sources = productionSources(root, CODE_FOLDERS);
  const words = documentWords(root).reduce((sum, document) => sum + document.words, 0);
  return [
    ...longStores(sources).map(({ file, lines }) => `${file} has ${lines} lines, at most ${STORE_LINES}`),
    ...longComponents(sources).map(
      ({ file, line, name, lines }) =>
        `${file}:${line} ${name} has ${lines} lines, at most ${COMPONENT_LINES}`,
    ),
    ...(words > DOCUMENT_WORDS ? [`the documents have ${words} words, at most ${DOCUMENT_WORDS}`] : []),
  ];
}

/** Whether a file holds SQL of a folder. */
export function isStore(file: string): boolean {
  return STORE.test(file);
}

export function longStores(sources: Source[]): { file: string; lines: number }[] {
  return sources
    .filter(({ file }) => isStore(file))
    .map(({ file, text }) => ({ file, lines: linesIn(text) }))
    .filter(({ lines }) => lines > STORE_LINES);
}

export function longComponents(sources: Source[]): Function[] {
  return sources
    .flatMap(functionsOf)
    .filter(({ isComponent, lines }) => isComponent && lines > COMPONENT_LINES);
}

/** Every function of a source, with its own name or that of what it is given to. */
export function functionsOf(source: Source): Function[] {
  const functions: Function[] = [];
  walk(source.program, (node, around) => {
    const isFunction =
      node.type === 'FunctionDeclaration' ||
      node.type === 'FunctionExpression' ||
      node.type === 'ArrowFunctionExpression';
    if (!isFunction) return;
    const name = node.id?.name ?? nameFrom(around.at(-1));
    const line = source.lineAt(node.start);
    functions.push({
      name,
      file: source.file,
      line,
      lines: source.lineAt(node.end) - line + 1,
      isComponent: source.file.endsWith('.tsx') && /^[A-Z]/.test(name),
    });
  });
  return functions;
}

/** The documents that people wrote, and how many words each has. */
export function documentWords(root: string): { file: string; words: number }[] {
  return sourceFiles(root)
    .filter((file) => DOCUMENT.test(file) && !GENERATED.has(file))
    .map((file) => {
      const text = fs.readFileSync(path.join(root, file), 'utf8');
      return { file, words: text.split(/\s+/).filter(Boolean).length };
    });
}

export function linesIn(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') || text === '' ? 1 : 0);
}

function nameFrom(parent: Node | undefined): string {
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name;
  if (parent?.type === 'Property' || parent?.type === 'MethodDefinition')
    return parent.key.type === 'Identifier' ? parent.key.name : '(unnamed)';
  return '(unnamed)';
}
