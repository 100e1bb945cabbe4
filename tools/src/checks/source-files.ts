import fs from 'node:fs';
import path from 'node:path';
import { parseSync, visitorKeys, type Comment, type Node, type Program } from 'oxc-parser';

const SKIPPED = new Set(['node_modules', 'dist']);
const TEST = /\.(test|e2e)\.tsx?$|(^|\/)test\/|^e2e\//;

/** A parsed TypeScript or JavaScript file. `file` is relative to the root it was read from. */
export type Source = {
  file: string;
  text: string;
  program: Program;
  comments: Comment[];
  /** The line, from 1, of an offset in `text`. */
  lineAt(offset: number): number;
};

/** Every file under `folder`, in order, without what is installed, built or hidden. Paths are relative, with `/`. */
export function sourceFiles(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  const found: string[] = [];
  const visit = (relative: string) => {
    const entries = fs.readdirSync(path.join(folder, relative), { withFileTypes: true });
    for (const entry of entries) {
      if (SKIPPED.has(entry.name) || entry.name.startsWith('.')) continue;
      const file = relative ? `${relative}/${entry.name}` : entry.name;
      if (entry.isDirectory()) visit(file);
      else found.push(file);
    }
  };
  visit('');
  return found.toSorted();
}

/** Whether a file is a test or serves tests alone. `file` is relative to the repository. */
export function isTest(file: string): boolean {
  return TEST.test(file);
}

/** The TypeScript files below `folders` that are no tests, parsed. `root` is the repository; throws when one does not parse. */
export function productionSources(root: string, folders: string[]): Source[] {
  return folders.flatMap((folder) =>
    sourceFiles(path.join(root, folder))
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.tsx?$/.test(file) && !isTest(file))
      .map((file) => readSource(root, file)),
  );
}

/** Parses one file of the repository `root`. Throws when it does not parse. */
export function readSource(root: string, file: string): Source {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  const { program, comments, errors } = parseSync(file, text);
  const [error] = errors;
  if (error) throw new Error(`${file} does not parse: ${error.message}`);
  return { file, text, program, comments, lineAt: linesOf(text) };
}

/** Answers the line, from 1, of an offset in `text`. */
export function linesOf(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** Calls `visit` for `node` and everything below it, with the nodes around it, the nearest last: one list, as it is during the call. */
export function walk(node: Node, visit: (node: Node, around: readonly Node[]) => void): void {
  const around: Node[] = [];
  enter(node);

  function enter(one: Node): void {
    visit(one, around);
    around.push(one);
    const fields = one as unknown as Record<string, unknown>;
    for (const key of visitorKeys[one.type] ?? []) {
      const field = fields[key];
      for (const child of Array.isArray(field) ? (field as unknown[]) : [field])
        if (isNode(child)) enter(child);
    }
    around.pop();
  }
}

function isNode(child: unknown): child is Node {
  return typeof child === 'object' && child !== null;
}
