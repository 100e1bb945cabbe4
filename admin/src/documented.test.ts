import fs from 'node:fs';
import { expect, test } from 'vitest';
import { COMMANDS } from './commands.ts';

const root = new URL('../../', import.meta.url);
const documents = [
  'README.md',
  ...fs
    .readdirSync(new URL('docs/', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const inKebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

test('every command that the documents tell an operator to type exists, with its options', () => {
  const told = documents.flatMap((name) =>
    [...fs.readFileSync(new URL(name, root), 'utf8').matchAll(/npm run admin -- ([a-z][^`\n#|]*)/g)].map(
      ([, line = '']) => [name, line.trim()] as const,
    ),
  );
  expect(told.length).toBeGreaterThan(10);
  const wrong = told.filter(([, line]) => {
    const named = COMMANDS.map(({ told: command }) => command).filter(
      ({ name }) => `${line} `.startsWith(`${name} `) || name.startsWith(`${line} `),
    );
    const options = [...line.matchAll(/(?<=\s--)[a-z-]+/g)].map(([option]) => option);
    return !named.some(({ options: known = {} }) => {
      const typed = ['dry-run', 'json', 'as', 'help', ...Object.keys(known).map(inKebab)];
      return options.every((option) => typed.includes(option));
    });
  });
  expect(wrong).toEqual([]);
});
