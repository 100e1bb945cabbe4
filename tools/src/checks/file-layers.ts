import fs from 'node:fs';
import path from 'node:path';
import { linesOf, readSource, sourceFiles, walk } from './source-files.ts';

const READABLE =
  /\.(tsx?|m?js|css|sql|md|html|sh|ya?ml|service|timer|example)$|(^|\/)(Dockerfile|Caddyfile)$/;

/** A file taken apart: three texts as long as the file, each with the other two blanked, so that offsets are the file's. */
export type Layers = {
  file: string;
  /** Names and signs; of a document what stands in backticks. */
  code: string;
  comments: string;
  /** What is said: string literals, prose. */
  texts: string;
  /** The file as it is written. */
  whole: string;
  /** The line, from 1, of an offset. */
  lineAt(offset: number): number;
};

/** Taking the whole repository apart takes seconds, and more than one check asks for it. */
const known = new Map<string, Layers>();

/** Every file that a person reads, taken apart. `root` is the repository. */
export function layeredFiles(root: string, only?: readonly string[]): Layers[] {
  return sourceFiles(root)
    .filter((file) => READABLE.test(file) && (only?.includes(file) ?? true))
    .map((file) => {
      const full = path.join(root, file);
      const text = fs.readFileSync(full, 'utf8');
      const before = known.get(full);
      if (before?.file === file && before.whole === text) return before;
      const layers = takeApart(root, file, text);
      known.set(full, layers);
      return layers;
    });
}

function takeApart(root: string, file: string, text: string): Layers {
  const { comments, texts } = spansOf(root, file, text);
  return {
    file,
    code: blank(text, [...comments, ...texts]),
    comments: keep(text, comments),
    texts: keep(text, texts),
    whole: text,
    lineAt: linesOf(text),
  };
}

type Span = readonly [start: number, end: number];

function spansOf(root: string, file: string, text: string): { comments: Span[]; texts: Span[] } {
  if (/\.(tsx?|m?js)$/.test(file)) return scriptSpans(root, file);
  if (file.endsWith('.css')) return { comments: matches(text, /\/\*[^]*?\*\//g), texts: [] };
  if (file.endsWith('.sql')) {
    const marked = matches(text, /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'/g);
    const isText = ([start]: Span) => text[start] === "'";
    return { comments: marked.filter((span) => !isText(span)), texts: marked.filter(isText) };
  }
  if (file.endsWith('.md')) {
    const code = matches(text, /```[^]*?```|`[^`\n]+`/g);
    return { comments: [], texts: between(code, text.length) };
  }
  return { comments: [], texts: [[0, text.length]] };
}

function scriptSpans(root: string, file: string): { comments: Span[]; texts: Span[] } {
  const { program, comments } = readSource(root, file);
  const texts: Span[] = [];
  walk(program, (node) => {
    const isText =
      (node.type === 'Literal' && typeof node.value === 'string') ||
      node.type === 'JSXText' ||
      node.type === 'TemplateElement';
    if (isText) texts.push([node.start, node.end]);
  });
  return { comments: comments.map(({ start, end }) => [start, end]), texts };
}

function matches(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map(({ index, 0: whole }) => [index, index + whole.length]);
}

/** What lies between spans that are in order. */
function between(spans: Span[], length: number): Span[] {
  const ends = [0, ...spans.map(([, end]) => end)];
  const starts = [...spans.map(([start]) => start), length];
  return ends.map((end, index) => [end, starts[index] ?? length]);
}

function keep(text: string, spans: Span[]): string {
  return blank(
    text,
    between(
      spans.toSorted(([one], [other]) => one - other),
      text.length,
    ),
  );
}

function blank(text: string, spans: Span[]): string {
  let rest = '';
  let at = 0;
  for (const [start, end] of spans.toSorted(([one], [other]) => one - other)) {
    rest += text.slice(at, start) + text.slice(Math.max(at, start), end).replaceAll(/[^\n]/g, ' ');
    at = Math.max(at, end);
  }
  return rest + text.slice(at);
}
