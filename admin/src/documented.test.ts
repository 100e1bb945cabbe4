import fs from 'node:fs';
import { expect, test } from 'vitest';
import { COMMANDS } from './commands.ts';
import { WAITS } from './commands/payments-copy.ts';

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

test('every command that goes on with what waits exists, with as many arguments', () => {
  const nouns = new Set(COMMANDS.map(({ told }) => told.name.split(' ')[0]));
  const lines = Object.values(WAITS)
    .flatMap(({ next }) => next('7').split(/; luego | o |, /))
    .filter((line) => nouns.has(line.split(' ')[0]));
  expect(lines.length).toBeGreaterThan(8);
  const wrong = lines.filter((line) => {
    const [noun, verb, ...rest] = line.split(' ');
    const command = COMMANDS.find(({ told }) => told.name === `${noun} ${verb}`)?.told;
    const options = rest.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
    const given = rest.findIndex((word) => word.startsWith('--'));
    const known = Object.keys(command?.options ?? {}).map(inKebab);
    return (
      command === undefined ||
      Object.keys(command.positionals ?? {}).length < (given === -1 ? rest.length : given) ||
      options.some((option) => !known.includes(option))
    );
  });
  expect(wrong).toEqual([]);
});
