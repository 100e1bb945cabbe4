import fs from 'node:fs';
import path from 'node:path';
import { sourceFiles } from './source-files.ts';

/** A word in backticks that is a place in this repository: it begins with one of its folders and is no pattern. */
const PLACE =
  /`((?:domain|contract|provider-wire|server|sandbox|ui|web|admin|e2e|bench|tools|docs)\/[\w./-]*)`/g;
const LINK = /\]\(([^)\s]+)\)/g;

/** Files and folders that a Markdown document names or links to and that are not there. `root` is the repository. */
export function lostFiles(root: string): string[] {
  return sourceFiles(root)
    .filter((file) => file.endsWith('.md'))
    .flatMap((document) => {
      const text = fs.readFileSync(path.join(root, document), 'utf8');
      const named = matches(text, PLACE);
      const linked = matches(text, LINK)
        .filter((target) => !/^(\w+:|#)/.test(target))
        .map((target) => path.posix.join(path.posix.dirname(document), target.replace(/#.*$/, '')));
      return [...new Set([...named, ...linked])]
        .filter((file) => !fs.existsSync(path.join(root, file)))
        .map((file) => `${document} names ${file}, which is not there`);
    });
}

/** Settings that the server reads and the README does not tell of. `root` is the repository. */
export function untoldSettings(root: string): string[] {
  const settings = matches(
    fs.readFileSync(path.join(root, 'server', 'src', 'env.ts'), 'utf8'),
    /\bread\('([A-Z][A-Z_]+)'/g,
  );
  if (settings.length === 0) return ['server/src/env.ts reads no setting that this check can see'];
  const told = fs.readFileSync(path.join(root, 'README.md'), 'utf8');
  return settings
    .filter((setting) => !told.includes(`\`${setting}\``))
    .map((setting) => `README.md does not tell of ${setting}`);
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}
