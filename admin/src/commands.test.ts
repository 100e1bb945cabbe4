import { expect, test } from 'vitest';
import { COMMANDS } from './commands.ts';
import { NOUNS } from './copy.ts';

/** Options of every command. */
const GLOBAL = ['as', 'json', 'dry-run', 'help', 'version'];

test('no command takes for itself an option that all of them have', () => {
  const taken = COMMANDS.flatMap(({ spec }) =>
    Object.keys({ ...spec.positionals, ...spec.options })
      .filter((name) => GLOBAL.includes(name) && !(name === 'version' && spec.name === 'legal publish'))
      .map((name) => `${spec.name} --${name}`),
  );
  expect(taken).toEqual([]);
});

test('no two commands have one name', () => {
  const names = COMMANDS.map(({ spec }) => spec.name);
  expect(new Set(names).size).toBe(names.length);
});

test('every noun says what its commands are about', () => {
  const nouns = COMMANDS.map(({ spec }) => spec.name.split(' ')).flatMap(([noun = '', ...verb]) =>
    verb.length === 0 ? [] : [noun],
  );
  expect([...new Set(nouns)].filter((noun) => (NOUNS[noun] ?? '') === '')).toEqual([]);
});
