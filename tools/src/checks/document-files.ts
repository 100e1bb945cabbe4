import fs from 'node:fs';
import path from 'node:path';
import { documentedSettings } from '@aparta/server/settings-schema';
import { statesPage } from '../states-page.ts';
import { settingsPage } from '../settings-page.ts';
import { sourceFiles } from './source-files.ts';

/** A word in backticks that is a place in this repository: it begins with one of its folders and is no pattern. */
const PLACE =
  /`((?:domain|contract|provider-wire|server|sandbox|ui|browser|counter|web|admin|e2e|bench|tools|docs)\/[\w./-]*)`/g;
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

/** Where docs/settings.md is not what the schema makes of it, and what a production's settings lack. `root` is the repository. */
export function undocumentedSettings(root: string): string[] {
  const read = (...file: string[]) => fs.readFileSync(path.join(root, ...file), 'utf8');
  const stale = read('docs', 'settings.md') !== settingsPage();
  const example = read('ops', 'production.env.example');
  const missing = documentedSettings().filter(
    ({ name, required, secret }) => required && !secret && !new RegExp(`^${name}=`, 'm').test(example),
  );
  return [
    ...(stale ? ['docs/settings.md is not what the schema says: npm run docs'] : []),
    ...missing.map(({ name }) => `ops/production.env.example lacks ${name}`),
  ];
}

/** The page of states that is not what the tables say. `root` is the repository. */
export function staleStates(root: string): string[] {
  const page = fs.readFileSync(path.join(root, 'docs', 'rules', 'states.md'), 'utf8');
  return page === statesPage() ? [] : ['docs/rules/states.md is not what the tables say: npm run docs'];
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}
