import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from './commands.ts';
import { NOUNS, sayProblem, SAYS } from './copy.ts';
import { file, outFile } from './options.ts';
import { parse } from './parse.ts';

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

describe('a file', () => {
  const [given, written] = [file('').coerce, outFile('').coerce];
  const options = COMMANDS.flatMap(({ spec }) =>
    Object.entries({ ...spec.positionals, ...spec.options }).map(([name, { coerce }]) => ({ name, coerce })),
  );

  test('that a command writes is looked at before anything is done', () => {
    const files = options.filter(({ name }) => ['out', 'csv', 'pdf'].includes(name));
    expect(files).toHaveLength(10);
    expect(files.filter(({ coerce }) => coerce !== written)).toEqual([]);
    expect(options.filter(({ name, coerce }) => name === 'file' && coerce !== given)).toEqual([]);
  });

  test.each([
    [os.tmpdir(), 'es una carpeta. Escriba también el nombre del archivo.'],
    [`${os.tmpdir()}/`, 'es una carpeta. Escriba también el nombre del archivo.'],
    ['/no/hay/nada.pdf', 'no existe, o no existe su carpeta. Revise cómo se escribe o cree la carpeta.'],
    [`${import.meta.filename}/a.pdf`, 'una parte de la ruta es un archivo, no una carpeta.'],
  ])('at %s is refused in one line that says how to mend it', async (where, says) => {
    for (const line of [`labels print 1 --out ${where}`, `product import 1 ${where}`]) {
      const { text } = (await parse(COMMANDS, line.split(' '))) as { text: string };
      expect(text.split('\n')).toEqual([
        `No se puede ${line.startsWith('labels') ? 'escribir' : 'leer'} ${where}: ${says}`,
        'Agregue --help para ver cómo se usa.',
      ]);
    }
  });

  test('that fails while it is written is told in one line, not as a stack of calls', () => {
    const full = Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC', path: 'a.json' });
    expect(sayProblem(full)).toBe(
      'No se pudo usar a.json: el disco está lleno. Libere espacio o elija otro disco.',
    );
  });
});

test('the parser of the command line has Spanish for every sentence that it can say', () => {
  const folder = path.dirname(fileURLToPath(import.meta.resolve('yargs')));
  const spanish = JSON.parse(fs.readFileSync(path.join(folder, 'locales/es.json'), 'utf8'));
  const said = fs
    .globSync('build/lib/*.js', { cwd: folder })
    .flatMap((name) => [
      ...fs.readFileSync(path.join(folder, name), 'utf8').matchAll(/__n?\(\s*['"`]([^'"`]+)['"`]/g),
    ])
    .map(([, sentence = '']) => sentence);
  expect(said.length).toBeGreaterThan(20);
  expect(said.filter((sentence) => !(sentence in spanish) && !(sentence in SAYS.plurals))).toEqual([]);
});
